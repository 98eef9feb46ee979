/**
 * A button for a command that destroys something. It asks for confirmation:
 *
 *     <ConfirmButton question="Revoke key?" consequence="Clients get 401." confirmLabel="Revoke" onConfirm={revoke} />
 */
import { type Signal, useSignal } from "@preact/signals";
import { Button, type ButtonProps } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface QuestionProps {
  readonly question: string;
  /** The consequence, in a sentence. */
  readonly consequence?: string | undefined;
  /** The label of the button in the dialog; with an ellipsis, that of the button that opens it. */
  readonly confirmLabel: string;
  readonly onConfirm: () => void;
}

interface ConfirmProps extends QuestionProps, Omit<ButtonProps, "onClick" | "children"> {
  /** Whether the question is open, for callers that open it too. @default a signal of the button */
  readonly isOpen?: Signal<boolean> | undefined;
}

export function ConfirmButton({
  isOpen: externalIsOpen,
  question,
  consequence,
  confirmLabel,
  onConfirm,
  ...rest
}: ConfirmProps) {
  const internalIsOpen = useSignal(false);
  const isOpen = externalIsOpen ?? internalIsOpen;
  return (
    <>
      <Button needsEditAccess {...rest} aria-haspopup="dialog" onClick={() => (isOpen.value = true)}>
        {confirmLabel}…
      </Button>
      {isOpen.value && (
        <Question {...{ question, consequence, confirmLabel, onConfirm }} onClose={() => (isOpen.value = false)} />
      )}
    </>
  );
}

/** The dialog without the button. */
export function Question({
  question,
  consequence,
  confirmLabel,
  onConfirm,
  onClose,
}: QuestionProps & { readonly onClose: () => void }) {
  function confirm(): void {
    onClose();
    onConfirm();
  }
  return (
    <Dialog title={question} onClose={onClose}>
      {consequence !== undefined && <p>{consequence}</p>}
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" onClick={confirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
