import { effect, type Signal, signal } from "@preact/signals";

/** Settings of this browser, kept beyond the tab, and texts that are kept for their tab. */

export type Theme = "auto" | "light" | "dark";

export const theme = kept<Theme>("theme", "auto");

/** Whether single keys are shortcuts; some input devices press them by mistake (WCAG 2.1.4). */
export const areShortcutsOn = kept("shortcuts", true);

/** The speed that the play button sets. */
export const playSpeed = kept("speed", 60);

effect(() => {
  if (theme.value === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme.value;
});

/** A text or a form that is being written, until the tab is closed. */
export function keptInTab<Value>(name: string, fallback: Value): Signal<Value> {
  return kept(name, fallback, "sessionStorage");
}

function kept<Value>(
  name: string,
  fallback: Value,
  storage: "localStorage" | "sessionStorage" = "localStorage",
): Signal<Value> {
  const key = `offering-sandbox.${name}`;
  const value = signal(fallback);
  try {
    const text = globalThis[storage].getItem(key);
    if (text !== null) value.value = JSON.parse(text) as Value;
  } catch {
    // A browser that keeps nothing has the defaults.
  }
  effect(() => {
    try {
      globalThis[storage].setItem(key, JSON.stringify(value.value));
    } catch {
      // As above.
    }
  });
  return value;
}
