import yargs, { type Argv } from "yargs";
import { commonFlags } from "./common-flags.ts";
import type { Command } from "./command.ts";
import { commandNames, defaultCommand, loadCommand } from "./commands.ts";
import type { Setting } from "./settings/setting.ts";

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
}

async function describeCommand(page: Argv, name: string, command: Command): Promise<void> {
  const { summary, operand, flags, examples } = command;
  const shown = name === defaultCommand ? `[${name}]` : name;
  page.usage(`${program} ${[shown, operand && `<${operand}>`, "[flags]"].filter(Boolean).join(" ")}\n\n${summary}`);
  if (name === defaultCommand) {
    await listCommands(page, commandNames());
    page.epilogue(
      "Every flag is also a variable, OFFERING_SANDBOX_RATE_LIMIT=0, and a key of the config file, rate-limit: 0. A flag wins over a variable, a variable over the file. PORT is honoured.\n\nStop it with Ctrl-C, or q on a terminal. Exit codes: 0 stopped as asked, 1 could not run, 2 mistaken usage or an invalid file.",
    );
  }
  for (const [flag, setting] of Object.entries(flags)) describeFlag(page, flag, setting);
  page.example(examples.map(([line, effect]) => [`$0 ${line}`.trim(), effect]));
}

async function listCommands(page: Argv, names: readonly string[]): Promise<void> {
  const commands = await Promise.all(names.map(loadCommand));
  for (const [index, { operand, summary }] of commands.entries()) {
    const name = names[index] ?? "";
    page.command(operand === undefined ? name : `${name} <${operand}>`, summary);
  }
}

function describeFlag(page: Argv, name: string, setting: Setting): void {
  const { kind, describe, off, otherwise, short, group = "Flags:" } = setting;
  const isSwitch = kind.placeholder === undefined;
  page.option(isSwitch ? (off === undefined ? name : `no-${name}`) : `${name} <${kind.placeholder}>`, {
    describe: (off ?? describe) + (otherwise === undefined ? "" : `; otherwise ${otherwise}`),
    group,
    ...(short !== undefined && { alias: short }),
    ...(!isSwitch && setting.default !== undefined && { default: setting.default }),
  });
}
