import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface RowProps {
  readonly title: string;
  readonly words: string;
  /** Its real state, such as how often it was met. */
  readonly state?: ComponentChildren;
  /** The things that it can apply to, to be chosen from. */
  readonly children?: ComponentChildren;
}

interface SwitchRowProps extends RowProps {
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (on: boolean) => void;
}

/** A failure that can be switched on and off. It shows the state of the sandbox, which follows a press. */
export function SwitchRow({ isOn, isDisabled, onChange, ...row }: SwitchRowProps) {
  const id = useId();
  return (
    <li class={isOn ? "on" : undefined}>
      <button
        type="button"
        role="switch"
        class="toggle"
        aria-checked={isOn}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-words`}
        disabled={isDisabled}
        onClick={() => onChange(!isOn)}
      />
      <Words id={id} {...row} />
    </li>
  );
}

interface CommandRowProps extends RowProps {
  /** The button of a failure that cannot be switched off. */
  readonly command: ComponentChildren;
}

export function CommandRow({ command, ...row }: CommandRowProps) {
  const id = useId();
  return (
    <li>
      <span class="toggle-place" />
      <Words id={id} {...row} command={command} />
    </li>
  );
}

function Words({
  id,
  title,
  words,
  state,
  children,
  command,
}: RowProps & { readonly id: string; readonly command?: ComponentChildren }) {
  return (
    <div>
      <strong id={`${id}-title`}>{title}</strong>
      <p id={`${id}-words`} class="small muted">
        {words}
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
