import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Badge } from "../../parts/badge.tsx";
import { mayChange } from "../../server/token.ts";

interface SwitchRowProps {
  readonly title: string;
  readonly description: string;
  /** Its real state, such as how often it was met. */
  readonly state?: ComponentChildren;
  /** A choice of its subject, or a button. */
  readonly children?: ComponentChildren;
  /** Undefined for a failure without a way back. */
  readonly isOn?: boolean;
  readonly isDisabled?: boolean;
  readonly onChange?: (on: boolean) => void;
}

/** A failure with a switch. It shows the state of the sandbox, which follows a press. */
export function SwitchRow(props: SwitchRowProps) {
  const { title, description, state, children, isOn, isDisabled, onChange } = props;
  const id = useId();
  return (
    <li class={isOn === undefined ? "alone" : isOn ? "on" : undefined}>
      {isOn !== undefined &&
        (mayChange.value ? (
          <button
            type="button"
            role="switch"
            class="toggle"
            aria-checked={isOn}
            aria-labelledby={`${id}-title`}
            aria-describedby={`${id}-description`}
            disabled={isDisabled}
            onClick={() => onChange?.(!isOn)}
          />
        ) : (
          <Badge look={isOn ? "bad" : "neutral"}>{isOn ? "on" : "off"}</Badge>
        ))}
      <div>
        <strong id={`${id}-title`}>{title}</strong>
        <p id={`${id}-description`} class="small muted">
          {description}
        </p>
        {children && <div class="actions">{children}</div>}
        {state && <p class="small state">{state}</p>}
      </div>
    </li>
  );
}
