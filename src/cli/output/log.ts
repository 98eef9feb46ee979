import type { Writable } from "node:stream";
import type { EnvironmentDescription, LocalSandbox, RequestEntry } from "../../public/control.ts";
import { defaultId, type Environments } from "../../environment/environments.ts";
import { isIssued, type Secrets } from "../../secrets/secrets.ts";
import { version } from "../../package.ts";
import { requestLine } from "../../testing/request-lines.ts";
import { logLevels, type StartSettings } from "../../settings/start-settings.ts";
import { portalLink } from "../../text/origin.ts";
import { stoppedRun } from "./text.ts";
import { madeUpToken, readyBlock, type Started, urlFlag } from "./ready-block.ts";
import { isTerminal, lineWriter, style } from "./terminal.ts";

/** Writes one JSON object per line, with its time in UTC. */
function jsonLog(out: Writable): Log {
  const line = lineWriter(out);
  const write = (event: string, more: object, level: (typeof logLevels)[number] = "info"): void =>
    line(JSON.stringify({ event, time: new Date().toISOString(), level, pid: process.pid, ...more }));
  return {
    ready(started, secrets) {
      const { url, baseUrl: base_url, adminUrl: admin_url } = started.sandbox;
      const admin_token = madeUpToken(started) ?? null;
      write("ready", {
        version,
        url,
        base_url,
        admin_url,
        admin_token,
        environment: withoutOwnKeys(started.environment, secrets),
      });
    },
    request: (entry) => write("request", entry),
    error: (message) => write("error", { message }, "error"),
    warning: (message) => write("warning", { message }, "warn"),
    done: (action, message) => write(action, { message }),
    portal: ({ url }) => write("portal", { url }),
    debug: (message) => write("debug", { message }, "debug"),
    happened: undefined,
  };
}

/** Conceals keys with a chosen text, in names too: logs are collected, and an application may use the same keys. */
function withoutOwnKeys(environment: EnvironmentDescription, secrets: Secrets): EnvironmentDescription {
  return JSON.parse(JSON.stringify(environment), (_name, value: unknown) =>
    typeof value === "string" && !isIssued(value) ? secrets.redact(value) : value,
  ) as EnvironmentDescription;
}

/** Output of a running sandbox for its starter, a person or a program. */
export interface Log {
  /** Everything is loaded and the sandbox listens. */
  readonly ready: (started: Started, secrets: Secrets) => void;
  /** Undefined if requests are not logged, which saves preparing entries. */
  readonly request: ((entry: RequestEntry) => void) | undefined;
  readonly error: (message: string) => void;
  readonly warning: (message: string) => void;
  /** A person acted, by an edit, a key or a signal, or the database answers again. */
  readonly done: (
    action: "reload" | "next" | "clock" | "reset" | "draining" | "stopping" | "database",
    message: string,
  ) => void;
  /** A person asked for the portal. Its link carries the token, which does not belong in a JSON log. */
  readonly portal: (sandbox: Pick<LocalSandbox, "url" | "adminToken">) => void;
  readonly debug: (message: string) => void;
  /** Things happened by the clock; undefined unless a person watches. Programs read the timeline. */
  readonly happened: ((lines: readonly string[]) => void) | undefined;
}

/** Opens the log for the settings. Errors go to stderr, in JSON to `out` like everything else. */
export function openLog(
  settings: Pick<StartSettings, "logFormat" | "logLevel" | "quiet">,
  out: Writable = process.stdout,
): Log {
  const level = settings.logLevel ?? (settings.quiet ? "error" : "info");
  const log = settings.logFormat === "json" ? jsonLog(out) : prettyLog(out);
  const logs = (wanted: typeof level): boolean => logLevels.indexOf(wanted) <= logLevels.indexOf(level);
  return {
    ...log,
    request: logs("debug") ? log.request : logs("info") ? exceptLooks(log.request) : undefined,
    warning: logs("warn") ? log.warning : silent,
    done: logs("info") ? log.done : silent,
    debug: logs("debug") ? log.debug : silent,
    happened: logs("info") && isTerminal(out) ? log.happened : undefined,
  };
}

const silent = (): void => {};

/** Leaves out the portal and reads of the admin API: they come several times per second. */
function exceptLooks(log: Log["request"]): Log["request"] {
  return (entry) => {
    if (entry.method !== "GET" || !/^\/(?:$|portal\/|__admin\/)/.test(entry.path)) log?.(entry);
  };
}

/** Writes lines for people: errors and warnings to stderr, everything else to `stream`. */
function prettyLog(stream: Writable): Log {
  const out = lineWriter(stream);
  const err = lineWriter(process.stderr);
  return {
    ready(started) {
      const { sandbox, settings } = started;
      const line = `offering-sandbox ready on ${sandbox.url}`;
      if (isTerminal(stream) && !settings.quiet) return out(`${readyBlock(started)}\n\n${line}`);
      const token = madeUpToken(started);
      const flags = urlFlag(sandbox.url) + (token === undefined ? "" : ` --token ${token}`);
      out(settings.admin ? `${line} (portal: /, keys: offering-sandbox keys list${flags})` : line);
      if (token !== undefined) out(`admin token  ${token}`);
    },
    request: (entry) => out(requestLine(entry, style)),
    error: (message) => err(`${style("red", "error")}  ${message}`),
    warning: (message) => err(`${style("yellow", "warning")}  ${message}`),
    done: (action, message) => out(`${style("cyan", action)}  ${message}`),
    portal: ({ url, adminToken }) => out(`${style("cyan", "portal")}  ${portalLink(url, adminToken)}`),
    debug: (message) => out(style("dim", `debug  ${message}`)),
    happened: (lines) => out(lines.join("\n")),
  };
}

/** Warns of each run that stops because a step or repetition was impossible. */
export function tellStoppedRuns(environments: Environments, log: Log): void {
  environments.onProblem(({ id, scenario, problem }, environment) => {
    const where = environment.id === defaultId ? "" : `environment ${environment.id}: `;
    const warning = where + stoppedRun({ id, scenario: scenario.name, problem: problem ?? "" });
    log.warning(environments.secrets.redact(warning));
  });
}
