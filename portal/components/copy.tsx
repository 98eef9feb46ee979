/**
 * `<Copy text={curl} subject="Request as curl" label="curl" />` copies a value without showing it, and reports "Request
 * as curl copied."; `copyText(curl, "Request as curl")` does the same for a shortcut.
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { focusOn } from "../base/focus.ts";
import { type MessageAction, showMessage } from "../data/commands.ts";
import { Button, IconButton } from "./button.tsx";

/** Returns false if the browser does not allow it. */
async function writeClipboard(text: Text): Promise<boolean> {
  try {
    // Safari allows this only in the task of the click, so it gets the promise of text that is still loading.
    if (typeof text === "string") await navigator.clipboard.writeText(text);
    else await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
    return true;
  } catch {
    return copyBySelection(await text);
  }
}

/** Copies at an address such as http://192.168.0.2:4120: it is no secure context, so it has no clipboard API. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  const focused = document.activeElement;
  area.value = text;
  area.className = "unseen";
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focusOn(focused);
  return isCopied;
}

type Text = string | Promise<string>;

/** Copies a value, which may still be loading. Rejects if it cannot be loaded. */
export async function copyText(text: Text, subject: string, action?: MessageAction): Promise<boolean> {
  const isCopied = await writeClipboard(text);
  if (isCopied) showMessage(`${subject} copied.`, { action });
  else showMessage("The browser does not let this page copy. Select the text and copy it manually.", { isError: true });
  return isCopied;
}

interface CopyProps {
  readonly text: string;
  /** The name of the copied value, capitalized: `Key Aurora`. */
  readonly subject: string;
  /** The label of the button. Without a label, the button is an icon. */
  readonly label?: string | undefined;
  readonly kind?: "primary" | "quiet" | undefined;
}

export function Copy({ text, subject, label, kind }: CopyProps) {
  const isCopied = useSignal(false);
  useEffect(() => {
    if (!isCopied.value) return undefined;
    const timer = setTimeout(() => (isCopied.value = false), 1500);
    return () => clearTimeout(timer);
  }, [isCopied.value]);
  // An abbreviation stays in capitals: `Copy JSON of Partner`.
  const description = `Copy ${subject.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`;
  const buttonProps = {
    icon: isCopied.value ? ("check" as const) : ("copy" as const),
    onClick: async () => {
      isCopied.value = await copyText(text, subject);
    },
  };
  if (label === undefined) return <IconButton {...buttonProps} kind={kind ?? "quiet"} label={description} />;
  // The label of an icon button is its accessible name.
  return (
    <Button {...buttonProps} kind={kind} aria-label={label.startsWith("Copy") ? undefined : description}>
      {label}
    </Button>
  );
}

/** A value with its copy button at the end of the line. */
export function CopyableValue({ children, ...copy }: CopyProps & { readonly children: ComponentChildren }) {
  return (
    <span class="copied">
      {children}
      <Copy {...copy} />
    </span>
  );
}
