import type { Settings } from "../settings/settings.ts";
import type { TextValue } from "../settings/values.ts";

export const programName = "offering-sandbox";

/** The arguments of a command. */
export interface CommandLine {
  /** The values of the flags, as strings. */
  readonly flagValues: readonly TextValue[];
  /** Arguments without flags. */
  readonly operands: readonly string[];
  /** Arguments after `--`. */
  readonly afterTerminator: readonly string[];
}

/** A command of the command line. */
export interface Command {
  /** `start`, or with its group: `keys issue`. */
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** The argument after the name: `file`; `[run]` if it is optional; `file..` if there may be several. */
  readonly operand?: string;
  /** The arguments after `--`, together: `command`. */
  readonly afterTerminator?: string;
  readonly flags: Settings;
  /** Whether messages conceal invalid arguments, which may contain a key of a real service. */
  readonly takesKeys?: true;
  /** The text below the flags in the help. */
  readonly epilogue?: string;
  /** Working command lines, each with its effect. */
  readonly examples: readonly (readonly [line: string, effect: string])[];
  /** Returns the exit code, by default 0. Throws a ValidationError for wrong usage. */
  run(line: CommandLine): Promise<number | void>;
}
