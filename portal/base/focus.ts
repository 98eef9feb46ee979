/**
 * The focus, which only this file sets. A person's own act moves it: a key, a press, a dialog that opens (`focusOn`).
 * What the page does by itself, such as showing a response, never takes it from a field, a dialog or a button that
 * still exists (`offerFocus`): keys that are pressed meanwhile belong there.
 */

export function focusOn(target: HTMLElement | null | undefined): void {
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: "nearest" });
}

const holders = "input, textarea, select, button, summary, [contenteditable], dialog[open] *";

/** Moves the focus unless somebody uses it; with `from`, also from that element. */
export function offerFocus(target: HTMLElement | null | undefined, from: Element | null = null): void {
  const holder = document.activeElement;
  if (holder === from || !holder?.matches(holders)) focusOn(target);
}

/** Whether nobody has moved the focus from where the page put it: the top of a view, or nowhere. */
export function isFocusFree(): boolean {
  return document.activeElement?.matches("body, h1, h2") ?? true;
}

/** After a change of the address: moves the focus to the top of the view. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>("main h1");
  if (heading) offerFocus(heading);
}
