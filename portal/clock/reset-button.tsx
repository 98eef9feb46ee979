import type { ButtonProps } from "../parts/button.tsx";
import { ConfirmButton } from "../parts/confirm.tsx";

interface ResetProps extends Omit<ButtonProps, "onClick" | "children"> {
  /** The environment's label or id. */
  readonly name: string;
  readonly onConfirm: () => void;
}

/** Asks before an environment is reset. */
export function ResetButton({ name, ...rest }: ResetProps) {
  return (
    <ConfirmButton
      question={`Reset ${name}?`}
      consequence="Its timeline, clock, limits, faults and journal begin anew, as when it was opened. Its keys stay valid."
      confirmLabel="Reset"
      {...rest}
    >
      Reset…
    </ConfirmButton>
  );
}
