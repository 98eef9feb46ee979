/**
 * A button that asks once before it destroys something:
 *
 *     <ConfirmButton question="Revoke the key?" words="Clients that use it get 401." does="Revoke" onConfirm={revoke}>
 *       Revoke
 *     </ConfirmButton>
 */
import { useSignal } from "@preact/signals";
import { Button, type ButtonProps } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps extends Omit<ButtonProps, "onClick"> {
  readonly question: string;
  /** The consequence, in a sentence. */
  readonly words?: string | undefined;
  /** The button that does it. */
  readonly does: string;
  readonly onConfirm: () => void;
}

export function ConfirmButton({ question, words, does, onConfirm, children, ...rest }: ConfirmProps) {
  const isOpen = useSignal(false);
  return (
    <>
      <Button {...rest} aria-haspopup="dialog" onClick={() => (isOpen.value = true)}>
        {children}
      </Button>
      {isOpen.value && (
        <Dialog title={question} onClose={() => (isOpen.value = false)}>
          {words !== undefined && <p>{words}</p>}
          <div class="actions">
            <Button onClick={() => (isOpen.value = false)}>Cancel</Button>
            <Button
              kind="danger"
              onClick={() => {
                isOpen.value = false;
                onConfirm();
              }}
            >
              {does}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
