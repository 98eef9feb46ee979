import { Mistake } from "../model/mistake.ts";

/** Errors that say all there is to say: what the person or the machine got wrong, in words ready to print. */
const told = new Set(["UnreadableFile", "UnwritableFile", "CannotListen"]);

/** 2 for what the person got wrong, 1 for everything else. */
export function exitCodeOf(error: unknown): 1 | 2 {
  return error instanceof Mistake ? 2 : 1;
}

/** An error as it is printed: in words when it is foreseen, and only a fault of ours with its stack. */
export function explain(error: unknown): string {
  if (error instanceof Mistake) return error.message;
  if (error instanceof Error && told.has(error.name)) return error.message;
  const stack = error instanceof Error ? error.stack : String(error);
  return `offering-sandbox failed, and that is a fault of its own:\n${stack}`;
}
