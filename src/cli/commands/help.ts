import { version } from "../../package.ts";
import type { Command } from "../command.ts";
import { print } from "../output/terminal.ts";

export const helpCommands: readonly Command[] = [
  {
    name: "help",
    summary: "Show help, also of one command.",
    operand: "[command]",
    flags: {},
    examples: [["help keys issue", "the same as keys issue --help"]],
    // Read as --help, since a name may have two words.
    run: () => Promise.resolve(),
  },
  {
    name: "version",
    summary: "Show the version.",
    flags: {},
    examples: [["version", "the same as --version"]],
    run() {
      print(version);
      return Promise.resolve();
    },
  },
];
