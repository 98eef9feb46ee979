import { effect, type Signal, signal } from "@preact/signals";

/** Settings of this browser, stored beyond the tab, and texts stored for their tab. */

export type Theme = "auto" | "light" | "dark";

export const theme = storedSignal<Theme>("theme", "auto");

/** Whether single keys are shortcuts; some input devices press them by mistake (WCAG 2.1.4). */
export const areShortcutsOn = storedSignal("shortcuts", true);

/** A speed of the clock, or from one change to the next, one a second. */
export type PlaySpeed = number | "changes";

/** The speed of the play button: the last that was chosen, or at which the clock ran. */
export const playSpeed = storedSignal<PlaySpeed>("speed", 60);

effect(() => {
  if (theme.value === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme.value;
});

/** A text or a form in progress, stored until the tab is closed. */
export function tabSignal<Value>(name: string, fallback: Value): Signal<Value> {
  return storedSignal(name, fallback, "sessionStorage");
}

function storedSignal<Value>(
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
    // A browser without storage has the defaults.
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
