/*
 * `exec` starts a sandbox, tells its command of it by variables (`child-variables.ts`), runs the command
 * (`run-child.ts`) and stops the sandbox. If the command fails, snapshots of its environments are written
 * (`command-snapshots.ts`). With --vary, all of this happens once more for each alternative value (`vary.ts`), which
 * ends with lines (`vary-lines.ts`) and a report (`vary-report.ts`). With --coverage, what all sandboxes have counted
 * is added up at the end (`covered.ts`).
 */

import { resolve } from "node:path";
import type { LocalSandbox } from "../../public/control.ts";
import { portalLink } from "../../text/origin.ts";
import { execVariableText, withoutHandedOn } from "../../sandbox/exec-settings.ts";
import { startSettings, type StartSettings } from "../../settings/start-settings.ts";
import type { TextValue } from "../../settings/values.ts";
import { execVariable } from "../../settings/variables.ts";
import { programName } from "../command.ts";
import { type Log, openLog, tellStoppedRuns } from "../output/log.ts";
import { printError } from "../output/terminal.ts";
import { loadSettings, sandboxOptions } from "../settings/load.ts";
import { childVariables, withoutProxy } from "./child-variables.ts";
import { commandSnapshots } from "./command-snapshots.ts";

/** Flags for our own output are left out: stdout belongs to the command. */
const { portFile: _portFile, watch: _watch, quiet: _quiet, drain: _drain, ...settingsBeside } = startSettings;

export const execSettings = {
  ...settingsBeside,
  port: {
    ...startSettings.port,
    default: startSettings.port.defaultInCode,
    words: "port to listen on, only by this flag; 0 takes any free one",
  },
  clock: { ...startSettings.clock, default: startSettings.clock.defaultInCode },
  speed: { ...startSettings.speed, default: startSettings.speed.defaultInCode },
  scenarios: { ...startSettings.scenarios, defaultInWords: "none" },
  logLevel: { ...startSettings.logLevel, defaultInWords: "warn" },
  casesDir: {
    ...startSettings.casesDir,
    flag: "cases",
    words: "folder for a snapshot of each failed test and, if the command fails, of its environments",
  },
};

/** The clock is frozen, as in `startSandbox`, so that every run is the same. */
const defaults = [
  { setting: "clock", text: execSettings.clock.default, place: "exec" },
  { setting: "speed", text: String(execSettings.speed.default), place: "exec" },
  { setting: "scenarios", text: "false", place: "exec" },
];

/** Loads the settings of a sandbox beside a command. Throws Mistake as `loadSettings` does. */
export function loadSettingsBeside(given: readonly TextValue[]) {
  // A port in a variable is meant for the command or for `start`; if we took it, two could not run at once.
  const { PORT: _ofCommand, OFFERING_SANDBOX_PORT: _ofStart, ...environment } = process.env;
  return loadSettings(given, defaults, environment);
}

/** Options with which `exec --vary` runs its command. */
interface VariedRun {
  readonly usesFile: string;
  /** Hides all output of the run. */
  readonly isSilent: boolean;
  /** Once aborted, the command does not start. A running command receives the signal itself. */
  readonly stop: AbortSignal;
}

/** Runs a command beside a sandbox of its own. Returns its exit code. */
export async function runBeside(
  given: readonly TextValue[],
  [command = "", ...args]: readonly string[],
  { usesFile, isSilent = false, stop }: Partial<VariedRun> = {},
): Promise<number> {
  const loaded = await loadSettingsBeside(given);
  const { settings } = loaded;
  const { stderr } = process;
  const log = openLog({ ...settings, logLevel: isSilent ? "error" : (settings.logLevel ?? "warn") }, stderr);
  const [{ startRunning }, { runChild }] = await Promise.all([
    import("../../sandbox/start-running.ts"),
    import("./run-child.ts"),
  ]);
  const port = given.some(({ setting }) => setting === "port") ? settings.port : 0;
  const showsPortal = !isSilent && isPortalShown(settings);
  const shown =
    log.request ?? (isSilent ? undefined : refusedCalls(openLog({ ...settings, logLevel: "info" }, stderr)));
  const logged = showsPortal ? atFirstRequest(() => showPortal(sandbox), shown) : shown;
  let hasCome = false;
  const onRequest: Log["request"] = (entry) => {
    hasCome = true;
    logged?.(entry);
  };
  const { casesDir, coverageDir } = settings;
  const snapshots = casesDir === undefined || isSilent ? undefined : commandSnapshots(casesDir, () => sandbox);
  const running = await startRunning(
    { ...sandboxOptions(loaded, log), port, onRequest },
    { beforeDrop: snapshots?.beforeDrop, usesFile, onWait: log.warning },
  );
  const { sandbox, environments } = running;
  try {
    tellStoppedRuns(environments, log);
    if (showsPortal) showPortal(sandbox);
    for (const warning of loaded.warnings) log.warning(warning);
    const handedOn = execVariableText(loaded.given, usesFile);
    const variables = {
      ...(await childVariables(sandbox)),
      ...withoutProxy(process.env),
      ...(coverageDir !== undefined && { OFFERING_SANDBOX_COVERAGE_DIR: resolve(coverageDir) }),
      [execVariable]: handedOn,
    };
    if (stop?.aborted) return 1;
    const code = await runChild(command, args, { ...withoutHandedOn(process.env), ...variables }, isSilent);
    await snapshots?.finish(code !== 0);
    // With settings or folders for them, the sandboxes that the command starts may have had all requests.
    const isOnlySandbox = handedOn === undefined && casesDir === undefined && coverageDir === undefined;
    if (!hasCome && isOnlySandbox && code < firstShellCode && (await sandbox.requests.list()).waiting.length === 0)
      log.warning(noRequest);
    return code;
  } finally {
    await sandbox.close();
  }
}

/** From here on, an exit code says that the command could not be run, or that a signal ended it. */
const firstShellCode = 126;

const noRequest =
  "The command sent no request to its sandbox. A client finds it by OFFERING_SANDBOX_BASE_URL, and its keys by " +
  "OFFERING_SANDBOX_PARTNER_KEY and OFFERING_SANDBOX_MARKETING_KEY.";

/** Whether a person may want the portal of `exec`: at a terminal, outside CI. */
function isPortalShown({ admin, logLevel, logFormat }: StartSettings): boolean {
  const { CI = "" } = process.env;
  return process.stderr.isTTY && CI === "" && admin && logLevel !== "error" && logFormat !== "json";
}

function showPortal({ url, adminToken }: LocalSandbox): void {
  printError(`${programName}: portal ${portalLink(url, adminToken)}`);
}

/** Logs refused calls of the admin API only: mistakes of a test, of which it may show no more than the status. */
function refusedCalls({ request }: Log): Log["request"] {
  return (entry) => {
    if (entry.path.startsWith("/__admin/") && (entry.status ?? 0) >= 400) request?.(entry);
  };
}

/** Acts at the first request to the service: a client that clears the screen at its start has done so by then. */
function atFirstRequest(act: () => void, log: Log["request"]): Log["request"] {
  let hasCome = false;
  return (entry) => {
    if (!hasCome && entry.environment !== null && !entry.path.startsWith("/__admin/")) {
      hasCome = true;
      act();
    }
    log?.(entry);
  };
}
