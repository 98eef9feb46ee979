import type { CommandLine } from "./command-line.ts";
import type { Settings } from "./settings/setting.ts";

/** A command of the command line: what it takes and what it does. */
export interface Command {
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What stands behind the name: `file`; in brackets where it may be left out: `[run]`. */
  readonly operand?: string;
  /** What stands behind `--`, all of it: `command`. */
  readonly behindTerminator?: string;
  readonly flags: Settings;
  /** Lines that work, each with what it does. */
  readonly examples: readonly (readonly [line: string, effect: string])[];
  /** Does it; answers the exit code. Throws a Mistake for what the person got wrong. */
  run(line: CommandLine): Promise<number>;
}
