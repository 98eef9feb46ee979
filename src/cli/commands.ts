import { version } from "../package.ts";
import type { Command } from "./command.ts";
import { assumptionCommands } from "./commands/assumptions.ts";
import { calibrateCommand } from "./commands/calibrate.ts";
import { clockCommands } from "./commands/clock.ts";
import { environmentCommands } from "./commands/environments.ts";
import { coverageCommand, execCommand } from "./commands/exec.ts";
import { faultCommands } from "./commands/faults.ts";
import { fixtureCommands } from "./commands/fixture.ts";
import { investmentCommands } from "./commands/investments.ts";
import { keyCommands } from "./commands/keys.ts";
import { mcpCommand, openapiCommand, portalCommand } from "./commands/interfaces.ts";
import { requestCommands } from "./commands/requests.ts";
import { runCommands } from "./commands/runs.ts";
import { scenarioCommands } from "./commands/scenario.ts";
import { snapshotCommands } from "./commands/snapshot.ts";
import { startCommand } from "./commands/start.ts";
import { print } from "./output/terminal.ts";

/** Every command in the order of help, the default first. The code that only one command needs loads when it runs. */
export const commands: readonly Command[] = [
  startCommand,
  execCommand,
  portalCommand,
  ...assumptionCommands,
  calibrateCommand,
  openapiCommand,
  ...fixtureCommands,
  ...scenarioCommands,
  ...runCommands,
  ...clockCommands,
  ...keyCommands,
  ...faultCommands,
  ...investmentCommands,
  ...requestCommands,
  coverageCommand,
  ...environmentCommands,
  ...snapshotCommands,
  mcpCommand,
  {
    name: "help",
    summary: "Show help for the sandbox or for one command.",
    operand: "[command]",
    flags: {},
    examples: [["help keys issue", "the same as keys issue --help"]],
    // `readCommandLine` rewrites this command to --help, because the name of a command may have two words.
    run: () => Promise.resolve(),
  },
  {
    name: "version",
    summary: "Show the version.",
    flags: {},
    examples: [["version", "the same as --version"]],
    async run() {
      print(version);
    },
  },
];
