import type { RequestEntry, Sandbox } from "../../control.ts";
import type { StartSettings } from "../settings/start-settings.ts";

/** From what must be known to what may be: a log tells its level and those before it. */
export const logLevels = ["error", "warn", "info", "debug"] as const;

type LogLevel = (typeof logLevels)[number];

export const logFormats = ["pretty", "json"] as const;

/** What a sandbox tells the person or the program that started it. */
export interface Log {
  /** Everything is loaded and the sandbox listens. */
  readonly ready: (sandbox: Sandbox, settings: StartSettings) => void;
  /** Undefined where requests are not told, so that nobody prepares what nobody reads. */
  readonly request: ((entry: RequestEntry) => void) | undefined;
  readonly error: (message: string) => void;
  readonly warning: (message: string) => void;
  /** An edit was taken up. */
  readonly reload: (message: string) => void;
  readonly debug: (message: string) => void;
}

/** The log that the settings ask for. */
export async function openLog(settings: StartSettings): Promise<Log> {
  const format = settings["log-format"] ?? (process.stdout.isTTY ? "pretty" : "json");
  const level = settings["log-level"] ?? (settings.quiet ? "error" : "info");
  const log =
    format === "json" ? (await import("./json-log.ts")).jsonLog() : (await import("./pretty-log.ts")).prettyLog();
  return upTo(level, log);
}

const silent = (): void => {};

function upTo(level: LogLevel, log: Log): Log {
  const tells = (wanted: LogLevel): boolean => logLevels.indexOf(wanted) <= logLevels.indexOf(level);
  return {
    ready: log.ready,
    request: tells("info") ? log.request : undefined,
    error: log.error,
    warning: tells("warn") ? log.warning : silent,
    reload: tells("info") ? log.reload : silent,
    debug: tells("debug") ? log.debug : silent,
  };
}
