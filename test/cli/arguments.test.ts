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
function parsed(words: readonly string[]): { readonly command: Command; readonly line: CommandLine } {
  let found: { readonly command: Command; readonly line: CommandLine } | undefined;
  const listening = commands.map((command) => ({
    ...command,
    run: (line: CommandLine) => Promise.resolve(void (found = { command, line })),
  }));
  void readCommandLine(words, listening)?.();
  if (!found) throw new Error(`${words.join(" ")} runs no command`);
  return found;
}

/** The words of a line without its redirection; placeholders in angle brackets are words. */
function wordsOf(line: string): string[] {
  const [commandText = ""] = line.split(/ > /);
  return Array.from(
    commandText.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g),
    ([, single, double, bare]) => single ?? double ?? bare ?? "",
  );
}

const examples = commands.flatMap(({ name, examples: of }) => of.map(([line]) => [name, line] as const));

test.for(examples.filter(([name]) => name !== "help"))("the example of %s is read: %s", ([name, example]) => {
  const { command, line } = parsed(wordsOf(example));
  expect(command.name).toBe(name);
  readAll(command.flags, line.flagValues);
});

const valued = commands.flatMap((command) =>
  Array.from(byFlag(command.flags), ([flag, { name, setting }]) => ({ command, flag, name, setting })).filter(
    ({ setting }) => setting.kind !== onOrOff,
  ),
);

test("a value of any flag may begin with a dash, after = if it may be omitted", () => {
  const text = fc.string({ minLength: 1 }).map((rest) => `-${rest}`);
  fc.assert(
    fc.property(fc.constantFrom(...valued), text, fc.boolean(), ({ command, flag, name, setting }, value, isShort) => {
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
      const after = command.afterTerminator === undefined ? [] : ["--", "node", `--${flag}`, "-x"];
      const written = setting.bareText === undefined ? [word, value] : [`--${flag}=${value}`];
      const { line } = parsed([...command.name.split(" "), ...operand, ...written, ...after]);
      expect(line).toEqual({
        flagValues: [{ setting: name, text: value, place: `--${flag}` }],
        operands: operand,
        afterTerminator: after.slice(1),
      });
    }),
    { numRuns: caseCount(25) },
  );
});
