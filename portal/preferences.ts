import { effect, type Signal, signal } from "@preact/signals";

/** Settings of this browser, kept beyond the tab. */

export type Theme = "auto" | "light" | "dark";

export const theme = preference<Theme>("theme", "auto");

/** Whether single keys are shortcuts; some input devices press them by mistake (WCAG 2.1.4). */
export const areShortcutsOn = preference("shortcuts", true);

/** The speed that the play button sets. */
export const playSpeed = preference("speed", 60);

effect(() => {
  if (theme.value === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme.value;
});

function preference<Value>(name: string, fallback: Value): Signal<Value> {
  const key = `offering-sandbox.${name}`;
  const value = signal(fallback);
  try {
    const text = localStorage.getItem(key);
    if (text !== null) value.value = JSON.parse(text) as Value;
  } catch {
    // A browser that keeps nothing has the defaults.
  }
  effect(() => {
    try {
      localStorage.setItem(key, JSON.stringify(value.value));
    } catch {
      // As above.
    }
  });
  return value;
}
