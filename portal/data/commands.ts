import { effect, signal } from "@preact/signals";
import { currentPage, route } from "../base/routes.ts";
import { type Problem, problemFrom } from "./api.ts";
import { traffic } from "./resource.ts";
import { requestPulse } from "./state.ts";

/** The last result of a command, shown in its own line. */
interface Message {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
  /** The page of the message: it disappears when another page opens. */
  readonly page: string;
  readonly action: MessageAction | undefined;
  /** Whether the message is still true; called again when a signal that it reads changes. */
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

/** Shows a message for some seconds; an error, or a message with a button, until it is closed or replaced. */
export function showMessage(text: string, { isError = false, action, isTrue }: MessageOptions = {}): void {
  const id = ++last;
  message.value = { id, text, isError, page: currentPage(), action, isTrue };
  if (!isError && !action) setTimeout(() => closeMessage(id), 6000);
}

export function closeMessage(id: number): void {
  if (message.peek()?.id === id) message.value = null;
}

effect(() => {
  // Reads the route to subscribe to it.
  void route.value;
  const said = message.value;
  if (said && (said.page !== currentPage() || said.isTrue?.() === false)) closeMessage(said.id);
});

/**
 * Runs a command of the user: shows its result or error, and requests news at once. Returns undefined if it failed.
 * `done` may open another page; the result is then shown there.
 *
 *     await command(() => call("revokeKey", { id }), ({ label }) => `${label} is revoked.`);
 */
export async function command<Result>(
  run: () => Promise<Result>,
  success?: string | ((response: Result) => string),
  fail: (problem: Problem) => void = ({ message: text }) => showMessage(text, { isError: true }),
  done?: (response: Result) => void | Promise<void>,
): Promise<Result | undefined> {
  try {
    const response = await run();
    await done?.(response);
    if (success !== undefined) showMessage(typeof success === "string" ? success : success(response));
    return response;
  } catch (error) {
    fail(problemFrom(error));
    return undefined;
  } finally {
    traffic.commandCount++;
    requestPulse();
  }
}
