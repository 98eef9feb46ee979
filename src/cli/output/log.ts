import type { Writable } from "node:stream";
import type { EnvironmentDescription, KeyDescription, LocalSandbox, RequestEntry } from "../../control.ts";
import { version } from "../../package.ts";
import { requestLine } from "../../request-line.ts";
import { logLevels, type StartSettings } from "../../settings/settings.ts";
import { lineWriter, style } from "./terminal.ts";
import { clockReading, columns, count, indent, joinSections } from "./text.ts";

/** Writes one JSON object per line. */
function jsonLog(out: Writable): Log {
  const line = lineWriter(out);
  const write = (event: string, more: object): void => line(JSON.stringify({ event, ...more }));
  return {
    ready: ({ sandbox: { url, baseUrl, adminUrl, adminToken }, environment }) =>
      write("ready", { version, url, base_url: baseUrl, admin_url: adminUrl, admin_token: adminToken, environment }),
    request: (entry) => write("request", entry),
    error: (message) => write("error", { message }),
    warning: (message) => write("warning", { message }),
    done: (action, message) => write(action, { message }),
    debug: (message) => write("debug", { message }),
  };
}

interface Started {
  readonly sandbox: LocalSandbox;
  readonly environment: EnvironmentDescription;
  readonly settings: StartSettings;
  /** The effects of keys; empty without a terminal to read. */
  readonly terminalKeys: readonly (readonly [key: string, effect: string])[];
}

/** Output of a running sandbox for the person or program that started it. */
export interface Log {
  /** Everything is loaded and the sandbox listens. */
  readonly ready: (started: Started) => void;
  /** Undefined if requests are not logged, which saves preparing entries. */
  readonly request: ((entry: RequestEntry) => void) | undefined;
  readonly error: (message: string) => void;
  readonly warning: (message: string) => void;
  /** A person acted: saved an edit, or pressed a key. */
  readonly done: (action: "reload" | "next" | "clock" | "reset", message: string) => void;
  readonly debug: (message: string) => void;
}

/** Opens the log for the settings. Errors go to stderr, in JSON to `out` like everything else. */
export function openLog(
  settings: Pick<StartSettings, "logFormat" | "logLevel" | "quiet">,
  out: Writable = process.stdout,
): Log {
  const format = settings.logFormat ?? (process.stdout.isTTY ? "pretty" : "json");
  const level = settings.logLevel ?? (settings.quiet ? "error" : "info");
  const log = format === "json" ? jsonLog(out) : prettyLog(out);
  const logs = (wanted: typeof level): boolean => logLevels.indexOf(wanted) <= logLevels.indexOf(level);
  return {
    ...log,
    request: logs("debug") ? log.request : logs("info") ? exceptAdminReads(log.request) : undefined,
    warning: logs("warn") ? log.warning : silent,
    done: logs("info") ? log.done : silent,
    debug: logs("debug") ? log.debug : silent,
  };
}

const silent = (): void => {};

/** Leaves out reads of the admin API: `requests --follow` sends several per second. */
function exceptAdminReads(log: Log["request"]): Log["request"] {
  return (entry) => {
    if (entry.method !== "GET" || !entry.path.startsWith("/__admin/")) log?.(entry);
  };
}

/** The text at the start of a sandbox: addresses, data, and calls to paste. */
function readyBlock(started: Started): string {
  const { sandbox, environment, terminalKeys } = started;
  const sections = [
    [style("bold", `offering-sandbox ${version}`), ...indent(facts(started))],
    [style("bold", "Offerings"), ...indent(offerings(environment))],
    [style("bold", "Keys"), ...indent(keys(environment))],
    [style("bold", "Try"), ...indent(examples(sandbox))],
  ];
  if (terminalKeys.length > 0) sections.push([style("bold", "Press"), ...indent(columns(terminalKeys))]);
  return `${joinSections(sections)}\n`;
}

function facts({ sandbox, environment, settings }: Started): string[] {
  const { fixture, profile, clock, runs } = environment;
  const rows = [
    ["Base address", sandbox.baseUrl],
    ["Admin address", settings.admin ? sandbox.adminUrl : "closed"],
    ["Fixture", fixture],
    ["Profile", profile],
    ["Clock", clockReading(clock)],
  ];
  if (runs.length > 0) rows.push(["Playing", runs.map(({ scenario }) => scenario).join(", ")]);
  if (sandbox.adminToken !== null) rows.splice(2, 0, ["Admin token", sandbox.adminToken]);
  return columns(rows);
}

function offerings({ offerings: all }: EnvironmentDescription): string[] {
  const rows = all.map(({ id, name, alias, investments }) => [name, alias ?? "", id, count(investments, "investment")]);
  return columns(rows);
}

function keys({ keys: all, offerings: served }: EnvironmentDescription): string[] {
  const nameOf = (key: KeyDescription): string =>
    served.find(({ id }) => id === key.offering_id)?.name ?? key.offering_id;
  return columns(all.map((key) => [key.key, key.label ?? `${nameOf(key)} ${key.type}`, effect(key)]));
}

function effect({ status, type }: KeyDescription): string {
  if (status === "revoked") return "every call is a 401";
  return type === "partner" ? "personal data, no phone numbers" : "personal data redacted, phone numbers";
}

function examples(sandbox: LocalSandbox): string[] {
  return sandbox.examples().flatMap(({ status, title, curl }) => [style("dim", `${status}  ${title}`), `     ${curl}`]);
}

/** Writes lines for people: errors and warnings to stderr, everything else to `stream`. */
function prettyLog(stream: Writable): Log {
  const out = lineWriter(stream);
  const err = lineWriter(process.stderr);
  return {
    ready: (started) => {
      if (!started.settings.quiet) out(readyBlock(started));
      out(`offering-sandbox ready on ${started.sandbox.url}`);
    },
    request: (entry) => out(requestLine(entry, style)),
    error: (message) => err(`${style("red", "error")}  ${message}`),
    warning: (message) => err(`${style("yellow", "warning")}  ${message}`),
    done: (action, message) => out(`${style("cyan", action)}  ${message}`),
    debug: (message) => out(style("dim", `debug  ${message}`)),
  };
}
