import { ControlError } from "../errors/control-error.ts";
import { Mistake } from "../model/mistakes.ts";

/** Errors that say all there is to say: what the person or the machine got wrong, in words ready to print. */
const told = new Set(["UnreadableFile", "UnwritableFile", "UnusableDatabase", "CannotListen", "ControlError"]);

/** 2 for what the person got wrong, 1 for everything else. */
export function exitCodeOf(error: unknown): 1 | 2 {
  const isMistake = error instanceof Mistake || (error instanceof ControlError && error.code === "invalid");
  return isMistake ? 2 : 1;
}

/** An error as it is printed: in words when it is foreseen, and only a fault of ours with its stack. */
export function explain(error: unknown): string {
  if (error instanceof Mistake) return error.message;
  if (error instanceof Error && told.has(error.name)) return error.message;
  if (error instanceof Error && error.name === "CannotConnect")
    return `${error.message} Start one: npx offering-sandbox`;
  const stack = error instanceof Error ? error.stack : String(error);
  return `offering-sandbox failed, and that is a fault of its own:\n${stack}`;
}
