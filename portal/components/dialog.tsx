/**
 * `{isOpen.value && <Dialog title="Issue key" onClose={() => (isOpen.value = false)}>…</Dialog>}`: a modal dialog.
 * The focus is on its first field, on its primary button, on Cancel if the command destroys something, or else on its
 * heading. Esc and a click outside close it, but ask first if something was typed; the focus then returns. `<div
 * class="actions">` holds the buttons.
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { focusOn } from "../base/focus.ts";
import { Button, IconButton, ignoreRepeatedEnter } from "./button.tsx";
import { Notice } from "./panel.tsx";

const doubleClickMs = 500;

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const hasInput = useRef(false);
  const isDiscardAsked = useSignal(false);

  // Before the next paint: the next key press is for the dialog.
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    const first = "input:not([role=switch]), select, textarea, .primary, .dialog > .actions > .button";
    for (const selector of ["h2", first]) focusOn(dialog?.querySelector<HTMLElement>(selector));
    // A click outside closes the dialog, but not the second click of the double click that opened it.
    const timer = setTimeout(() => dialog?.setAttribute("closedby", "any"), doubleClickMs);
    return () => {
      clearTimeout(timer);
      // Closing returns the focus.
      dialog?.close();
    };
  }, []);

  function noteInput({ target }: Event): void {
    // A switch outside a form takes effect at once, so nothing is lost.
    hasInput.current ||= target instanceof Element && target.closest("form") !== null;
  }

  /** Closes at once: the `close` event comes later than the next key press, which may open the dialog again. */
  function handleCancel(event: Event): void {
    // A file field has an event of this name too.
    if (event.target !== box.current) return;
    event.preventDefault();
    // After repeated attempts, a browser closes the dialog in any case: the event is then not cancelable.
    if (hasInput.current && event.cancelable) isDiscardAsked.value = true;
    else onClose();
  }

  return (
    <dialog
      ref={box}
      aria-labelledby={heading}
      onCancel={handleCancel}
      // A browser may close the dialog without the event cancel; after an unmount there is nothing to report.
      onClose={() => box.current && onClose()}
      onInput={noteInput}
      onKeyDown={ignoreRepeatedEnter}
    >
      <div class="dialog">
        <header>
          <h2 id={heading} tabIndex={-1}>
            {title}
          </h2>
          <IconButton icon="close" kind="quiet" label="Close" onClick={onClose} />
        </header>
        {children}
        {isDiscardAsked.value && (
          <Notice variant="warning" role="alert" actions={<Button onClick={onClose}>Discard</Button>}>
            You have unsaved changes.
          </Notice>
        )}
      </div>
    </dialog>
  );
}
