import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Badge } from "../../parts/badge.tsx";
import { mayChange } from "../../server/token.ts";

interface SwitchRowProps {
  readonly title: string;
  readonly description: string;
  /** The real state of the failure, such as how often it was applied. */
  readonly state?: ComponentChildren;
  /** A select for its subject, or a button. */
  readonly children?: ComponentChildren;
  /** Undefined for a failure that cannot be switched off. */
  readonly isOn?: boolean;
  readonly isDisabled?: boolean;
  readonly onChange?: (on: boolean) => void;
}

/** A failure with a switch. The switch shows the state of the sandbox, which follows a click. */
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
