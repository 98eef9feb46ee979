import type { Writable } from "node:stream";
import type { EnvironmentDescription, LocalSandbox, RequestEntry } from "../../control.ts";
import type { StartSettings } from "../settings/start-settings.ts";

/** From what must be known to what may be: a log tells its level and those before it. */
export const logLevels = ["error", "warn", "info", "debug"] as const;

type LogLevel = (typeof logLevels)[number];

export const logFormats = ["pretty", "json"] as const;

/** A sandbox that has just started, and what is to be said of it. */
export interface Started {
  readonly sandbox: LocalSandbox;
  readonly environment: EnvironmentDescription;
  readonly settings: StartSettings;
  /** What the keys of the terminal do; empty where there is no terminal to read. */
  readonly terminalKeys: readonly (readonly [key: string, effect: string])[];
}

/** What was done in a sandbox at a person's word: an edit saved, a key pressed. */
type Deed = "reload" | "next" | "clock" | "reset";

/** What a sandbox tells the person or the program that started it. */
export interface Log {
  /** Everything is loaded and the sandbox listens. */
  readonly ready: (started: Started) => void;
  /** Undefined where requests are not told, so that nobody prepares what nobody reads. */
  readonly request: ((entry: RequestEntry) => void) | undefined;
  readonly error: (message: string) => void;
  readonly warning: (message: string) => void;
  readonly done: (what: Deed, message: string) => void;
  readonly debug: (message: string) => void;
}

/** The log that the settings ask for. `out` is where it tells what happens. */
export async function openLog(
  settings: Pick<StartSettings, "log-format" | "log-level" | "quiet">,
  out: Writable = process.stdout,
): Promise<Log> {
  const format = settings["log-format"] ?? (process.stdout.isTTY ? "pretty" : "json");
  const level = settings["log-level"] ?? (settings.quiet ? "error" : "info");
  const log =
    format === "json" ? (await import("./json-log.ts")).jsonLog(out) : (await import("./pretty-log.ts")).prettyLog(out);
  return upTo(level, log);
}

const silent = (): void => {};

function upTo(level: LogLevel, log: Log): Log {
  const tells = (wanted: LogLevel): boolean => logLevels.indexOf(wanted) <= logLevels.indexOf(level);
  return {
    ready: log.ready,
    request: tells("debug") ? log.request : tells("info") ? exceptLooks(log.request) : undefined,
    error: log.error,
    warning: tells("warn") ? log.warning : silent,
    done: tells("info") ? log.done : silent,
    debug: tells("debug") ? log.debug : silent,
  };
}

/** Without the requests that only look at the sandbox: whoever follows it looks several times a second. */
function exceptLooks(tell: Log["request"]): Log["request"] {
  return (entry) => {
    if (entry.method !== "GET" || !entry.path.startsWith("/__admin/")) tell?.(entry);
  };
}
