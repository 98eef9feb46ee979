import { hidden } from "../secrets/secrets.ts";
import { quoted } from "../text/text.ts";
import { onOrOff } from "../settings/kinds.ts";
import type { Setting, Settings } from "../settings/settings.ts";
import type { TextValue } from "../settings/values.ts";

export const programName = "offering-sandbox";
export const completionCommand = "completion";

/** The arguments of a command. */
export interface CommandLine {
  readonly given: readonly TextValue[];
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
  /** Messages hide wrong arguments: a key of a real service may be among them. */
  readonly takesKeys?: true;
  /** The end of its help. */
  readonly epilogue?: string;
  /** Working command lines, each with its effect. */
  readonly examples: readonly (readonly [line: string, effect: string])[];
  /** Returns the exit code, by default 0. Throws a Mistake for wrong usage. */
  run(line: CommandLine): Promise<number | void>;
}

/** Commands by the first word of their names. */
export function commandGroups(commands: readonly Command[]): Map<string, Command[]> {
  const found = new Map<string, Command[]>();
  for (const command of commands) {
    const [word = ""] = command.name.split(" ");
    found.set(word, [...(found.get(word) ?? []), command]);
  }
  return found;
}

export function lastWord({ name }: Command): string {
  return name.split(" ").at(-1) ?? "";
}

/** A wrong argument in a message. */
export function shownArgument(text: string, command: Command | undefined): string {
  return command?.takesKeys ? `"${hidden}"` : quoted(text);
}

/** True if the flag has an opposite: `--no-watch`. */
export function isNegatable({ kind, off }: Setting): boolean {
  return kind === onOrOff || off !== undefined;
}

/** A flag and its opposite. */
export function spellings(flag: string, setting: Setting): string[] {
  return isNegatable(setting) ? [flag, `no-${flag}`] : [flag];
}
