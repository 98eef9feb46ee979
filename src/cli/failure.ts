import { ControlError } from "../errors/control-error.ts";
import { Mistake, UnreadableFile } from "../mistakes/mistakes.ts";

/** Names of errors whose message can be printed as it is. */
const foreseen = new Set(["UnreadableFile", "UnwritableFile", "UnusableDatabase", "CannotListen", "ControlError"]);

/** 2 for invalid input, a file that cannot be read included; 1 for every other error. */
export function exitCodeOf(error: unknown): 1 | 2 {
  const isInput = error instanceof Mistake || error instanceof UnreadableFile;
  const isMistake = isInput || (error instanceof ControlError && error.code === "invalid");
  return isMistake ? 2 : 1;
}

/** The text of an error for people; only an unforeseen error includes its stack. */
export function explain(error: unknown): string {
  if (error instanceof Mistake) return error.message;
  if (error instanceof Error && foreseen.has(error.name)) return error.message;
  if (error instanceof Error && error.name === "CannotConnect")
    return `${error.message} Start one: npx offering-sandbox`;
  const stack = error instanceof Error ? error.stack : String(error);
  return `offering-sandbox failed because of a bug in it:\n${stack}`;
}
