import fc from "fast-check";
import { expect, test } from "vitest";
import { readCommandLine } from "../../src/cli/command-line.ts";
import { spellings } from "../../src/cli/arguments.ts";
import type { Command, CommandLine } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";
import { onOrOff } from "../../src/settings/kinds.ts";
import { byFlag } from "../../src/settings/settings.ts";
import { readAll } from "../../src/settings/values.ts";
import { caseCount } from "../support/case-count.ts";

/** Reads a line like the program, and returns the command with its arguments instead of running it. */
function parseLine(words: readonly string[]): { readonly command: Command; readonly line: CommandLine } {
  let parsed: { readonly command: Command; readonly line: CommandLine } | undefined;
  const recordingCommands = commands.map((command) => ({
    ...command,
    run: (line: CommandLine) => Promise.resolve(void (parsed = { command, line })),
  }));
  void readCommandLine(words, recordingCommands)?.();
  if (!parsed) throw new Error(`${words.join(" ")} runs no command`);
  return parsed;
}

/** The words of a line without its redirection; placeholders in angle brackets are words. */
function wordsOf(line: string): string[] {
  const [commandText = ""] = line.split(/ > /);
  return Array.from(
    commandText.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g),
    ([, single, double, bare]) => single ?? double ?? bare ?? "",
  );
}

const examples = commands.flatMap(({ name, examples: lines }) => lines.map(([line]) => [name, line] as const));

test.for(examples.filter(([name]) => name !== "help"))("the example of %s is read: %s", ([name, example]) => {
  const { command, line } = parseLine(wordsOf(example));
  expect(command.name).toBe(name);
  readAll(command.flags, line.flagValues);
});

const flagsWithValues = commands.flatMap((command) =>
  Array.from(byFlag(command.flags), ([flag, { name, setting }]) => ({ command, flag, name, setting })).filter(
    ({ setting }) => setting.kind !== onOrOff,
  ),
);

test("the value of any flag may begin with a dash, and stands after = if the flag may stand without it", () => {
  const text = fc.string({ minLength: 1 }).map((characters) => `-${characters}`);
  fc.assert(
    fc.property(
      fc.constantFrom(...flagsWithValues),
      text,
      fc.boolean(),
      ({ command, flag, name, setting }, value, isShort) => {
        const known = [
          "help",
          "version",
          ...Array.from(byFlag(command.flags), ([flagName, entry]) => spellings(flagName, entry.setting)).flat(),
        ];
        fc.pre(
          value !== "--" &&
            !known.some((flagName) => value.split("=")[0] === `--${flagName}`) &&
            !/^-[a-z](=|$)/.test(value),
        );
        const word = isShort && setting.short !== undefined ? `-${setting.short}` : `--${flag}`;
        const operand = command.operand === undefined ? [] : ["operand"];
        const terminatedArguments = command.afterTerminator === undefined ? [] : ["--", "node", `--${flag}`, "-x"];
        const flagArguments = setting.bareText === undefined ? [word, value] : [`--${flag}=${value}`];
        const { line } = parseLine([...command.name.split(" "), ...operand, ...flagArguments, ...terminatedArguments]);
        expect(line).toEqual({
          flagValues: [{ setting: name, text: value, place: `--${flag}` }],
          operands: operand,
          afterTerminator: terminatedArguments.slice(1),
        });
      },
    ),
    { numRuns: caseCount(25) },
  );
});
