import { Impossible } from "../model/impossible.ts";
import { Mistake } from "../model/mistake.ts";
import { ControlError } from "./control-error.ts";

/** Does something for a command: what a person got wrong makes it invalid, what the state does not admit a conflict. */
export async function asControlError<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const code = error instanceof Impossible ? "conflict" : "invalid";
    if (error instanceof Mistake) throw new ControlError(code, error.message, { cause: error });
    throw error;
  }
}
