import yargs from "yargs";
import type { Argv } from "yargs";
import { type Command, commonFlags } from "./command-line.ts";
import { commandNames, defaultCommand, loadCommand } from "./commands.ts";
import { flagOf, type Setting } from "../settings/settings.ts";

const program = "offering-sandbox";

/** The help of a command, or of a group of commands. */
export async function help(name: string): Promise<string> {
  const page = yargs([])
    .scriptName(program)
    .locale("en")
    .help(false)
    .version(false)
    .wrap(Math.min(process.stdout.columns ?? 100, 110));
  const members = commandNames(name);
  if (members.length > 0) await describeGroup(page, name, members);
  else await describeCommand(page, name, await loadCommand(name));
  for (const [flag, setting] of Object.entries(commonFlags)) describeFlag(page, flag, setting);
  return page.getHelp();
}

async function describeGroup(page: Argv, name: string, members: readonly string[]): Promise<void> {
  page.usage(`${program} ${name} <command>`);
  await listCommands(page, members);
  const commands = await Promise.all(members.map(loadCommand));
  showExamples(
    page,
    commands.flatMap(({ examples }) => examples),
  );
}

async function describeCommand(page: Argv, name: string, command: Command): Promise<void> {
  const { summary, flags, examples } = command;
  const shown = name === defaultCommand ? `[${name}]` : withOperand(name, command);
  const behind = command.behindTerminator === undefined ? "" : ` -- <${command.behindTerminator}>`;
  page.usage(`${program} ${shown} [flags]${behind}\n\n${summary}`);
  if (name === defaultCommand) {
    await listCommands(page, commandNames());
    page.epilogue(
      "Every flag is also a variable, OFFERING_SANDBOX_RATE_LIMIT=0, and a key of the config file, rate-limit: 0. A flag wins over a variable, a variable over the file. PORT is honoured.\n\nStop it with Ctrl-C, or q on a terminal. Exit codes: 0 stopped as asked, 1 could not run, 2 mistaken usage or an invalid file.",
    );
  }
  for (const [flag, setting] of Object.entries(flags)) describeFlag(page, flag, setting);
  showExamples(page, examples);
}

function showExamples(page: Argv, examples: Command["examples"]): void {
  page.example(examples.map(([line, effect]) => [`$0 ${line}`.trim(), effect]));
}

async function listCommands(page: Argv, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const command = await loadCommand(name);
    page.command(withOperand(name, command), command.summary);
  }
}

function withOperand(name: string, { operand }: Command): string {
  if (operand === undefined) return name;
  return operand.startsWith("[") ? `${name} ${operand}` : `${name} <${operand}>`;
}

function describeFlag(page: Argv, name: string, setting: Setting): void {
  const { kind, words, off, defaultInWords, short, group = "Flags:" } = setting;
  const flag = flagOf(name, setting);
  const isSwitch = kind.placeholder === undefined;
  if (!isSwitch || off === undefined) {
    page.option(isSwitch ? flag : `${flag} <${kind.placeholder}>`, {
      describe: words + (defaultInWords === undefined ? "" : ` [default: ${defaultInWords}]`),
      group,
      ...(short !== undefined && { alias: short }),
      ...(!isSwitch && setting.default !== undefined && { default: setting.default }),
    });
  }
  if (off !== undefined) page.option(`no-${flag}`, { describe: off, group });
}
