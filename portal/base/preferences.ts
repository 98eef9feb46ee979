import { effect, type Signal, signal } from "@preact/signals";

/** Settings of this browser, which outlive the tab, and values that are stored until the tab closes. */

type Theme = "auto" | "light" | "dark";

export const theme = storedSignal<Theme>("theme", "auto");

/** The themes, each with the next one that the button selects. */
export const themes: Readonly<Record<Theme, { readonly label: string; readonly next: Theme }>> = {
  auto: { label: "Theme: as the system", next: "light" },
  light: { label: "Theme: light", next: "dark" },
  dark: { label: "Theme: dark", next: "auto" },
};

/** Whether single keys are shortcuts; some input devices press them by accident (WCAG 2.1.4). */
export const areShortcutsOn = storedSignal("shortcuts", true);

/** A speed of the clock, or "changes": one change a second. */
export type PlaySpeed = number | "changes";

/** The speed of the play button: the last one that was chosen, or at which the clock ran. */
export const playSpeed = storedSignal<PlaySpeed>("speed", 60);

/** Whether the page is being presented: larger, and without what only developers need. */
export const isPresenting = tabSignal("presenting", false);

/** Whether a presented investment shows what a key of each type reads, in place of its activity. */
export const areReadersShown = tabSignal("readers", false);

effect(() => {
  document.documentElement.toggleAttribute("data-presenting", isPresenting.value);
});

effect(() => {
  if (theme.value === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme.value;
});

/** Creates a signal that is stored until the tab is closed, such as a form in progress. */
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
      // A browser without storage saves nothing.
    }
  });
  return value;
}
