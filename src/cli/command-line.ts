import { parseArgs } from "node:util";
import { Mistake } from "../model/mistakes.ts";
import { didYouMean } from "../model/text.ts";
import { onOrOff } from "../settings/kinds.ts";
import { flagOf, type Setting, type Settings } from "../settings/settings.ts";
import type { Given } from "../settings/values.ts";

/** What stands behind a command's name. */
export interface CommandLine {
  readonly given: readonly Given[];
  /** What is not a flag. */
  readonly operands: readonly string[];
  /** What stands behind `--`. */
  readonly behindTerminator: readonly string[];
}

/** Splits the arguments at `--`. */
export function splitAtTerminator(args: readonly string[]): [before: readonly string[], behind: readonly string[]] {
  const at = args.indexOf("--");
  return at === -1 ? [args, []] : [args.slice(0, at), args.slice(at + 1)];
}

/**
 * Reads flags as a table declares them. Throws a Mistake that names everything that is wrong.
 *
 * Node's own parser, since importing yargs takes half the time that a start may take; yargs writes the help.
 */
export function readCommandLine(args: readonly string[], table: Settings): CommandLine {
  const names = new Map(Object.entries(table).map(([name, setting]) => [flagOf(name, setting), name]));
  const flags = Object.fromEntries(Object.entries(table).map(([name, setting]) => [flagOf(name, setting), setting]));
  const [before, behindTerminator] = splitAtTerminator(args);
  const given: Given[] = [];
  const operands: string[] = [];
  const mistakes: string[] = [];
  const { tokens } = parseArgs({
    args: [...before],
    options: Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, parserOption(flag)])),
    strict: false,
    allowNegative: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName } = token;
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    const negated = rawName === `--no-${name}`;
    if (!flag || (negated && !isNegatable(flag))) {
      mistakes.push(`There is no flag ${rawName}.${didYouMean(rawName, flagNames(flags))}`);
      continue;
    }
    if (flag.kind.shape === "one" && given.some(({ setting }) => setting === names.get(name))) {
      mistakes.push(`--${name} is given more than once, and takes one value.`);
      continue;
    }
    if (given.some(({ setting, place }) => setting === names.get(name) && place.startsWith("--no-") !== negated)) {
      mistakes.push(`--${name} and --no-${name} exclude each other.`);
      continue;
    }
    const text = token.value ?? (negated || flag.kind.placeholder === undefined ? String(!negated) : undefined);
    if (text === undefined || (token.inlineValue === false && /^-\D/.test(text))) {
      mistakes.push(`${rawName} needs a value: ${flag.kind.expected}.`);
      continue;
    }
    given.push({ setting: names.get(name) ?? name, text, place: rawName });
  }
  if (mistakes.length > 0) throw new Mistake(mistakes.join("\n"));
  return { given, operands, behindTerminator };
}

function parserOption({ kind, short }: Setting): { type: "string" | "boolean"; short?: string } {
  const type = kind.placeholder === undefined ? "boolean" : "string";
  return short === undefined ? { type } : { type, short };
}

/** As they are written: some have a second name that turns them off. */
function flagNames(flags: Settings): string[] {
  return Object.entries(flags).flatMap(([name, flag]) =>
    isNegatable(flag) ? [`--${name}`, `--no-${name}`] : [`--${name}`],
  );
}

function isNegatable({ kind, off }: Setting): boolean {
  return kind.placeholder === undefined || off !== undefined;
}

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

/** The flags of every command. */
export const commonFlags = {
  help: { kind: onOrOff, short: "h", words: "show this help" },
  version: { kind: onOrOff, short: "v", words: "show the version" },
} as const satisfies Settings;
