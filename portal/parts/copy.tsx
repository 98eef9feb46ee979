/**
 * `<Copy text={curl} words="Copy as curl" />`: copies without showing. `copyText(text, what)` does the same for a shortcut;
 * both say "Copied".
 */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { say } from "../commands.ts";
import { Button, IconButton } from "./button.tsx";

/** Returns false where the browser does not allow it. */
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return byHand(text);
  }
}

/** For an address such as http://192.168.0.2:4120, which is no secure context and has no clipboard of its own. */
function byHand(text: string): boolean {
  const area = document.createElement("textarea");
  const before = document.activeElement;
  area.value = text;
  area.className = "unseen";
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return isDone;
}

export async function copyText(text: string, what = "Copied."): Promise<boolean> {
  const isDone = await toClipboard(text);
  if (isDone) say(what);
  else say("The browser does not let this page copy. Select the text and copy it yourself.", true);
  return isDone;
}

interface CopyProps {
  readonly text: string;
  /** On the button; without them it has an icon alone. */
  readonly words?: string | undefined;
  /** What is copied, for screen readers: `Copy the id`. */
  readonly label?: string | undefined;
  readonly said?: string | undefined;
  readonly kind?: "primary" | "quiet" | undefined;
}

export function Copy({ text, words, label, said, kind }: CopyProps) {
  const isDone = useSignal(false);
  useEffect(() => {
    if (!isDone.value) return undefined;
    const timer = setTimeout(() => (isDone.value = false), 1500);
    return () => clearTimeout(timer);
  }, [isDone.value]);
  const shared = {
    icon: isDone.value ? ("check" as const) : ("copy" as const),
    onClick: async () => {
      isDone.value = await copyText(text, said);
    },
  };
  if (words === undefined) return <IconButton {...shared} kind={kind ?? "quiet"} label={label ?? "Copy"} />;
  return (
    <Button {...shared} kind={kind} aria-label={label}>
      {words}
    </Button>
  );
}
