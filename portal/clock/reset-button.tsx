import type { Signal } from "@preact/signals";
import type { ButtonProps } from "../components/button.tsx";
import { ConfirmButton } from "../components/confirm.tsx";

interface ResetProps extends Omit<ButtonProps, "onClick" | "children"> {
  /** The label or id of the environment. */
  readonly name: string;
  readonly isOpen?: Signal<boolean>;
  readonly onConfirm: () => void;
}

/** Asks before an environment is reset. */
export function ResetButton({ name, ...rest }: ResetProps) {
  return (
    <ConfirmButton
      question={`Reset ${name}?`}
      consequence="Returns the timeline, the clock, limits, faults and the journal to their initial state. Keys stay valid. Coverage and saved scenarios stay."
      confirmLabel="Reset"
      {...rest}
    />
  );
}
