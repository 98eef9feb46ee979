import type { Environment } from "../environment/environment.ts";
import { asControlError } from "../errors/control-error.ts";

/** Carries out a command: its result is handed out when what it changed is kept. */
export type Perform = <T>(command: () => T | Promise<T>) => Promise<T>;

/** How the server around an environment keeps it. */
export interface Keeping {
  /** Notes that the environment is used. Throws ControlError when it was dropped. */
  readonly present: () => void;
  /** Resolves when what a command changed is kept; at once where nothing is. */
  readonly commit: () => Promise<void>;
}

/** Carries out commands on an environment, which has caught up with its clock before each. Rejects with ControlError. */
export function performer(environment: Environment, { present, commit }: Keeping): Perform {
  return (command) =>
    asControlError(async () => {
      present();
      await environment.preparation();
      environment.read();
      const result = await command();
      await commit();
      return result;
    });
}
