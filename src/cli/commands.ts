import type { Command } from "./command.ts";
import { assumptions } from "./commands/assumptions.ts";
import { calibrate } from "./commands/calibrate.ts";
import { clockCommands } from "./commands/clock.ts";
import { examples } from "./commands/examples.ts";
import { environmentCommands } from "./commands/environments.ts";
import { exec } from "./commands/exec.ts";
import { faultCommands } from "./commands/faults.ts";
import { fixtureCommands } from "./commands/fixture.ts";
import { helpCommands } from "./commands/help.ts";
import { investmentCommands } from "./commands/investments.ts";
import { keyCommands } from "./commands/keys.ts";
import { limitCommands } from "./commands/limits.ts";
import { openapi } from "./commands/openapi.ts";
import { playCommands } from "./commands/play.ts";
import { portal } from "./commands/portal.ts";
import { requests } from "./commands/requests.ts";
import { runCommands } from "./commands/runs.ts";
import { scenarioCommands } from "./commands/scenario.ts";
import { snapshotCommands } from "./commands/snapshot.ts";
import { start } from "./commands/start.ts";
import { stop } from "./commands/stop.ts";
import { timeline } from "./commands/timeline.ts";

/** Every command in the order of help; the first is the default. Each loads only when it runs what a start does not need. */
export const commands: readonly Command[] = [
  start,
  exec,
  portal,
  assumptions,
  calibrate,
  openapi,
  ...fixtureCommands,
  ...scenarioCommands,
  ...playCommands,
  ...runCommands,
  ...clockCommands,
  timeline,
  ...keyCommands,
  ...limitCommands,
  ...faultCommands,
  ...investmentCommands,
  requests,
  examples,
  ...environmentCommands,
  stop,
  ...snapshotCommands,
  ...helpCommands,
];
