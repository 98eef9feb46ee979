/**
 * Buttons: `<Button onClick={save}>Save</Button>`, `kind="primary"` for the main command of a view, `kind="quiet"` among
 * others, `<IconButton icon="close" label="Close" onClick={…} />`. `ConfirmButton` of confirm.tsx asks before it destroys.
 */
import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { mayChange } from "../server/token.ts";
import { Icon, type IconName } from "./icon.tsx";

export interface ButtonProps extends Omit<ButtonHTMLAttributes, "icon" | "class"> {
  readonly kind?: "primary" | "quiet" | "danger" | undefined;
  readonly icon?: IconName | undefined;
  readonly class?: string | undefined;
  /** Whether it changes something: those who only look have no such button. @default the primary ones do */
  readonly changes?: boolean | undefined;
  readonly children?: ComponentChildren;
}

export function Button({ kind, icon, children, class: name, changes = kind === "primary", ...rest }: ButtonProps) {
  if (changes && !mayChange.value) return null;
  return (
    <button type="button" onKeyDown={ignoreHeld} {...rest} class={["button", kind, name].filter(Boolean).join(" ")}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** Enter that is still held answers nothing: it may have opened what it would answer. */
export function ignoreHeld(event: KeyboardEvent): void {
  const isText = event.target instanceof HTMLTextAreaElement;
  if (event.repeat && event.key === "Enter" && !isText) event.preventDefault();
}

interface IconButtonProps extends Omit<ButtonProps, "children"> {
  readonly icon: IconName;
  /** For screen readers, and shown beside the pointer. */
  readonly label: string;
}

export function IconButton({ label, class: name, ...rest }: IconButtonProps) {
  return <Button {...rest} aria-label={label} title={label} class={`icon-only ${name ?? ""}`} />;
}
