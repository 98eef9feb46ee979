import { Refusal, Unreachable } from "../service/refusal.ts";
import { html, type Markup } from "./html.ts";

export interface Problem {
  readonly title: string;
  readonly advice: string;
  /** The remedy: another key, or another try. */
  readonly remedy?: "connect" | "retry";
}

const problems: Readonly<Record<number, Problem>> = {
  401: {
    title: "The key is not accepted",
    advice: "It is mistyped, or it has been revoked. Enter another one.",
    remedy: "connect",
  },
  403: {
    title: "The key is for another offering",
    advice: "A key opens one offering only. Enter a key of this offering, or the key's own offering.",
    remedy: "connect",
  },
  404: {
    title: "There is no such investment",
    advice: "It does not exist, or it belongs to another offering.",
  },
  429: {
    title: "The service is still busy",
    advice: "The key's requests for this minute are used up, again and again. Perhaps another client uses it too.",
    remedy: "retry",
  },
};

const unreachable: Problem = {
  title: "The service cannot be reached",
  advice: "Check the base address and the network, then try again.",
  remedy: "retry",
};

const failed: Problem = {
  title: "This page has made an error",
  advice: "What it was is in the browser's console.",
  remedy: "retry",
};

export function problemOf(error: unknown): Problem {
  if (error instanceof Unreachable) return unreachable;
  if (!(error instanceof Refusal)) return failed;
  const fallback: Problem = {
    title: `The service returned ${error.status}`,
    advice: "Try again later.",
    remedy: "retry",
  };
  return problems[error.status] ?? fallback;
}

const remedies = {
  connect: html`<button data-do="connect">Change connection</button>`,
  retry: html`<button data-do="retry">Try again</button>`,
};

/** Shown in place of a view that failed. */
export function problemView({ advice, remedy }: Problem): Markup {
  return html`<p>${advice}</p>
    ${remedy && remedies[remedy]}`;
}
