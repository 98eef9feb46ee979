/*
 * `exec` starts a sandbox, passes its address and keys to its command as variables, runs the command (`run-child.ts`)
 * and stops the sandbox. If the command fails, it writes snapshots of the environments. With --vary, it repeats all of
 * this for each alternative value (`vary.ts`), and prints and writes a report (`vary-report.ts`). With --coverage, it
 * adds the counts of all sandboxes at the end (`covered.ts`).
 */

import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import type { CloseOptions, EnvironmentDescription, LocalSandbox, RequestEntry } from "../../public/control.ts";
import { portalLink } from "../../text/origin.ts";
import { execVariableText, withoutInherited } from "../../sandbox/exec-settings.ts";
import type { Settings } from "../../settings/settings.ts";
import { startSettings, type StartSettings } from "../../settings/start-settings.ts";
import type { TextValue } from "../../settings/values.ts";
import { type childVariableNames, execVariable } from "../../settings/variables.ts";
import { snapshotFileOf, writeSnapshot } from "../../testing/snapshot-file.ts";
import { programName } from "../command.ts";
import { type Log, openLog, warnOfStoppedRuns } from "../output/log.ts";
import { printError } from "../output/terminal.ts";
import { loadSettings, sandboxOptions } from "../settings/load.ts";

/** The settings without those for output of `start`, because stdout belongs to the command. */
const { portFile: _portFile, watch: _watch, quiet: _quiet, drain: _drain, ...commandSettings } = startSettings;

export const execSettings = {
  ...commandSettings,
  port: {
    ...startSettings.port,
    default: startSettings.port.defaultInCode,
    help: "port to listen on, only by this flag; 0 for any free port",
  },
  clock: { ...startSettings.clock, default: startSettings.clock.defaultInCode },
  speed: { ...startSettings.speed, default: startSettings.speed.defaultInCode },
  scenarios: { ...startSettings.scenarios, defaultText: "none" },
  logLevel: { ...startSettings.logLevel, defaultText: "warn" },
  snapshotDir: {
    ...startSettings.snapshotDir,
    flag: "snapshot-dir",
    help: "folder for a snapshot of each failed test and, if the command fails, of its environments",
  },
} satisfies Settings;

/** The defaults of `exec`. The clock is paused, like in `startSandbox`, so that every run is the same. */
const defaults = [
  { setting: "clock", text: execSettings.clock.default, place: "exec" },
  { setting: "speed", text: String(execSettings.speed.default), place: "exec" },
  { setting: "scenarios", text: "false", place: "exec" },
];

/** Loads the settings of a sandbox alongside a command. Throws ValidationError like `loadSettings`. */
export function loadExecSettings(flagValues: readonly TextValue[]) {
  // A port in a variable is for the command or for `start`. If `exec` used it, two of them could not run at once.
  const { PORT: _ofCommand, OFFERING_SANDBOX_PORT: _ofStart, ...environment } = process.env;
  return loadSettings(flagValues, defaults, environment);
}

/** Options with which `exec --vary` runs its command. */
interface VariedRun {
  readonly usesFile: string;
  /** Hides all output of the run. */
  readonly isSilent: boolean;
  /** Once aborted, the command does not start. A running command receives the signal itself. */
  readonly stop: AbortSignal;
}

/** Runs a command alongside its own sandbox. Returns the exit code of the command. */
export async function runAlongside(
  flagValues: readonly TextValue[],
  [command = "", ...args]: readonly string[],
  { usesFile, isSilent = false, stop }: Partial<VariedRun> = {},
): Promise<number> {
  const loaded = await loadExecSettings(flagValues);
  const { settings } = loaded;
  const { stderr } = process;
  const log = openLog({ ...settings, logLevel: isSilent ? "error" : (settings.logLevel ?? "warn") }, stderr);
  const [{ startRunning }, { runChild }] = await Promise.all([
    import("../../sandbox/start-running.ts"),
    import("./run-child.ts"),
  ]);
  const port = flagValues.some(({ setting }) => setting === "port") ? settings.port : 0;
  const isPortalPrinted = !isSilent && needsPortal(settings);
  const logRequest =
    log.request ?? (isSilent ? undefined : logRefusedCalls(openLog({ ...settings, logLevel: "info" }, stderr)));
  let hasRequest = false;
  let hasServiceRequest = false;
  const onRequest = (entry: RequestEntry): void => {
    hasRequest = true;
    const isServiceRequest = entry.environment !== null && !isAdminCall(entry);
    // The link is printed again, because a client that clears the screen at its start has done so before this request.
    if (isPortalPrinted && isServiceRequest && !hasServiceRequest) printPortal(sandbox);
    hasServiceRequest ||= isServiceRequest;
    logRequest?.(entry);
  };
  const { snapshotDir, coverageDir } = settings;
  const snapshots = snapshotDir === undefined || isSilent ? undefined : collectSnapshots(snapshotDir, () => sandbox);
  const { sandbox, environments } = await startRunning(
    { ...sandboxOptions(loaded, log), port, onRequest },
    { beforeDelete: snapshots?.beforeDelete, usesFile, onWait: log.warning },
  );
  try {
    warnOfStoppedRuns(environments, log);
    if (isPortalPrinted) printPortal(sandbox);
    for (const warning of loaded.warnings) log.warning(warning);
    const execValue = execVariableText(loaded.textValues, usesFile);
    const variables = {
      ...withoutInherited(process.env),
      ...(await childVariables(sandbox)),
      ...proxyExceptions(process.env),
      ...(coverageDir !== undefined && { OFFERING_SANDBOX_COVERAGE_DIR: resolve(coverageDir) }),
      [execVariable]: execValue,
    };
    if (stop?.aborted) return 1;
    const code = await runChild(command, args, variables, isSilent);
    await snapshots?.finish(code !== 0);
    // With passed settings or folders, the sandboxes that the command starts may have received all requests.
    const isOnlySandbox = execValue === undefined && snapshotDir === undefined && coverageDir === undefined;
    if (!hasRequest && isOnlySandbox && code < firstShellCode && (await sandbox.requests.list()).waiting.length === 0)
      log.warning(noRequestMessage);
    return code;
  } finally {
    await sandbox.close();
  }
}

/** The lowest exit code of a command that could not be run or was ended by a signal. */
const firstShellCode = 126;

const noRequestMessage =
  "The command sent no request to its sandbox. A client finds it by OFFERING_SANDBOX_BASE_URL, and its keys by " +
  "OFFERING_SANDBOX_PARTNER_KEY and OFFERING_SANDBOX_MARKETING_KEY.";

/** Returns true if a person may need the link to the portal: at a terminal, outside CI. */
function needsPortal({ admin, logLevel, logFormat }: StartSettings): boolean {
  const { CI = "" } = process.env;
  return process.stderr.isTTY && CI === "" && admin && logLevel !== "error" && logFormat !== "json";
}

function printPortal({ url, adminToken }: LocalSandbox): void {
  printError(`${programName}: portal ${portalLink(url, adminToken)}`);
}

/** Logs only refused calls of the admin API: these are errors of a test, which may itself print only the status. */
function logRefusedCalls({ request }: Log): Log["request"] {
  return (entry) => {
    if (isAdminCall(entry) && (entry.status ?? 0) >= 400) request?.(entry);
  };
}

function isAdminCall({ path }: RequestEntry): boolean {
  return path.startsWith("/__admin/");
}

type Variable = (sandbox: LocalSandbox, description: EnvironmentDescription) => string | undefined;

/** The variables that `exec` passes to its command: the sandbox, the first offering and the folder for snapshots. */
const childValues = {
  OFFERING_SANDBOX_URL: ({ url }) => url,
  OFFERING_SANDBOX_BASE_URL: ({ baseUrl }) => baseUrl,
  OFFERING_SANDBOX_ADMIN_URL: ({ adminUrl }) => adminUrl,
  OFFERING_SANDBOX_MARKETING_KEY: (_, { marketing_key: key }) => key ?? undefined,
  OFFERING_SANDBOX_PARTNER_KEY: (_, { partner_key: key }) => key ?? undefined,
  OFFERING_SANDBOX_OFFERING_ID: (_, { offerings }) => offerings[0]?.id,
  OFFERING_SANDBOX_SNAPSHOT_DIR: ({ snapshotDir }) => (snapshotDir === null ? undefined : resolve(snapshotDir)),
} satisfies Readonly<Record<(typeof childVariableNames)[number], Variable>>;

/** Returns the values of these variables. Undefined removes a variable, so that the child inherits no old value. */
async function childVariables(sandbox: LocalSandbox): Promise<Readonly<Record<string, string | undefined>>> {
  const description = await sandbox.describe();
  return Object.fromEntries(
    Object.entries<Variable>(childValues).map(([name, valueOf]) => [name, valueOf(sandbox, description)]),
  );
}

/**
 * Returns the variables with the addresses to reach without a proxy. Adds the addresses of this machine, which a proxy
 * elsewhere cannot reach. A `*` replaces all other names, because it means all addresses only if it stands alone.
 */
function proxyExceptions({ NO_PROXY = "", no_proxy = "" }: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const names = new Set([NO_PROXY, no_proxy, "localhost,127.0.0.1,::1"].join().split(/[\s,]+/));
  names.delete("");
  const value = names.has("*") ? "*" : [...names].join();
  return { NO_PROXY: value, no_proxy: value };
}

/** The maximum number of closed environments whose snapshots are retained; older snapshots are discarded. */
const maxClosedSnapshots = 200;

/** Collects snapshots of a command's environments for a folder. `sandboxOf` returns the started sandbox. */
function collectSnapshots(folder: string, sandboxOf: () => LocalSandbox) {
  const initialFileCount = countFiles(folder);
  /** The output lines about the written snapshots. */
  const lines: string[] = [];
  let closedSnapshots: Awaited<ReturnType<typeof createSnapshot>>[] = [];
  const write = async (createFile: () => ReturnType<typeof createSnapshot>): Promise<void> => {
    lines.push(...(await writeSnapshot(async () => folder, createFile)));
  };
  const createSnapshot = async (id: string) => {
    const environment = await sandboxOf().environment(id);
    const { label } = await environment.describe();
    return snapshotFileOf(environment, [label ?? id]);
  };
  return {
    /** Writes the snapshot of a failed test. Without an outcome, retains it if it has requests, for a later failure. */
    async beforeDelete(this: void, id: string, { outcome }: CloseOptions = {}): Promise<void> {
      if (outcome === "passed") return;
      if (outcome === "failed") return write(() => createSnapshot(id));
      const { requests } = await sandboxOf().environment(id);
      if ((await requests.count()) > 0)
        closedSnapshots = [...closedSnapshots, await createSnapshot(id)].slice(-maxClosedSnapshots);
    },
    /**
     * Prints the written snapshots. After a failure, first writes open environments, and closed ones unless tests wrote
     * some.
     */
    async finish(hasFailed: boolean): Promise<void> {
      if (hasFailed) {
        const unwrittenSnapshots = countFiles(folder) > initialFileCount + lines.length ? [] : closedSnapshots;
        for (const { id } of await sandboxOf().environmentSummaries()) await write(() => createSnapshot(id));
        for (const file of unwrittenSnapshots) await write(async () => file);
      }
      for (const line of lines) printError(line);
    },
  };
}

function countFiles(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}
