import { effect, signal } from "@preact/signals";
import { currentPage, route } from "../base/routes.ts";
import { type Problem, problemFrom } from "./api.ts";
import { traffic } from "./resource.ts";
import { requestPulse } from "./state.ts";

/** The last result of a command, shown in a line of its own. */
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

let lastId = 0;

/** Shows a message for some seconds; an error, or a message with a button, until it is closed or replaced. */
export function showMessage(text: string, { isError = false, action, isTrue }: MessageOptions = {}): void {
  const id = ++lastId;
  message.value = { id, text, isError, page: currentPage(), action, isTrue };
  if (!isError && !action) setTimeout(() => closeMessage(id), 6000);
}

export function closeMessage(id: number): void {
  if (message.peek()?.id === id) message.value = null;
}

effect(() => {
  // Reads the route to subscribe to it.
  void route.value;
  const current = message.value;
  if (current && (current.page !== currentPage() || current.isTrue?.() === false)) closeMessage(current.id);
});

/**
 * Runs a command of the user: shows its result or error, and requests a pulse at once. Returns undefined if it failed.
 * `onDone` may open another page; the result is then shown there.
 *
 *     await command(() => call("revokeKey", { id }), ({ label }) => `${label} revoked.`);
 */
export async function command<Result>(
  run: () => Promise<Result>,
  success?: string | ((response: Result) => string),
  onError: (problem: Problem) => void = ({ message: text }) => showMessage(text, { isError: true }),
  onDone?: (response: Result) => void | Promise<void>,
): Promise<Result | undefined> {
  try {
    const response = await run();
    await onDone?.(response);
    if (success !== undefined) showMessage(typeof success === "string" ? success : success(response));
    return response;
  } catch (error) {
    onError(problemFrom(error));
    return undefined;
  } finally {
    traffic.commandCount++;
    requestPulse();
  }
}
