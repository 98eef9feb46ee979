import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Badge } from "../../parts/badge.tsx";
import { mayChange } from "../../server/token.ts";

interface RowProps {
  readonly title: string;
  readonly description: string;
  /** Its real state, such as how often it was met. */
  readonly state?: ComponentChildren;
  /** A choice of its subject. */
  readonly children?: ComponentChildren;
}

interface SwitchRowProps extends RowProps {
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (on: boolean) => void;
}

/** A failure with a switch. It shows the state of the sandbox, which follows a press. */
export function SwitchRow({ isOn, isDisabled, onChange, ...row }: SwitchRowProps) {
  const id = useId();
  return (
    <li class={isOn ? "on" : undefined}>
      {mayChange.value ? (
        <button
          type="button"
          role="switch"
          class="toggle"
          aria-checked={isOn}
          aria-labelledby={`${id}-title`}
          aria-describedby={`${id}-description`}
          disabled={isDisabled}
          onClick={() => onChange(!isOn)}
        />
      ) : (
        <Badge look={isOn ? "bad" : "neutral"}>{isOn ? "on" : "off"}</Badge>
      )}
      <Texts id={id} {...row} />
    </li>
  );
}

interface CommandRowProps extends RowProps {
  /** The button of a failure without a way back. */
  readonly command: ComponentChildren;
}

export function CommandRow({ command, ...row }: CommandRowProps) {
  const id = useId();
  return (
    <li class="alone">
      <Texts id={id} {...row} command={command} />
    </li>
  );
}

function Texts({
  id,
  title,
  description,
  state,
  children,
  command,
}: RowProps & { readonly id: string; readonly command?: ComponentChildren }) {
  return (
    <div>
      <strong id={`${id}-title`}>{title}</strong>
      <p id={`${id}-description`} class="small muted">
        {description}
      </p>
      {(children || command) && (
        <div class="actions">
          {children}
          {command}
        </div>
      )}
      {state && <p class="small state">{state}</p>}
    </div>
  );
}
