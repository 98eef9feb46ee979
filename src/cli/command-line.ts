import yargs, { type Argv, type Arguments, type Options } from "yargs";
import { Mistake } from "../model/mistakes.ts";
import { didYouMean } from "../model/text.ts";
import { version } from "../package.ts";
import { alternatives, onOrOff } from "../settings/kinds.ts";
import { byFlag, type Setting, type Settings } from "../settings/settings.ts";
import type { Given } from "../settings/values.ts";

const programName = "offering-sandbox";
const completion = "completion";

/** The arguments of a command. */
interface CommandLine {
  readonly given: readonly Given[];
  /** Arguments that are not flags. */
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
  /** The argument after the name: `file`; in brackets if it may be left out: `[run]`. */
  readonly operand?: string;
  /** The arguments after `--`, together: `command`. */
  readonly afterTerminator?: string;
  readonly flags: Settings;
  /** The end of its help. */
  readonly epilogue?: string;
  /** Lines that work, each with its effect. */
  readonly examples: readonly (readonly [line: string, effect: string])[];
  /** Returns the exit code, by default 0. Throws a Mistake for wrong usage. */
  run(line: CommandLine): Promise<number | void>;
}

/** Why flags are declared: help shows their values, `--port <number>`; completion and parsing need their bare names. */
type Purpose = "parsing" | "help" | "completion";

/**
 * Reads a command line with yargs and returns the run of its command, the first if it names none. Prints help, the version or
 * completions where those are asked for, and returns undefined. Throws a Mistake that names everything that is wrong.
 */
export function readCommandLine(
  args: readonly string[],
  commands: readonly Command[],
): (() => ReturnType<Command["run"]>) | undefined {
  const isCompletion = args.includes("--get-yargs-completions");
  const mistakes: string[] = [];
  let run: (() => ReturnType<Command["run"]>) | undefined;

  const declare = (page: Argv, { flags }: Command, isHelp?: boolean): Argv =>
    declareFlags(page, flags, isCompletion ? "completion" : isHelp ? "help" : "parsing");
  const choose = (argv: Arguments, command: Command): void => {
    const line = readLine(argv, command, commands, mistakes);
    run = () => command.run(line);
  };
  /** Adds a command to the list in help, and then in its place the command that yargs runs: it knows no operands. */
  const add = (parent: Argv, name: string, command: Command): Argv => {
    const build = (page: Argv, isHelp?: boolean): Argv => declare(describe(page, command), command, isHelp);
    const listed = parent.command(withOperand(name, command), command.summary);
    return listed.command(name, false, build, (argv) => choose(argv, command));
  };

  const cli = program(plainSwitches(args, commands, mistakes));
  for (const [word, members] of groups(commands)) {
    if (members.length === 1) {
      for (const command of members) add(cli, word, command);
      continue;
    }
    for (const command of members) cli.command(withOperand(command.name, command), command.summary);
    const build = (page: Argv): Argv => {
      for (const command of members) add(page, lastWord(command), command);
      return page.usage(`${programName} ${word} <command>`).example(members.flatMap(examplesOf));
    };
    cli.command(word, false, build, ({ _: [, member] }) => refuseMember(word, members, member));
  }
  const [first] = commands;
  if (first) {
    describe(cli, first, `[${first.name}]`).command(
      "$0",
      false,
      (page: Argv, isHelp?: boolean): Argv => declare(page, first, isHelp),
      (argv) => {
        // The script itself comes from yargs, when the default command is done.
        if (argv._[0] !== completion) choose(argv, first);
      },
    );
    if (isCompletion) declare(cli, first);
  }
  cli
    .completion(completion, "Print a script for your shell that completes commands and flags.", completeOnce)
    .parseSync();
  return run;
}

function program(args: readonly string[]): Argv {
  return yargs(args)
    .scriptName(programName)
    .locale("en")
    .updateStrings({ "Options:": "Flags:" })
    .exitProcess(false)
    .showHelpOnFail(false)
    .fail((message: string, error: unknown) => {
      throw error instanceof Error ? error : new Mistake(message);
    })
    .parserConfiguration({
      "camel-case-expansion": false,
      "dot-notation": false,
      "greedy-arrays": false,
      "parse-numbers": false,
      "parse-positional-numbers": false,
      "populate--": true,
      "strip-aliased": true,
    })
    .wrap(Math.min(process.stdout.columns ?? 100, 110))
    .help("help", "show this help")
    .alias("help", "h")
    .version("version", "show the version", version)
    .alias("version", "v");
}

/** The completions of yargs, without those of a group's second and third command. */
function completeOnce(
  _current: string,
  _argv: unknown,
  complete: (done: (error: Error | null, found: string[] | undefined) => void) => void,
  done: (found: string[]) => void,
): void {
  complete((_error, found = []) => done([...new Set(found)]));
}

/** Commands by the first word of their names. */
function groups(commands: readonly Command[]): Map<string, Command[]> {
  const found = new Map<string, Command[]>();
  for (const command of commands) {
    const [word = ""] = command.name.split(" ");
    found.set(word, [...(found.get(word) ?? []), command]);
  }
  return found;
}

function lastWord({ name }: Command): string {
  return name.split(" ").at(-1) ?? "";
}

function withOperand(name: string, { operand }: Command): string {
  if (operand === undefined) return name;
  return operand.startsWith("[") ? `${name} ${operand}` : `${name} <${operand}>`;
}

function examplesOf({ examples }: Command): [string, string][] {
  return examples.map(([line, effect]) => [`$0 ${line}`.trim(), effect]);
}

function describe(page: Argv, command: Command, shown = withOperand(command.name, command)): Argv {
  const { summary, afterTerminator, epilogue } = command;
  const after = afterTerminator === undefined ? "" : ` -- <${afterTerminator}>`;
  page.usage(`${programName} ${shown} [flags]${after}\n\n${summary}`).example(examplesOf(command));
  return epilogue === undefined ? page : page.epilogue(epilogue);
}

function declareFlags(page: Argv, flags: Settings, purpose: Purpose): Argv {
  for (const [flag, { setting }] of byFlag(flags)) {
    if (purpose === "parsing") page.option(flag, parserOption(setting));
    else if (purpose === "help") describeFlag(page, flag, setting);
    else for (const one of spellings(flag, setting)) page.option(one, { global: false });
  }
  return page;
}

/** Every switch is an array, so that one given twice is noticed. */
function parserOption({ kind, short }: Setting): Options {
  const type: Options = kind === onOrOff ? { type: "boolean", array: true } : { type: "string" };
  return short === undefined ? type : { ...type, alias: short };
}

function describeFlag(page: Argv, flag: string, setting: Setting): void {
  const { kind, words, off, defaultInWords, short, group } = setting;
  const place = group === undefined ? {} : { group };
  const isSwitch = kind === onOrOff;
  if (!isSwitch || off === undefined) {
    page.option(isSwitch ? flag : `${flag} <${kind.placeholder}>`, {
      ...place,
      describe: words,
      ...(defaultInWords !== undefined && { defaultDescription: defaultInWords }),
      ...(short !== undefined && { alias: short }),
      ...(!isSwitch && setting.default !== undefined && { default: setting.default }),
    });
  }
  if (off !== undefined) page.option(`no-${flag}`, { ...place, describe: off });
}

function isNegatable({ kind, off }: Setting): boolean {
  return kind === onOrOff || off !== undefined;
}

function spellings(flag: string, setting: Setting): string[] {
  return isNegatable(setting) ? [flag, `no-${flag}`] : [flag];
}

/** Writes `--watch=off` as `--watch=false`: yargs takes every word but `true` for false. */
function plainSwitches(args: readonly string[], commands: readonly Command[], mistakes: string[]): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const isSwitch = (flag: string): boolean =>
    commands.some(({ flags }) => byFlag(flags).get(flag)?.setting.kind === onOrOff);
  return args.map((arg, index) => {
    const [, flag = "", text = ""] = /^--([a-z-]+)=(.*)$/s.exec(arg) ?? [];
    if (index > end || !isSwitch(flag)) return arg;
    const on = onOrOff.read(text);
    if (on === undefined) mistakes.push(`--${flag}: expected ${onOrOff.expected}, not "${text}".`);
    return `--${flag}=${on ?? true}`;
  });
}

function readLine(argv: Arguments, command: Command, commands: readonly Command[], mistakes: string[]): CommandLine {
  const words = command.name.split(" ");
  const positionals = argv._.map(String);
  const isNamed = words.every((word, index) => positionals[index] === word);
  const operands = isNamed ? positionals.slice(words.length) : positionals;
  const afterTerminator = ((argv["--"] ?? []) as unknown[]).map(String);
  const given = Object.entries(argv).flatMap(([flag, value]) =>
    ["_", "$0", "--"].includes(flag) ? [] : givenBy(flag, [value].flat(), command, commands, mistakes),
  );
  const [first] = operands;
  if (!isNamed && first !== undefined) mistakes.push(unknownCommand(first, commands));
  if (mistakes.length === 0) mistakes.push(...wrongOperands(command, operands, afterTerminator));
  if (mistakes.length > 0) throw new Mistake(mistakes.join("\n"));
  return { given, operands, afterTerminator };
}

/** The texts given to a flag: those of yargs, of which `true` and `false` are of a switch or of `--no-…`. */
function givenBy(
  flag: string,
  values: readonly unknown[],
  command: Command,
  commands: readonly Command[],
  mistakes: string[],
): Given[] {
  const isOff = values.includes(false);
  const { name, setting } = byFlag(command.flags).get(flag) ?? {};
  const place = `--${isOff ? "no-" : ""}${flag}`;
  if (name === undefined || !setting || (isOff && !isNegatable(setting))) {
    mistakes.push(unknownFlag(flag.length === 1 ? `-${flag}` : place, flag, command, commands));
  } else if (values.length > 1 && setting.kind.shape !== "list" && setting.kind.shape !== "map") {
    mistakes.push(`--${flag} is given more than once, and takes one value.`);
  } else if (values.length > 1 && isOff) {
    mistakes.push(`--${flag} and --no-${flag} exclude each other.`);
  } else if (values.includes("")) {
    mistakes.push(`--${flag} needs a value: ${setting.kind.expected}.`);
  } else {
    return values.map((value) => ({ setting: name, text: String(value), place }));
  }
  return [];
}

function unknownFlag(written: string, flag: string, command: Command, commands: readonly Command[]): string {
  const own = byFlag(command.flags);
  const other = commands.find(({ flags }) => byFlag(flags).has(flag));
  if (command === commands[0] && other && !own.has(flag))
    return `${written} belongs after the command: ${programName} ${other.name} ${written} …`;
  const known = Array.from(own, ([one, { setting }]) =>
    spellings(one, setting).map((spelling) => `--${spelling}`),
  ).flat();
  return `There is no flag ${written}.${didYouMean(written, [...known, "--help", "--version"])}`;
}

function unknownCommand(word: string, commands: readonly Command[]): string {
  if (/\.json$/i.test(word)) return `There is no command "${word}". To serve a fixture: --fixture ${word}`;
  const words = [...groups(commands).keys(), completion, "--help", "--version"];
  return `There is no command "${word}".${didYouMean(word, words)}`;
}

function refuseMember(group: string, members: readonly Command[], member: string | number | undefined): never {
  if (member === undefined) {
    const words = alternatives(members.map(lastWord)).replaceAll('"', "");
    throw new Mistake(`${group} needs a subcommand: ${words}.`);
  }
  const both = `${group} ${member}`;
  const names = members.map(({ name }) => name);
  throw new Mistake(`There is no command "${both}".${didYouMean(both, names)}`);
}

function wrongOperands(command: Command, operands: readonly string[], after: readonly string[]): string[] {
  const { name, operand, afterTerminator } = command;
  if (afterTerminator !== undefined && (operands.length > 0 || after.length === 0)) {
    const line = operands.length > 0 ? operands.join(" ") : "npm test";
    return [`${name} needs a ${afterTerminator} after --: ${programName} ${name} -- ${line}`];
  }
  const isNeeded = operand !== undefined && !operand.startsWith("[");
  if (isNeeded && operands.length === 0) return [`${name} needs a ${operand}.`];
  const extra = operands[operand === undefined ? 0 : 1] ?? (afterTerminator === undefined ? after[0] : undefined);
  return extra === undefined ? [] : [`${name} does not take "${extra}".`];
}
