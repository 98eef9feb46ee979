/**
 * The focus, which only this file sets. An action of the person moves it: a key, a click, a dialog that opens
 * (`focusOn`). What the page does by itself, such as showing a response, never takes the focus from a field, a dialog
 * or a button that still exists (`offerFocus`): the keys that the person presses meanwhile belong there.
 */

export function focusOn(target: HTMLElement | null | undefined): void {
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: "nearest" });
}

const holders = "input, textarea, select, button, summary, [contenteditable], dialog[open] *";

/** Moves the focus unless the person uses it; with `from`, even from that element. */
export function offerFocus(target: HTMLElement | null | undefined, from: Element | null = null): void {
  const holder = document.activeElement;
  if (holder === from || !holder?.matches(holders)) focusOn(target);
}

/** Whether the focus is where the page put it: at the top of a view, or nowhere. */
export function isFocusFree(): boolean {
  return document.activeElement?.matches("body, h1, h2") ?? true;
}

/** Moves the focus to the top of the view, after a change of the address. */
export function focusHeading(): void {
  offerFocus(document.querySelector<HTMLElement>("main h1"));
}
