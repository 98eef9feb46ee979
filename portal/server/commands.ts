import { effect, signal } from "@preact/signals";
import { page, route } from "../routes.ts";
import { type Problem, problemFrom } from "./api.ts";
import { pulse } from "./state.ts";

/** The last result of a command, in words: it has its own line on screen. */
interface Message {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
  /** The page that it tells of: it ends where another is opened. */
  readonly page: string;
  readonly action: MessageAction | undefined;
  /** Whether it is true still; asked whenever a signal that it reads changes. */
  readonly isTrue: (() => boolean) | undefined;
}

/** A button of a message, which closes it. */
export interface MessageAction {
  readonly label: string;
  readonly run: () => void;
}

type MessageOptions = Partial<Pick<Message, "isError" | "action" | "isTrue">>;

export const message = signal<Message | null>(null);

let last = 0;

/** Says something for some seconds; an error, and a text with a button, until it is closed or something else is said. */
export function say(text: string, { isError = false, action, isTrue }: MessageOptions = {}): void {
  const id = ++last;
  message.value = { id, text, isError, page: page(), action, isTrue };
  if (!isError && !action) setTimeout(() => close(id), 6000);
}

export function close(id: number): void {
  if (message.peek()?.id === id) message.value = null;
}

effect(() => {
  // Subscribes: the address leads elsewhere.
  void route.value;
  const said = message.value;
  if (said && (said.page !== page() || said.isTrue?.() === false)) close(said.id);
});

/**
 * Runs a command of the person in front: says its result, or its error, and asks for news at once. Returns undefined if it
 * failed. With `done`, which may open another page, the result is said afterwards, and there.
 *
 *     await command(() => call("revokeKey", { id }), ({ label }) => `${label} is revoked.`);
 */
export async function command<Answer>(
  run: () => Promise<Answer>,
  success?: string | ((answer: Answer) => string),
  fail: (problem: Problem) => void = ({ message: text }) => say(text, { isError: true }),
  done?: (answer: Answer) => void | Promise<void>,
): Promise<Answer | undefined> {
  try {
    const answer = await run();
    await done?.(answer);
    if (success !== undefined) say(typeof success === "string" ? success : success(answer));
    return answer;
  } catch (error) {
    fail(problemFrom(error));
    return undefined;
  } finally {
    pulse();
  }
}
