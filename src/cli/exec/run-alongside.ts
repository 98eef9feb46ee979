/*
 * `exec` starts a sandbox, tells its command of it by variables, runs the command (`run-child.ts`) and stops the
 * sandbox. If the command fails, snapshots of its environments are written. With --vary, all of this happens once more
 * for each alternative value (`vary.ts`), which ends with lines and a report (`vary-report.ts`). With --coverage, what
 * all sandboxes have counted is added up at the end (`covered.ts`).
 */

import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import type { CloseOptions, EnvironmentDescription, LocalSandbox, RequestEntry } from "../../public/control.ts";
import { portalLink } from "../../text/origin.ts";
import { execVariableText, withoutHandedOn } from "../../sandbox/exec-settings.ts";
import { startSettings, type StartSettings } from "../../settings/start-settings.ts";
import type { TextValue } from "../../settings/values.ts";
import { type childVariableNames, execVariable } from "../../settings/variables.ts";
import { snapshotFileOf, writeSnapshot } from "../../testing/snapshot-file.ts";
import { programName } from "../command.ts";
import { type Log, openLog, tellStoppedRuns } from "../output/log.ts";
import { printError } from "../output/terminal.ts";
import { loadSettings, sandboxOptions } from "../settings/load.ts";

/** Flags for our own output are omitted: stdout belongs to the command. */
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
  scenarios: { ...startSettings.scenarios, defaultText: "none" },
  logLevel: { ...startSettings.logLevel, defaultText: "warn" },
  snapshotDir: {
    ...startSettings.snapshotDir,
    flag: "snapshot-dir",
    words: "folder for a snapshot of each failed test and, if the command fails, of its environments",
  },
};

/** The clock is paused, as in `startSandbox`, so that every run is the same. */
const defaults = [
  { setting: "clock", text: execSettings.clock.default, place: "exec" },
  { setting: "speed", text: String(execSettings.speed.default), place: "exec" },
  { setting: "scenarios", text: "false", place: "exec" },
];

/** Loads the settings of a sandbox alongside a command. Throws ValidationError as `loadSettings` does. */
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

/** Runs a command alongside a sandbox of its own. Returns its exit code. */
export async function runAlongside(
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
  const logRequest =
    log.request ?? (isSilent ? undefined : refusedCalls(openLog({ ...settings, logLevel: "info" }, stderr)));
  let hasCome = false;
  let hasServed = false;
  const onRequest = (entry: RequestEntry): void => {
    hasCome = true;
    const isServed = entry.environment !== null && !isAdminCall(entry);
    // A client that clears the screen at its start has done so by now.
    if (showsPortal && isServed && !hasServed) showPortal(sandbox);
    hasServed ||= isServed;
    logRequest?.(entry);
  };
  const { snapshotDir, coverageDir } = settings;
  const snapshots = snapshotDir === undefined || isSilent ? undefined : commandSnapshots(snapshotDir, () => sandbox);
  const { sandbox, environments } = await startRunning(
    { ...sandboxOptions(loaded, log), port, onRequest },
    { beforeDrop: snapshots?.beforeDrop, usesFile, onWait: log.warning },
  );
  try {
    tellStoppedRuns(environments, log);
    if (showsPortal) showPortal(sandbox);
    for (const warning of loaded.warnings) log.warning(warning);
    const handedOn = execVariableText(loaded.given, usesFile);
    const variables = {
      ...withoutHandedOn(process.env),
      ...(await childVariables(sandbox)),
      ...withoutProxy(process.env),
      ...(coverageDir !== undefined && { OFFERING_SANDBOX_COVERAGE_DIR: resolve(coverageDir) }),
      [execVariable]: handedOn,
    };
    if (stop?.aborted) return 1;
    const code = await runChild(command, args, variables, isSilent);
    await snapshots?.finish(code !== 0);
    // With settings or folders for them, the sandboxes that the command starts may have had all requests.
    const isOnlySandbox = handedOn === undefined && snapshotDir === undefined && coverageDir === undefined;
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

/** Logs refused calls of the admin API only: errors of a test, of which it may show no more than the status. */
function refusedCalls({ request }: Log): Log["request"] {
  return (entry) => {
    if (isAdminCall(entry) && (entry.status ?? 0) >= 400) request?.(entry);
  };
}

function isAdminCall({ path }: RequestEntry): boolean {
  return path.startsWith("/__admin/");
}

type Variable = (sandbox: LocalSandbox, description: EnvironmentDescription) => string | undefined;

/** The variables by which `exec` tells its command of the sandbox, the first offering and the folder for snapshots. */
const childValues = {
  OFFERING_SANDBOX_URL: ({ url }) => url,
  OFFERING_SANDBOX_BASE_URL: ({ baseUrl }) => baseUrl,
  OFFERING_SANDBOX_ADMIN_URL: ({ adminUrl }) => adminUrl,
  OFFERING_SANDBOX_MARKETING_KEY: (_, { marketing_key: key }) => key ?? undefined,
  OFFERING_SANDBOX_PARTNER_KEY: (_, { partner_key: key }) => key ?? undefined,
  OFFERING_SANDBOX_OFFERING_ID: (_, { offerings }) => offerings[0]?.id,
  OFFERING_SANDBOX_SNAPSHOT_DIR: ({ snapshotDir }) => (snapshotDir === null ? undefined : resolve(snapshotDir)),
} satisfies Readonly<Record<(typeof childVariableNames)[number], Variable>>;

/** The values of these variables; undefined for one without a value, so that the child does not inherit an old one. */
async function childVariables(sandbox: LocalSandbox): Promise<Readonly<Record<string, string | undefined>>> {
  const description = await sandbox.describe();
  return Object.fromEntries(
    Object.entries<Variable>(childValues).map(([name, valueOf]) => [name, valueOf(sandbox, description)]),
  );
}

/**
 * The variables that name the addresses to reach without a proxy. Adds those of this machine, which a proxy elsewhere
 * cannot reach. Next to other names, a `*` would not stand for all addresses, so it then replaces them.
 */
function withoutProxy({ NO_PROXY = "", no_proxy = "" }: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const names = new Set([NO_PROXY, no_proxy, "localhost,127.0.0.1,::1"].join().split(/[\s,]+/));
  names.delete("");
  const value = names.has("*") ? "*" : [...names].join();
  return { NO_PROXY: value, no_proxy: value };
}

/** How many closed environments are kept, the latest ones. */
const maxClosed = 200;

/** Begins to keep snapshots of a command's environments for a folder. `sandboxOf` returns their started sandbox. */
function commandSnapshots(folder: string, sandboxOf: () => LocalSandbox) {
  const before = countFiles(folder);
  /** A line about each snapshot of this process. */
  const lines: string[] = [];
  let closed: Awaited<ReturnType<typeof take>>[] = [];
  const write = async (make: () => ReturnType<typeof take>): Promise<void> => {
    lines.push(...(await writeSnapshot(async () => folder, make)));
  };
  const take = async (id: string) => {
    const environment = await sandboxOf().environment(id);
    const { label } = await environment.describe();
    return snapshotFileOf(environment, [label ?? id]);
  };
  return {
    /** Writes that of a failed test. Without an outcome, keeps one with requests: the command may fail later. */
    async beforeDrop(this: void, id: string, { outcome }: CloseOptions = {}): Promise<void> {
      if (outcome === "passed") return;
      if (outcome === "failed") return write(() => take(id));
      const { requests } = await sandboxOf().environment(id);
      if ((await requests.count()) > 0) closed = [...closed, await take(id)].slice(-maxClosed);
    },
    /** Prints what was written; after a failure first writes open environments, and closed ones unless tests did. */
    async finish(hasFailed: boolean): Promise<void> {
      if (hasFailed) {
        const kept = countFiles(folder) > before + lines.length ? [] : closed;
        for (const { id } of await sandboxOf().environmentSummaries()) await write(() => take(id));
        for (const file of kept) await write(async () => file);
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
