import type { Command } from "./command.ts";
import { assumptionsCommand } from "./commands/assumptions.ts";
import { calibrateCommand } from "./commands/calibrate.ts";
import { clockCommands } from "./commands/clock.ts";
import { coverageCommand } from "./commands/coverage.ts";
import { environmentCommands } from "./commands/environments.ts";
import { execCommand } from "./commands/exec.ts";
import { faultCommands } from "./commands/faults.ts";
import { fixtureCommands } from "./commands/fixture.ts";
import { helpCommands } from "./commands/help.ts";
import { investmentCommands } from "./commands/investments.ts";
import { keyCommands, limitCommands } from "./commands/keys.ts";
import { mcpCommand } from "./commands/mcp.ts";
import { openapiCommand } from "./commands/openapi.ts";
import { portalCommand } from "./commands/portal.ts";
import { recordCommand } from "./commands/record.ts";
import { replayCommand } from "./commands/replay.ts";
import { requestCommands } from "./commands/requests.ts";
import { runCommands } from "./commands/runs.ts";
import { scenarioCommands } from "./commands/scenario.ts";
import { snapshotCommands } from "./commands/snapshot.ts";
import { startCommand } from "./commands/start.ts";
import { stopCommand } from "./commands/stop.ts";

/**
 * Every command in the order of help; the first is the default. Modules beyond those of a start load when their command
 * runs.
 */
export const commands: readonly Command[] = [
  startCommand,
  execCommand,
  portalCommand,
  assumptionsCommand,
  calibrateCommand,
  openapiCommand,
  ...fixtureCommands,
  ...scenarioCommands,
  ...runCommands,
  recordCommand,
  ...clockCommands,
  ...keyCommands,
  ...limitCommands,
  ...faultCommands,
  ...investmentCommands,
  ...requestCommands,
  coverageCommand,
  ...environmentCommands,
  stopCommand,
  ...snapshotCommands,
  replayCommand,
  mcpCommand,
  ...helpCommands,
];
