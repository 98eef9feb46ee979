/**
 * `{isOpen.value && <Dialog title="Issue a key" onClose={() => (isOpen.value = false)}>…</Dialog>}`: a modal dialog. Esc and a
 * click beside it close it; the focus goes back to where it was. `<div class="actions">` holds its buttons.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { IconButton } from "./button.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** `wide` for code and tables. */
  readonly size?: "wide" | undefined;
  readonly children?: ComponentChildren;
}

export function Dialog({ title, onClose, size, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const heading = useId();

  useEffect(() => {
    const before = document.activeElement;
    box.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  return (
    <dialog ref={box} class={size} aria-labelledby={heading} onClose={onClose} {...{ closedby: "any" }}>
      <div class="dialog">
        <header>
          <h2 id={heading}>{title}</h2>
          <IconButton icon="close" kind="quiet" label="Close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
