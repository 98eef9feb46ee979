/**
 * Buttons: `<Button onClick={save}>Save</Button>`, `kind="primary"` for the main command of a view, `kind="quiet"` for
 * minor commands, `<IconButton icon="close" label="Close" onClick={…} />`. `ConfirmButton` in confirm.tsx asks before
 * it destroys something.
 */
import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { canEdit } from "../base/token.ts";
import { Icon, type IconName } from "./icon.tsx";

export interface ButtonProps extends Omit<ButtonHTMLAttributes, "icon" | "class"> {
  readonly kind?: "primary" | "quiet" | "danger" | undefined;
  readonly icon?: IconName | undefined;
  readonly class?: string | undefined;
  /** Whether the button changes something; hidden with view-only access. @default true if primary */
  readonly needsEditAccess?: boolean | undefined;
  readonly children?: ComponentChildren;
}

export function Button({ kind, icon, children, class: name, needsEditAccess, ...rest }: ButtonProps) {
  if ((needsEditAccess ?? kind === "primary") && !canEdit.value) return null;
  const classes = ["button", kind, name].filter(Boolean).join(" ");
  return (
    <button type="button" onKeyDown={ignoreRepeatedEnter} {...rest} class={classes}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** Ignores the second click of a double click. */
export function ignoreDoubleClick(run: () => unknown): (event: MouseEvent) => void {
  return ({ detail }) => void (detail < 2 && run());
}

/** Ignores repeats of Enter while it is down: its first press may have opened the dialog that it would confirm. */
export function ignoreRepeatedEnter(event: KeyboardEvent): void {
  const isText = event.target instanceof HTMLTextAreaElement;
  if (event.repeat && event.key === "Enter" && !isText) event.preventDefault();
}

interface IconButtonProps extends Omit<ButtonProps, "children"> {
  readonly icon: IconName;
  /** The label for screen readers, also shown as the tooltip. */
  readonly label: string;
}

export function IconButton({ label, class: name, ...rest }: IconButtonProps) {
  return <Button {...rest} aria-label={label} title={label} class={`icon-only ${name ?? ""}`} />;
}
