/**
 * `<Copy text={curl} subject="The call as curl" label="curl" />` copies a text without showing it, and reports "The
 * call as curl is copied."; `copyText(curl, "The call as curl")` does the same for a shortcut.
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
    // Safari allows it only in the task of the press, and so takes the promise of a text that is not there yet.
    if (typeof text === "string") await navigator.clipboard.writeText(text);
    else await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
    return true;
  } catch {
    return copyBySelection(await text);
  }
}

/** For an address such as http://192.168.0.2:4120, which is not a secure context and so has no clipboard API. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  const before = document.activeElement;
  area.value = text;
  area.className = "unseen";
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) focusOn(before);
  return isDone;
}

type Text = string | Promise<string>;

/** Copies a text, which may still be loading. Rejects if it cannot be loaded. */
export async function copyText(text: Text, subject: string, action?: MessageAction): Promise<boolean> {
  const isDone = await writeClipboard(text);
  if (isDone) showMessage(`${subject} is copied.`, { action });
  else showMessage("The browser does not let this page copy. Select the text and copy it yourself.", { isError: true });
  return isDone;
}

interface CopyProps {
  readonly text: string;
  /** The copied thing, capitalized: `The id`. */
  readonly subject: string;
  /** The label of the button; without one, the button is an icon. */
  readonly label?: string | undefined;
  readonly kind?: "primary" | "quiet" | undefined;
}

export function Copy({ text, subject, label, kind }: CopyProps) {
  const isDone = useSignal(false);
  useEffect(() => {
    if (!isDone.value) return undefined;
    const timer = setTimeout(() => (isDone.value = false), 1500);
    return () => clearTimeout(timer);
  }, [isDone.value]);
  const description = `Copy ${subject.replace(/^(?:The|A) /, (article) => article.toLowerCase())}`;
  const shared = {
    icon: isDone.value ? ("check" as const) : ("copy" as const),
    onClick: async () => {
      isDone.value = await copyText(text, subject);
    },
  };
  if (label === undefined) return <IconButton {...shared} kind={kind ?? "quiet"} label={description} />;
  // The label of an icon button is its accessible name.
  return (
    <Button {...shared} kind={kind} aria-label={label.startsWith("Copy") ? undefined : description}>
      {label}
    </Button>
  );
}

/** A text with its copy button at the end of the line. */
export function CopyableValue({ children, ...copy }: CopyProps & { readonly children: ComponentChildren }) {
  return (
    <span class="copied">
      {children}
      <Copy {...copy} />
    </span>
  );
}
