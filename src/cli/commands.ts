import { Mistake } from "../model/mistakes.ts";
import { didYouMean } from "../model/text.ts";
import type { Command } from "./command-line.ts";
import { alternatives } from "../settings/kinds.ts";

/** Every command. Each is loaded only when it is asked for: a start must not pay for the others. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import("./commands/start.ts")).start,
  exec: async () => (await import("./commands/exec.ts")).exec,
  assumptions: async () => (await import("./commands/assumptions.ts")).assumptions,
  openapi: async () => (await import("./commands/openapi.ts")).openapi,
  "fixture check": async () => (await import("./commands/fixture.ts")).fixtureCheck,
  "fixture expand": async () => (await import("./commands/fixture.ts")).fixtureExpand,
  "fixture generate": async () => (await import("./commands/fixture.ts")).fixtureGenerate,
  "scenario list": async () => (await import("./commands/scenario.ts")).scenarioList,
  "scenario check": async () => (await import("./commands/scenario.ts")).scenarioCheck,
  "scenario show": async () => (await import("./commands/scenario.ts")).scenarioShow,
  "scenario play": async () => (await import("./commands/play.ts")).scenarioPlay,
  "scenario next": async () => (await import("./commands/play.ts")).scenarioNext,
  "clock show": async () => (await import("./commands/clock.ts")).clockShow,
  "clock set": async () => (await import("./commands/clock.ts")).clockSet,
  "clock advance": async () => (await import("./commands/clock.ts")).clockAdvance,
  "keys list": async () => (await import("./commands/keys.ts")).keysList,
  "keys issue": async () => (await import("./commands/keys.ts")).keysIssue,
  "keys revoke": async () => (await import("./commands/keys.ts")).keysRevoke,
  requests: async () => (await import("./commands/requests.ts")).requests,
  reset: async () => (await import("./commands/clock.ts")).reset,
};

/** The command that is meant when none is named. */
export const defaultCommand = "start";

/** What a command line names, and the rest of it. */
export interface NamedCommand {
  /** A command's name; or a group's, `fixture`, whose help can be asked for. */
  readonly name: string;
  readonly args: readonly string[];
}

/** Splits a command line. Throws a Mistake with the nearest name when it names no command. */
export function nameCommand(argv: readonly string[]): NamedCommand {
  const [first, second = ""] = argv;
  if (first === undefined || first.startsWith("-")) return { name: defaultCommand, args: argv };
  const both = `${first} ${second}`;
  if (Object.hasOwn(commands, both)) return { name: both, args: argv.slice(2) };
  if (Object.hasOwn(commands, first)) return { name: first, args: argv.slice(1) };
  const members = commandNames(first);
  if (members.length === 0) throw new Mistake(unknownCommand(first));
  if (second === "" || second.startsWith("-")) return { name: first, args: argv.slice(1) };
  throw new Mistake(`There is no command "${both}".${didYouMean(both, members)}`);
}

/** The commands in the order of help: all, or those of a group. */
export function commandNames(group?: string): string[] {
  return Object.keys(commands).filter((name) => group === undefined || name.startsWith(`${group} `));
}

/** Loads a command. Throws a Mistake that lists the members when it is a group. */
export async function loadCommand(name: string): Promise<Command> {
  const load = commands[name];
  if (load) return load();
  throw new Mistake(`"${name}" is not a whole command: expected ${alternatives(commandNames(name))}.`);
}

function unknownCommand(word: string): string {
  if (/\.json$/i.test(word)) return `There is no command "${word}". To serve a fixture: --fixture ${word}`;
  const words = new Set(commandNames().map((name) => name.split(" ")[0] ?? name));
  return `There is no command "${word}".${didYouMean(word, [...words, "--help", "--version"])}`;
}
