/**
 * `<Copy text={curl} what="The call as curl" words="curl" />`: copies without showing, and says "The call as curl is copied.";
 * `copyText(curl, "The call as curl")` does the same for a shortcut.
 */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { say } from "../server/commands.ts";
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

export async function copyText(text: string, what: string): Promise<boolean> {
  const isDone = await toClipboard(text);
  if (isDone) say(`${what} is copied.`);
  else say("The browser does not let this page copy. Select the text and copy it yourself.", true);
  return isDone;
}

interface CopyProps {
  readonly text: string;
  /** The thing in words, the first of them capitalized: `The id`. */
  readonly what: string;
  /** On the button; without them it has an icon alone. */
  readonly words?: string | undefined;
  readonly kind?: "primary" | "quiet" | undefined;
}

export function Copy({ text, what, words, kind }: CopyProps) {
  const isDone = useSignal(false);
  useEffect(() => {
    if (!isDone.value) return undefined;
    const timer = setTimeout(() => (isDone.value = false), 1500);
    return () => clearTimeout(timer);
  }, [isDone.value]);
  const label = `Copy ${what.replace(/^(?:The|A) /, (article) => article.toLowerCase())}`;
  const shared = {
    icon: isDone.value ? ("check" as const) : ("copy" as const),
    onClick: async () => {
      isDone.value = await copyText(text, what);
    },
  };
  if (words === undefined) return <IconButton {...shared} kind={kind ?? "quiet"} label={label} />;
  // Words that say as much are the button's name.
  return (
    <Button {...shared} kind={kind} aria-label={words.startsWith("Copy") ? undefined : label}>
      {words}
    </Button>
  );
}
