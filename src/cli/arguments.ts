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
 * flag. `--watch=off` becomes `--watch=false`: yargs reads every word but `true` as false. A flag without a value gets
 * its `bareText` as the value.
 */
export function rewriteForYargs(args: readonly string[], commands: readonly Command[], errors: string[]): string[] {
  const command = commandOf(args, commands);
  const flags = byFlag(command?.flags ?? {});
  const knownWords = new Set(["-h", "--help", "-v", "--version"]);
  const flagByWord = new Map<string, string>();
  const bareTextByFlag = new Map<string, string>();
  for (const [flag, { setting }] of flags) {
    const words = [`--${flag}`, ...(setting.short === undefined ? [] : [`-${setting.short}`])];
    for (const word of [...words, `--no-${flag}`]) knownWords.add(word);
    if (setting.kind !== onOrOff) for (const word of words) flagByWord.set(word, `--${flag}`);
    if (setting.bareText !== undefined) bareTextByFlag.set(`--${flag}`, setting.bareText);
  }
  const isKnown = (word: string): boolean => knownWords.has(word.replace(/=.*$/s, ""));
  const rewritten: string[] = [];
  const endIndex = args.includes("--") ? args.indexOf("--") : args.length;
  for (let index = 0; index < endIndex; index += 1) {
    const arg = args[index] ?? "";
    const next = index + 1 < endIndex ? args[index + 1] : undefined;
    const flag = flagByWord.get(arg);
    const bareText = bareTextByFlag.get(arg);
    if (bareText !== undefined && (next === undefined || next.startsWith("-"))) {
      rewritten.push(`${arg}=${bareText}`);
    } else if (flag !== undefined && next?.startsWith("-") && !isKnown(next)) {
      rewritten.push(`${flag}=${next}`);
      index += 1;
    } else {
      rewritten.push(rewriteSwitch(arg, command, errors));
    }
  }
  return [...rewritten, ...args.slice(endIndex)];
}

/** Rewrites the value of a switch for yargs: `--watch=off` as `--watch=false`. */
function rewriteSwitch(arg: string, command: Command | undefined, errors: string[]): string {
  const [, flag = "", text = ""] = /^--([a-z-]+)=(.*)$/s.exec(arg) ?? [];
  if (byFlag(command?.flags ?? {}).get(flag)?.setting.kind !== onOrOff) return arg;
  const isOn = onOrOff.read(text);
  if (isOn === undefined) errors.push(`--${flag}: expected ${onOrOff.expected}, not ${formatArgument(text, command)}.`);
  return `--${flag}=${isOn ?? true}`;
}

/** Returns the command that a line names; without a name, the first command. */
function commandOf([word, member]: readonly string[], commands: readonly Command[]): Command | undefined {
  const findCommand = (name: string): Command | undefined => commands.find((command) => command.name === name);
  return findCommand(`${word} ${member}`) ?? findCommand(`${word}`) ?? commands[0];
}

/** Reads the arguments that yargs has parsed. Throws one ValidationError for `errors` and all invalid arguments. */
export function readArguments(
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
  const flagValues = Object.entries(argv).flatMap(([flag, value]) =>
    ["_", "$0", "--"].includes(flag) ? [] : readFlag(flag, [value].flat(), command, commands, errors),
  );
  const [first] = operands;
  if (!isNamed && first !== undefined) errors.push(formatUnknownCommand(first, commands));
  if (errors.length === 0) errors.push(...findOperandErrors(command, { flagValues, operands, afterTerminator }));
  if (errors.length > 0) throw new ValidationError(errors.join("\n"));
  return { flagValues, operands, afterTerminator };
}

/** Returns the values of a flag as strings. The values of yargs are `true` for a switch, and `false` for `--no-…`. */
function readFlag(
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
    errors.push(formatUnknownFlag(flag.length === 1 ? `-${flag}` : place, flag, command, commands));
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

function formatUnknownFlag(spelling: string, flag: string, command: Command, commands: readonly Command[]): string {
  const removalNote = formerOptions[flag];
  if (removalNote !== undefined) return `--${flag} ${removalNote}`;
  const table = byFlag(command.flags);
  const commandsWithFlag = commands.filter(({ flags }) => byFlag(flags).has(flag));
  const suggestedCommand = commandsWithFlag.find(({ name }) => name.endsWith(" list")) ?? commandsWithFlag[0];
  if (command === commands[0] && suggestedCommand && !table.has(flag))
    return `${spelling} belongs after the command: ${programName} ${suggestedCommand.name} ${spelling} …`;
  const knownFlags = Array.from(table, ([knownFlag, { setting }]) =>
    spellings(knownFlag, setting).map((name) => `--${name}`),
  ).flat();
  // Names are compared without their dashes, because these would make any two names similar.
  const prefix = spelling.startsWith("--no-") ? "--no-" : "--";
  const names = [...knownFlags, "--help", "--version"].filter((name) => name.startsWith(prefix));
  const nameOf = (name: string): string => name.slice(prefix.length);
  const nearestName = nearest(nameOf(spelling), names.map(nameOf));
  // Only a word of letters about as long as the nearest flag is certainly a misspelled flag, and not a pasted key.
  const isMisspelled =
    /^--[a-z-]+$/.test(spelling) && nearestName !== undefined && nameOf(spelling).length <= nearestName.length + 1;
  const shownFlag =
    command.takesKeys && !isMisspelled ? `${spelling.startsWith("--") ? "--" : "-"}${hidden}` : spelling;
  return `There is no flag ${shownFlag}.${nearestName === undefined ? "" : ` Did you mean "${prefix}${nearestName}"?`}`;
}

/** Throws a ValidationError for an unknown command. Needed because yargs accepts any name with --help. */
export function checkName([word = "-", member = "-"]: readonly string[], commands: readonly Command[]): void {
  if (word.startsWith("-") || word === completionCommand) return;
  const members = commandGroups(commands).get(word);
  if (!members) throw new ValidationError(formatUnknownCommand(word, commands));
  if (members.length > 1 && !member.startsWith("-") && members.every(({ name }) => name !== `${word} ${member}`))
    refuseMember(word, members, member);
}

function formatUnknownCommand(word: string, commands: readonly Command[]): string {
  if (/\.json$/i.test(word)) return `There is no command ${quoted(word)}. To serve a fixture: --fixture ${word}`;
  if (word === "status")
    return 'There is no command "status". To list environments: environments list. To show the clock: clock show.';
  const words = [...commandGroups(commands).keys(), completionCommand, "--help", "--version"];
  return `There is no command ${quoted(word)}.${didYouMean(word, words)}`;
}

/** Throws a ValidationError for the name of a group without one of its subcommands. */
export function refuseMember(group: string, members: readonly Command[], member: string | number | undefined): never {
  if (member === undefined) {
    const words = alternatives(members.map(lastWord)).replaceAll('"', "");
    throw new ValidationError(`${group} needs a subcommand: ${words}.`);
  }
  const fullName = `${group} ${member}`;
  const names = members.map(({ name }) => name);
  throw new ValidationError(`There is no command ${quoted(fullName)}.${didYouMean(fullName, names)}`);
}

function findOperandErrors(command: Command, { flagValues, operands, afterTerminator: after }: CommandLine): string[] {
  const { name, operand, afterTerminator, flags } = command;
  if (afterTerminator !== undefined && (operands.length > 0 || after.length === 0)) {
    // In `exec --vary npm test`, the flag has taken `npm`. Ids of assumptions contain a dot, so they stay with the
    // flag.
    const takenValues = flagValues.filter(({ setting, text }) => {
      const { bareText = text } = flags[setting] ?? {};
      return text !== bareText && !text.includes(".");
    });
    const words = [
      name,
      ...takenValues.map(({ place }) => place),
      "--",
      ...takenValues.map(({ text }) => text),
      ...operands,
    ];
    const line = [...words, ...(takenValues.length + operands.length > 0 ? [] : ["npm test"])].join(" ");
    return [`${name} needs a ${afterTerminator} after --: ${programName} ${line}`];
  }
  const isNeeded = operand !== undefined && !operand.startsWith("[");
  if (isNeeded && operands.length === 0) return [`${name} needs a ${operand.replace("..", "")}.`];
  const maxOperands = operand === undefined ? 0 : /\.\.\]?$/.test(operand) ? Infinity : 1;
  const extraOperand = operands[maxOperands] ?? (afterTerminator === undefined ? after[0] : undefined);
  return extraOperand === undefined ? [] : [`${name} does not take ${formatArgument(extraOperand, command)}.`];
}

/** Groups commands by the first word of their names. */
export function commandGroups(commands: readonly Command[]): Map<string, Command[]> {
  const groups = new Map<string, Command[]>();
  for (const command of commands) {
    const [word = ""] = command.name.split(" ");
    groups.set(word, [...(groups.get(word) ?? []), command]);
  }
  return groups;
}

export function lastWord({ name }: Command): string {
  return name.split(" ").at(-1) ?? "";
}

/** Formats an invalid argument for a message. */
function formatArgument(text: string, command: Command | undefined): string {
  return command?.takesKeys ? `"${hidden}"` : quoted(text);
}

/** Returns true if the flag has an opposite, such as `--no-watch`. */
function isNegatable({ kind, off }: Setting): boolean {
  return kind === onOrOff || off !== undefined;
}

/** Returns a flag and its opposite. */
export function spellings(flag: string, setting: Setting): string[] {
  return isNegatable(setting) ? [flag, `no-${flag}`] : [flag];
}
