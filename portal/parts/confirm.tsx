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

interface ConfirmProps extends Omit<ButtonProps, "onClick"> {
  readonly question: string;
  /** The consequence, in a sentence. */
  readonly consequence?: string | undefined;
  /** The label of the button in the dialog. */
  readonly confirmLabel: string;
  readonly onConfirm: () => void;
}

export function ConfirmButton({ question, consequence, confirmLabel, onConfirm, children, ...rest }: ConfirmProps) {
  const isOpen = useSignal(false);
  return (
    <>
      <Button {...rest} aria-haspopup="dialog" onClick={() => (isOpen.value = true)}>
        {children}
      </Button>
      {isOpen.value && (
        <Dialog title={question} onClose={() => (isOpen.value = false)}>
          {consequence !== undefined && <p>{consequence}</p>}
          <div class="actions">
            <Button onClick={() => (isOpen.value = false)}>Cancel</Button>
            <Button
              kind="danger"
              onClick={() => {
                isOpen.value = false;
                onConfirm();
              }}
            >
              {confirmLabel}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
