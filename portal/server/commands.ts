import { signal } from "@preact/signals";
import { type Problem, problemFrom } from "./api.ts";
import { pulse } from "./state.ts";

/** A short message at the edge of the page. */
interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
  /** A message takes the place of an earlier one on the same. */
  readonly topic: string;
  readonly action?: ToastAction | undefined;
}

/** A button of a message, which closes it. */
export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

type ToastOptions = Partial<Pick<Toast, "isError" | "topic" | "action">>;

export const toasts = signal<readonly Toast[]>([]);

let last = 0;

/** Says something for some seconds; an error until it is closed. */
export function say(text: string, { isError = false, topic = text, action }: ToastOptions = {}): void {
  const toast = { id: ++last, text, isError, topic, action };
  toasts.value = [...toasts.value.filter((other) => other.topic !== topic), toast].slice(-4);
  if (!isError) setTimeout(() => close(toast.id), action ? 20_000 : 6000);
}

export function close(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/**
 * Runs a command of the person in front: says its result, or its error, and asks for news at once. Returns undefined if it
 * failed.
 *
 *     await command(() => call("revokeKey", { id }), ({ label }) => `${label} is revoked.`);
 */
export async function command<Answer>(
  run: () => Promise<Answer>,
  success?: string | ((answer: Answer) => string),
  fail: (problem: Problem) => void = ({ message }) => say(message, { isError: true }),
): Promise<Answer | undefined> {
  try {
    const answer = await run();
    if (success !== undefined) say(typeof success === "string" ? success : success(answer));
    return answer;
  } catch (error) {
    fail(problemFrom(error));
    return undefined;
  } finally {
    pulse();
  }
}
