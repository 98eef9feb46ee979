import { pause } from "./service/pause.ts";

const news = byId("news");
const notice = byId("notice");
const [said, counted] = [notice.querySelector("p"), notice.querySelector("span")];

export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}`);
  return element;
}

/** Shows a notice next to the view; an empty text removes it. */
export function announce(text: string): void {
  news.textContent = text;
}

/** Waits until the service's limit resets, and shows for how long. A screen reader reads it once, not each second. */
export async function waitVisibly(seconds: number, signal: AbortSignal): Promise<void> {
  const end = Date.now() + seconds * 1000;
  const count = (): void => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    counted?.replaceChildren(`${left} s`);
  };
  said?.replaceChildren(`The key's requests for this minute are used up. The page continues in ${seconds} seconds.`);
  count();
  notice.hidden = false;
  const timer = setInterval(count, 1000);
  try {
    await pause(seconds * 1000, signal);
  } finally {
    clearInterval(timer);
    notice.hidden = true;
  }
}
