import yargs, { type Argv, type Arguments, type Options } from "yargs";
import { ValidationError } from "../validation/errors.ts";
import { version } from "../package.ts";
import { onOrOff } from "../settings/kinds.ts";
import { byFlag, type Setting, type Settings } from "../settings/settings.ts";
import {
  checkName,
  commandGroups,
  completionCommand,
  lastWord,
  rewriteForYargs,
  readArguments,
  refuseMember,
  spellings,
} from "./arguments.ts";
import { type Command, programName } from "./command.ts";
import { print } from "./output/terminal.ts";
import { terminalWidth } from "./output/text.ts";

/** The purpose of declared flags. Help shows their values, `--port <number>`; the others need their bare names. */
type Purpose = "parsing" | "help" | "completion";

/**
 * Reads a command line with yargs. Returns a function that runs its command, by default the first; or prints help, the
 * version or completions, and returns undefined. Throws one ValidationError for all invalid arguments.
 */
export function readCommandLine(
  args: readonly string[],
  commands: readonly Command[],
): (() => ReturnType<Command["run"]>) | undefined {
  if (args[0] === completionCommand && args[1] === "fish") return () => Promise.resolve(print(fishCompletion));
  if (args[0] === "help") return readCommandLine([...args.slice(1), "--help"], commands);
  checkName(args, commands);
  const isCompletion = args.includes("--get-yargs-completions");
  const errors: string[] = [];
  let run: (() => ReturnType<Command["run"]>) | undefined;

  const declare = (page: Argv, { flags }: Command, isHelp?: boolean): Argv =>
    declareFlags(page, flags, isCompletion ? "completion" : isHelp ? "help" : "parsing");
  const chooseCommand = (argv: Arguments, command: Command): void => {
    const line = readArguments(argv, command, commands, errors);
    run = () => command.run(line);
  };
  /** Adds a command twice: with its operand for the list in help, and without it to run, so that yargs ignores it. */
  const addCommand = (parent: Argv, name: string, command: Command): Argv => {
    const build = (page: Argv, isHelp?: boolean): Argv => declare(describePage(page, command), command, isHelp);
    const parser = parent.command(withOperand(name, command), command.summary);
    return parser.command(name, false, build, (argv) => chooseCommand(argv, command));
  };

  const cli = createParser(isCompletion ? args : rewriteForYargs(args, commands, errors));
  for (const [word, members] of commandGroups(commands)) {
    if (members.length === 1) {
      for (const command of members) addCommand(cli, word, command);
      continue;
    }
    for (const command of members) cli.command(withOperand(command.name, command), command.summary);
    const build = (page: Argv): Argv => {
      const groupCommand = members.find(({ name }) => name === word);
      for (const command of members) if (command !== groupCommand) addCommand(page, lastWord(command), command);
      if (groupCommand)
        page.command(
          "$0",
          false,
          (groupPage: Argv, isHelp?: boolean) => declare(groupPage, groupCommand, isHelp),
          (argv) => chooseCommand(argv, groupCommand),
        );
      const usage = groupCommand ? `[flags]\n\n${groupCommand.summary}` : "<command>";
      return page.usage(`${programName} ${word} ${usage}`).example(members.flatMap(formatExamples));
    };
    cli.command(word, false, build, ({ _: [, member] }) => refuseMember(word, members, member));
  }
  const [first] = commands;
  if (first) {
    describePage(cli, first, `[${first.name}]`).command(
      "$0",
      false,
      (page: Argv, isHelp?: boolean): Argv => declare(page, first, isHelp),
      (argv) => {
        // For the completion command, yargs prints the script after the default command.
        if (argv._[0] !== completionCommand) chooseCommand(argv, first);
      },
    );
    if (isCompletion) declare(cli, first);
  }
  cli
    .completion(completionCommand, "Print a script for your shell that completes commands and flags.", completeOnce)
    .parseSync();
  return run;
}

/** The completion script for fish. Yargs has the scripts for bash and zsh. */
const fishCompletion = `# fish completion: ${programName} completion fish > ~/.config/fish/completions/${programName}.fish
complete -c ${programName} -f -a "(SHELL=fish ${programName} --get-yargs-completions (commandline -opc) (commandline -ct))"`;

function createParser(args: readonly string[]): Argv {
  return (
    yargs(args)
      // Only the completion script needs the name. In a list of commands, it would take half of the width.
      .scriptName(args[0] === completionCommand ? programName : "")
      .locale("en")
      .updateStrings({ "Options:": "Flags:" })
      .exitProcess(false)
      .showHelpOnFail(false)
      .fail((message: string, error: unknown) => {
        throw error instanceof Error ? error : new ValidationError(message);
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
      .wrap(Math.min(terminalWidth, 110))
      .help("help", "show this help")
      .alias("help", "h")
      .version("version", "show the version", version)
      .alias("version", "v")
  );
}

/** Completes like yargs, but suggests a word only once if several commands of a group begin with it. */
function completeOnce(
  _current: string,
  _argv: unknown,
  complete: (onCompleted: (error: Error | null, completions: string[] | undefined) => void) => void,
  onCompleted: (completions: string[]) => void,
): void {
  complete((_error, completions = []) => onCompleted([...new Set(completions)]));
}

function withOperand(name: string, { operand }: Command): string {
  if (operand === undefined) return name;
  return operand.startsWith("[") ? `${name} ${operand}` : `${name} <${operand}>`;
}

function formatExamples({ examples }: Command): [string, string][] {
  return examples.map(([line, effect]) => [`${programName} ${line}`.trim(), effect]);
}

function describePage(page: Argv, command: Command, title = withOperand(command.name, command)): Argv {
  const { summary, afterTerminator, epilogue } = command;
  const after = afterTerminator === undefined ? "" : ` -- <${afterTerminator}>`;
  page.usage(`${programName} ${title} [flags]${after}\n\n${summary}`).example(formatExamples(command));
  return epilogue === undefined ? page : page.epilogue(epilogue);
}

function declareFlags(page: Argv, flags: Settings, purpose: Purpose): Argv {
  for (const [flag, { setting }] of byFlag(flags)) {
    if (purpose === "parsing") page.option(flag, parserOption(setting));
    else if (purpose === "help") describeFlag(page, flag, setting);
    else for (const spelling of spellings(flag, setting)) page.option(spelling, { global: false });
  }
  return page;
}

/** Declares a flag for parsing. Switches are arrays, so that a repeated switch is detected. */
function parserOption({ kind, short }: Setting): Options {
  const type: Options = kind === onOrOff ? { type: "boolean", array: true } : { type: "string" };
  return short === undefined ? type : { ...type, alias: short };
}

function describeFlag(page: Argv, flag: string, setting: Setting): void {
  const { kind, help, off, defaultText, short, group } = setting;
  const place = group === undefined ? {} : { group };
  const isSwitch = kind === onOrOff;
  const value = setting.bareText === undefined ? `<${kind.placeholder}>` : `[${kind.placeholder}]`;
  if (!isSwitch || off === undefined) {
    page.option(isSwitch ? flag : `${flag} ${value}`, {
      ...place,
      describe: help,
      ...(defaultText !== undefined && { defaultDescription: defaultText }),
      ...(short !== undefined && { alias: short }),
      ...(!isSwitch && setting.default !== undefined && { default: setting.default }),
    });
  }
  if (off !== undefined) page.option(`no-${flag}`, { ...place, describe: off });
}
