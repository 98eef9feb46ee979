import type { Arguments } from "yargs";
import { ValidationError } from "../validation/errors.ts";
import { formerOptions } from "../validation/members.ts";
import { hidden } from "../secrets/secrets.ts";
import { didYouMean, nearest, quoted } from "../text/text.ts";
import { alternatives, onOrOff } from "../settings/kinds.ts";
import { byFlag, type Setting } from "../settings/settings.ts";
import type { TextValue } from "../settings/values.ts";
import { type Command, type CommandLine, programName } from "./command.ts";

export const completionCommand = "completion";

/**
 * Rewrites what yargs would misread. `--order -amount` becomes `--order=-amount`: yargs takes a word with a dash for a
 * flag. `--watch=off` becomes `--watch=false`: yargs reads every word but `true` as false. A flag whose value was left
 * out gets its `bareText` as the value.
 */
export function lineForYargs(args: readonly string[], commands: readonly Command[], errors: string[]): string[] {
  const command = commandOf(args, commands);
  const flags = byFlag(command?.flags ?? {});
  const known = new Set(["-h", "--help", "-v", "--version"]);
  const valued = new Map<string, string>();
  const bareTexts = new Map<string, string>();
  for (const [flag, { setting }] of flags) {
    const words = [`--${flag}`, ...(setting.short === undefined ? [] : [`-${setting.short}`])];
    for (const word of [...words, `--no-${flag}`]) known.add(word);
    if (setting.kind !== onOrOff) for (const word of words) valued.set(word, `--${flag}`);
    if (setting.bareText !== undefined) bareTexts.set(`--${flag}`, setting.bareText);
  }
  const isKnown = (word: string): boolean => known.has(word.replace(/=.*$/s, ""));
  const written: string[] = [];
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  for (let at = 0; at < end; at += 1) {
    const arg = args[at] ?? "";
    const next = at + 1 < end ? args[at + 1] : undefined;
    const flag = valued.get(arg);
    const bareText = bareTexts.get(arg);
    if (bareText !== undefined && (next === undefined || next.startsWith("-"))) {
      written.push(`${arg}=${bareText}`);
    } else if (flag !== undefined && next?.startsWith("-") && !isKnown(next)) {
      written.push(`${flag}=${next}`);
      at += 1;
    } else {
      written.push(plainSwitch(arg, command, errors));
    }
  }
  return [...written, ...args.slice(end)];
}

/** Rewrites the value of a switch for yargs: `--watch=off` as `--watch=false`. */
function plainSwitch(arg: string, command: Command | undefined, errors: string[]): string {
  const [, flag = "", text = ""] = /^--([a-z-]+)=(.*)$/s.exec(arg) ?? [];
  if (byFlag(command?.flags ?? {}).get(flag)?.setting.kind !== onOrOff) return arg;
  const on = onOrOff.read(text);
  if (on === undefined) errors.push(`--${flag}: expected ${onOrOff.expected}, not ${shownArgument(text, command)}.`);
  return `--${flag}=${on ?? true}`;
}

/** Returns the command that a line names; the first command if it names none. */
function commandOf([word, member]: readonly string[], commands: readonly Command[]): Command | undefined {
  const named = (name: string): Command | undefined => commands.find((command) => command.name === name);
  return named(`${word} ${member}`) ?? named(`${word}`) ?? commands[0];
}

/** Reads the arguments that yargs has parsed. Throws one ValidationError for `errors` and all wrong arguments. */
export function readLine(
  argv: Arguments,
  command: Command,
  commands: readonly Command[],
  errors: string[],
): CommandLine {
  const words = command.name.split(" ");
  const positionals = argv._.map(String);
  const isNamed = words.every((word, index) => positionals[index] === word);
  const operands = isNamed ? positionals.slice(words.length) : positionals;
  const afterTerminator = ((argv["--"] ?? []) as unknown[]).map(String);
  const given = Object.entries(argv).flatMap(([flag, value]) =>
    ["_", "$0", "--"].includes(flag) ? [] : givenBy(flag, [value].flat(), command, commands, errors),
  );
  const [first] = operands;
  if (!isNamed && first !== undefined) errors.push(unknownCommand(first, commands));
  if (errors.length === 0) errors.push(...wrongOperands(command, { given, operands, afterTerminator }));
  if (errors.length > 0) throw new ValidationError(errors.join("\n"));
  return { given, operands, afterTerminator };
}

/** Returns the texts given to a flag. The values of yargs are `true` for a switch, and `false` for `--no-…`. */
function givenBy(
  flag: string,
  values: readonly unknown[],
  command: Command,
  commands: readonly Command[],
  errors: string[],
): TextValue[] {
  const isOff = values.includes(false);
  const { name, setting } = byFlag(command.flags).get(flag) ?? {};
  const place = `--${isOff ? "no-" : ""}${flag}`;
  if (name === undefined || !setting || (isOff && !isNegatable(setting))) {
    errors.push(unknownFlag(flag.length === 1 ? `-${flag}` : place, flag, command, commands));
  } else if (values.length > 1 && setting.kind.shape !== "list" && setting.kind.shape !== "map") {
    errors.push(`--${flag} is given more than once, and takes one value.`);
  } else if (values.length > 1 && isOff) {
    errors.push(`--${flag} and --no-${flag} exclude each other.`);
  } else if (values.includes("")) {
    errors.push(`--${flag} needs a value: ${setting.kind.expected}.`);
  } else {
    return values.map((value) => ({ setting: name, text: String(value), place }));
  }
  return [];
}

function unknownFlag(written: string, flag: string, command: Command, commands: readonly Command[]): string {
  const former = formerOptions[flag];
  if (former !== undefined) return `--${flag} ${former}`;
  const table = byFlag(command.flags);
  const having = commands.filter(({ flags }) => byFlag(flags).has(flag));
  const other = having.find(({ name }) => name.endsWith(" list")) ?? having[0];
  if (command === commands[0] && other && !table.has(flag))
    return `${written} belongs after the command: ${programName} ${other.name} ${written} …`;
  const known = Array.from(table, ([one, { setting }]) =>
    spellings(one, setting).map((spelling) => `--${spelling}`),
  ).flat();
  // Names are compared without their dashes, which would make any two names similar.
  const prefix = written.startsWith("--no-") ? "--no-" : "--";
  const names = [...known, "--help", "--version"].filter((name) => name.startsWith(prefix));
  const rest = (name: string): string => name.slice(prefix.length);
  const near = nearest(rest(written), names.map(rest));
  // Only a word of letters that is hardly longer than the nearest flag is surely misspelled, and not a pasted key.
  const isMisspelled = /^--[a-z-]+$/.test(written) && near !== undefined && rest(written).length <= near.length + 1;
  const shown = command.takesKeys && !isMisspelled ? `${written.startsWith("--") ? "--" : "-"}${hidden}` : written;
  return `There is no flag ${shown}.${near === undefined ? "" : ` Did you mean "${prefix}${near}"?`}`;
}

/** Throws a ValidationError for an unknown command. With --help, yargs would accept any name. */
export function checkName([word = "-", member = "-"]: readonly string[], commands: readonly Command[]): void {
  if (word.startsWith("-") || word === completionCommand) return;
  const members = commandGroups(commands).get(word);
  if (!members) throw new ValidationError(unknownCommand(word, commands));
  if (members.length > 1 && !member.startsWith("-") && members.every(({ name }) => name !== `${word} ${member}`))
    refuseMember(word, members, member);
}

function unknownCommand(word: string, commands: readonly Command[]): string {
  if (/\.json$/i.test(word)) return `There is no command ${quoted(word)}. To serve a fixture: --fixture ${word}`;
  if (word === "status") return 'There is no command "status". What runs: environments list; its clock: clock show.';
  const words = [...commandGroups(commands).keys(), completionCommand, "--help", "--version"];
  return `There is no command ${quoted(word)}.${didYouMean(word, words)}`;
}

/** Throws a ValidationError for the name of a group that no subcommand of it follows. */
export function refuseMember(group: string, members: readonly Command[], member: string | number | undefined): never {
  if (member === undefined) {
    const words = alternatives(members.map(lastWord)).replaceAll('"', "");
    throw new ValidationError(`${group} needs a subcommand: ${words}.`);
  }
  const both = `${group} ${member}`;
  const names = members.map(({ name }) => name);
  throw new ValidationError(`There is no command ${quoted(both)}.${didYouMean(both, names)}`);
}

function wrongOperands(command: Command, { given, operands, afterTerminator: after }: CommandLine): string[] {
  const { name, operand, afterTerminator, flags } = command;
  if (afterTerminator !== undefined && (operands.length > 0 || after.length === 0)) {
    // In `exec --vary npm test`, the flag has taken `npm`. Ids of assumptions have a dot, so they stay with the flag.
    const taken = given.filter(({ setting, text }) => {
      const { bareText = text } = flags[setting] ?? {};
      return text !== bareText && !text.includes(".");
    });
    const words = [name, ...taken.map(({ place }) => place), "--", ...taken.map(({ text }) => text), ...operands];
    const line = [...words, ...(taken.length + operands.length > 0 ? [] : ["npm test"])].join(" ");
    return [`${name} needs a ${afterTerminator} after --: ${programName} ${line}`];
  }
  const isNeeded = operand !== undefined && !operand.startsWith("[");
  if (isNeeded && operands.length === 0) return [`${name} needs a ${operand.replace("..", "")}.`];
  const maxOperands = operand === undefined ? 0 : /\.\.\]?$/.test(operand) ? Infinity : 1;
  const extra = operands[maxOperands] ?? (afterTerminator === undefined ? after[0] : undefined);
  return extra === undefined ? [] : [`${name} does not take ${shownArgument(extra, command)}.`];
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
function shownArgument(text: string, command: Command | undefined): string {
  return command?.takesKeys ? `"${hidden}"` : quoted(text);
}

/** True if the flag has an opposite: `--no-watch`. */
function isNegatable({ kind, off }: Setting): boolean {
  return kind === onOrOff || off !== undefined;
}

/** A flag and its opposite. */
export function spellings(flag: string, setting: Setting): string[] {
  return isNegatable(setting) ? [flag, `no-${flag}`] : [flag];
}
