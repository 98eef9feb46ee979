import type { Command } from "./command.ts";
import { assumptions } from "./commands/assumptions.ts";
import { calibrate } from "./commands/calibrate.ts";
import { clockAdvance, clockSet, clockShow, reset } from "./commands/clock.ts";
import { examples } from "./commands/examples.ts";
import { environmentsClose, environmentsList, environmentsOpen } from "./commands/environments.ts";
import { exec } from "./commands/exec.ts";
import { faultsAdd, faultsList, faultsRemove } from "./commands/faults.ts";
import { fixtureCheck, fixtureExpand, fixtureGenerate } from "./commands/fixture.ts";
import { help, showVersion } from "./commands/help.ts";
import { investmentsList, investmentsShow } from "./commands/investments.ts";
import { keysIssue, keysList, keysRevoke } from "./commands/keys.ts";
import { limitsClear, limitsList, limitsSet } from "./commands/limits.ts";
import { openapi } from "./commands/openapi.ts";
import { scenarioNext, scenarioPlay } from "./commands/play.ts";
import { portal } from "./commands/portal.ts";
import { requests } from "./commands/requests.ts";
import { runsList, runsStop } from "./commands/runs.ts";
import { scenarioCheck, scenarioList, scenarioShow } from "./commands/scenario.ts";
import { restore, snapshot } from "./commands/snapshot.ts";
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
  fixtureCheck,
  fixtureExpand,
  fixtureGenerate,
  scenarioList,
  scenarioCheck,
  scenarioShow,
  scenarioPlay,
  scenarioNext,
  runsList,
  runsStop,
  clockShow,
  clockSet,
  clockAdvance,
  timeline,
  keysList,
  keysIssue,
  keysRevoke,
  limitsList,
  limitsSet,
  limitsClear,
  faultsList,
  faultsAdd,
  faultsRemove,
  investmentsList,
  investmentsShow,
  requests,
  examples,
  reset,
  environmentsList,
  environmentsOpen,
  environmentsClose,
  stop,
  snapshot,
  restore,
  help,
  showVersion,
];
