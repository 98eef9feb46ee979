/**
 * A button for a command that destroys something. It asks once:
 *
 *     <ConfirmButton question="Revoke the key?" consequence="Its clients get 401." confirmLabel="Revoke" onConfirm={revoke}>
 *       Revoke
 *     </ConfirmButton>
 */
import { useSignal } from "@preact/signals";
import { Button, type ButtonProps } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface QuestionProps {
  readonly question: string;
  /** The consequence, in a sentence. */
  readonly consequence?: string | undefined;
  /** The label of the button in the dialog. */
  readonly confirmLabel: string;
  readonly onConfirm: () => void;
}

type ConfirmProps = QuestionProps & Omit<ButtonProps, "onClick">;

export function ConfirmButton({ question, consequence, confirmLabel, onConfirm, children, ...rest }: ConfirmProps) {
  const isOpen = useSignal(false);
  return (
    <>
      <Button changes {...rest} aria-haspopup="dialog" onClick={() => (isOpen.value = true)}>
        {children}
      </Button>
      {isOpen.value && (
        <Question
          {...{ question, consequence, confirmLabel }}
          onConfirm={() => {
            isOpen.value = false;
            onConfirm();
          }}
          onClose={() => (isOpen.value = false)}
        />
      )}
    </>
  );
}

/** The dialog alone. */
export function Question({
  question,
  consequence,
  confirmLabel,
  onConfirm,
  onClose,
}: QuestionProps & { readonly onClose: () => void }) {
  return (
    <Dialog title={question} onClose={onClose}>
      {consequence !== undefined && <p>{consequence}</p>}
      <div class="actions">
        <Button onKeyDown={ignoreHeld} onClick={onClose}>
          Cancel
        </Button>
        <Button kind="danger" onKeyDown={ignoreHeld} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}

/** The key that asked may still be held: it answers nothing. */
function ignoreHeld(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}
