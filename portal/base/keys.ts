import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { focusOn } from "./focus.ts";
import { areShortcutsOn, isPresenting } from "./preferences.ts";
import { go, route, to, type ViewName } from "./routes.ts";

/** What the page can do now, on the keyboard and in the command palette. The help lists the keys. */
interface Shortcut {
  /** Empty for a command that only the palette has. */
  readonly key: string;
  /** `Copy as curl`. */
  readonly label: string;
  /** Shown in the palette next to the label. @default the key */
  readonly detail?: string;
  /** Whether the key repeats while it is down, each time after the promise of `run` has settled. */
  readonly isRepeated?: boolean;
  /** Outside a presentation, the key works only in this part of the page and after a click there: it also scrolls. */
  readonly scope?: string;
  readonly run: () => unknown;
}

export const shortcuts = signal<readonly Shortcut[]>([
  { key: "/", label: "Search", run: focusSearch },
  { key: "j", label: "Next row", isRepeated: true, run: () => moveRow(1) },
  { key: "k", label: "Previous row", isRepeated: true, run: () => moveRow(-1) },
]);

/**
 * Adds shortcuts while a component is on screen: `useShortcuts([{ key: "c", label: "Copy as curl", run: copyCurl }])`.
 */
export function useShortcuts(newShortcuts: readonly Shortcut[]): void {
  const latestShortcuts = useRef(newShortcuts);
  latestShortcuts.current = newShortcuts;
  // Added before the next paint, so that the key of whatever is on screen works.
  useLayoutEffect(() => {
    const entries = newShortcuts.map((shortcut, index) => ({
      ...shortcut,
      run: () => latestShortcuts.current[index]?.run(),
    }));
    shortcuts.value = [...shortcuts.value, ...entries];
    return () => {
      shortcuts.value = shortcuts.value.filter((shortcut) => !entries.includes(shortcut));
    };
  }, [newShortcuts.map(({ key, label }) => key + label).join()]);
}

/** Elements that handle keys themselves; the space bar clicks a button or toggles a summary. */
const textFields = "input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable]";
const spaceTargets = "button, a, summary, input:not([type=range]), [role=tab]";

const isMac = /Mac|iP/.test(navigator.platform);

/** The modifier key of commands, as a keyboard shows it. */
export const commandKey = isMac ? "⌘" : "Ctrl ";

/** `Ctrl K`; undefined if the letter is not a command. */
export function commandOf({ key, metaKey, ctrlKey, shiftKey, altKey }: KeyboardEvent): string | undefined {
  const isAlone = (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !shiftKey && !altKey;
  return isAlone ? commandKey + key.toUpperCase() : undefined;
}

addEventListener("keydown", (event) => {
  const target = event.target as Element;
  const command = commandOf(event);
  const isSingle = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.defaultPrevented || (!isSingle && command === undefined)) return;
  if (document.querySelector("dialog[open]") || target.closest(textFields)) return;
  if (isSingle && event.key === "Escape") return event.repeat ? undefined : goBack();
  if (isSingle && (!areShortcutsOn.value || (event.key === " " && target.closest(spaceTargets)))) return;
  const shortcut = shortcuts.value.findLast(({ key }) => key === (command ?? keyOf(event)));
  if (!shortcut || !isInScope(shortcut, target)) return;
  event.preventDefault();
  if (shortcut.isRepeated || !event.repeat) runOnce(event, shortcut.run);
});

/** The element of the last click. */
let lastPressed: Element | null = null;
addEventListener("pointerdown", ({ target }) => (lastPressed = target as Element), true);

function isInScope({ scope }: Shortcut, target: Element): boolean {
  return !scope || isPresenting.value || [target, lastPressed].some((element) => element?.closest(scope));
}

/** The number of runs under way. */
let runningCount = 0;

/** Runs what a key does. Ignores repeats of the key meanwhile: otherwise they would continue after its release. */
export function runOnce({ repeat }: KeyboardEvent, run: () => unknown): void {
  if (repeat && runningCount > 0) return;
  runningCount++;
  void Promise.resolve(run()).finally(() => runningCount--);
}

/**
 * Returns `Shift .` if Shift changes the character of the key that steps. A character that is itself a shortcut wins:
 * some layouts have the full stop or the slash on that key.
 */
function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  const sign = { Comma: ",", Period: "." }[code];
  const isSign = !/[a-z]/i.test(key) && shortcuts.value.every((shortcut) => shortcut.key !== key);
  return shiftKey && sign !== undefined && isSign ? `Shift ${sign}` : key;
}

/** Ends the presentation, or else returns from an item to its list, filtered as before. */
function goBack(): void {
  if (isPresenting.value) return void (isPresenting.value = false);
  const { view, id, query } = route.value;
  if (id !== null) go(to(view as ViewName, null, Object.fromEntries(query)));
}

function focusSearch(): void {
  focusOn(document.querySelector<HTMLElement>("main input[type=search]"));
}

/** Moves the focus along the links of rows: Enter then opens one. */
function moveRow(steps: 1 | -1): void {
  const rows = Array.from(document.querySelectorAll<HTMLElement>("main [data-row]"));
  const focusedIndex = rows.findIndex((row) => (row.closest("tr") ?? row).contains(document.activeElement));
  // From the detail next to the list, continue at its row.
  const index = focusedIndex === -1 ? rows.findIndex((row) => row.closest("tr.current")) : focusedIndex;
  focusOn(rows[index === -1 && steps === -1 ? rows.length - 1 : index + steps]);
}
