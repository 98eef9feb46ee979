import type { Writable } from "node:stream";
import type { EnvironmentDescription, ExampleCall, LocalSandbox, RequestEntry } from "../../public/control.ts";
import { defaultId, type Environments } from "../../environment/environments.ts";
import { isIssued, type Secrets } from "../../secrets/secrets.ts";
import { guides, version } from "../../package.ts";
import { requestLine } from "../../testing/request-lines.ts";
import { logLevels, startSettings, type StartSettings } from "../../settings/start-settings.ts";
import { portalLink } from "../../text/origin.ts";
import { clockReading, columns, count, fitted, indent, joinSections, stoppedRun, terminalWidth, wrap } from "./text.ts";
import { programName } from "../command.ts";
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
      const environment = withoutOwnKeys(started.environment, secrets);
      write("ready", { version, url, base_url, admin_url, admin_token, environment });
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
  /** A person acted, by an edit, a key or a signal, or the database responds again. */
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

/** Omits the portal and reads of the admin API: they come several times per second. */
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

/** A sandbox at its start, already listening. */
export interface Started {
  readonly sandbox: Pick<LocalSandbox, "url" | "baseUrl" | "adminUrl" | "adminToken">;
  readonly environment: EnvironmentDescription;
  readonly examples: readonly ExampleCall[];
  readonly settings: Pick<StartSettings, "admin" | "adminToken" | "quiet">;
  /** The effects of keys; empty without a terminal to read. */
  readonly terminalKeys: readonly (readonly [key: string, effect: string])[];
}

/** The generated admin token; undefined without a token, or if a setting gave it. */
function madeUpToken({ sandbox, settings }: Pick<Started, "sandbox" | "settings">): string | undefined {
  return settings.adminToken === undefined ? (sandbox.adminToken ?? undefined) : undefined;
}

/** The text on a terminal at the start. With the ready line and the cursor below, it fits 80 × 24. */
export function readyBlock(started: Started, width = terminalWidth): string {
  const sections = [
    [style("bold", `${programName} ${version}`)],
    indent(factLines(facts(started, width))),
    toPaste(started, width),
    otherKeys(started, width),
    indent(factLines(pointers(started, width))),
  ];
  return joinSections(sections.filter((lines) => lines.length > 0));
}

/** A row of a table. Addresses, tokens and commands stay whole, to be copied. */
type Fact = readonly [name: string, value: string];

/** The widest name is "Base address". */
const nameWidth = 12;
/** The column where values begin. */
const margin = nameWidth + 4;

function factLines(rows: readonly Fact[]): string[] {
  return columns(rows.map(([name, value]) => [name.padEnd(nameWidth), value]));
}

function facts(started: Started, width: number): Fact[] {
  const { sandbox, environment, settings } = started;
  const { fixture, profile, clock, runs, offerings } = environment;
  const investments = offerings.reduce((sum, offering) => sum + offering.investments, 0);
  const data = `${count(offerings.length, "offering")}, ${count(investments, "investment")}`;
  const playing = [...new Set(runs.map(({ scenario }) => scenario))].join(", ");
  const token = madeUpToken(started);
  const isToPaste = token !== undefined && toPaste(started, width).some((line) => line.endsWith(token));
  return [
    ["Portal", settings.admin ? portalLink(sandbox.url, sandbox.adminToken) : "closed, with the admin API"],
    ["Base address", sandbox.baseUrl],
    ...(token === undefined || isToPaste ? [] : [["Admin token", token] as const]),
    ["Data", fitted(`${fixture}${profile === "conventional" ? "" : `, profile ${profile}`}: ${data}`, width - margin)],
    ["Clock", fitted(clockReading(clock) + (playing === "" ? "" : `; playing ${playing}`), width - margin)],
  ];
}

/** Shell lines to paste, all or one by one: the keys of one offering, and a call with each. */
function toPaste(started: Started, width: number): string[] {
  const { sandbox, environment, examples } = started;
  const fine = examples.filter(({ status }) => status === 200);
  const calls = fine.filter(({ key }, index) => fine.findIndex((one) => one.key === key) === index);
  const [first] = calls;
  if (!first) return [];
  if (process.platform === "win32") return ["Try:", ...calls.map(({ curl }) => curl)];
  const keyOf = (secret: string) => environment.keys.find(({ key }) => key === secret);
  const offering = environment.offerings.find(({ id }) => id === keyOf(first.key)?.offering_id);
  const nameOf = ({ key }: ExampleCall): string => (keyOf(key)?.type ?? "key").toUpperCase();
  const token = madeUpToken(started);
  const heading = `Paste these lines into a shell to try the keys of ${offering?.name ?? "an offering"}`;
  return [
    style("bold", `${fitted(heading, width - 1)}:`),
    `export API=${sandbox.baseUrl}`,
    // The commands below read the token from this variable: a second flag next to --url would not fit their lines.
    ...(token === undefined ? [] : [`export OFFERING_SANDBOX_ADMIN_TOKEN=${token}`]),
    ...calls.map((call) => `export ${nameOf(call)}=${call.key}`),
    ...calls.flatMap((call) => shortened(call, sandbox.baseUrl, nameOf(call), width)),
  ];
}

/** A call with variables for its key and base address, over two lines if it is too long for one. */
function shortened({ curl, key }: ExampleCall, baseUrl: string, name: string, width: number): string[] {
  const line = curl.replace(key, `$${name}`).replace(baseUrl, "$API");
  const end = line.lastIndexOf(" ");
  return line.length <= width ? [line] : [`${line.slice(0, end)} \\`, `  ${line.slice(end + 1)}`];
}

/** All keys, if the admin API is off: nothing else can show them then. */
function otherKeys({ environment: { keys, offerings }, settings }: Started, width: number): string[] {
  if (settings.admin) return [];
  const nameOf = (id: string): string => offerings.find((offering) => offering.id === id)?.name ?? id;
  return columns(keys.map(({ key, label, type, offering_id }) => [key, label ?? `${nameOf(offering_id)} ${type}`])).map(
    (line) => fitted(line, width),
  );
}

function pointers({ sandbox, environment: { keys }, settings, terminalKeys }: Started, width: number): Fact[] {
  const command = (words: string): string => typedCommand(sandbox.url, words);
  const pressed = terminalKeys.map(([key, effect]) => `${key} ${effect}`).join(", ");
  return [
    ...(settings.admin
      ? ([
          ["More calls", command("examples")],
          [`All ${count(keys.length, "key")}`, command("keys list")],
        ] as const)
      : []),
    ["Guides", guides],
    ...wrap(pressed, width - margin).flatMap((line, index): Fact[] =>
      line === "" ? [] : [[index === 0 ? "Press" : "", line]],
    ),
  ];
}

/** A command for this sandbox as its user would type it. */
function typedCommand(url: string, words: string): string {
  const { npm_command: npm } = process.env;
  return `${npm === undefined ? "" : "npx "}${programName} ${words}${urlFlag(url)}`;
}

/** The flag for commands to find a sandbox; empty at the default address. */
function urlFlag(url: string): string {
  const { OFFERING_SANDBOX_URL: known } = process.env;
  return url === (known ?? `http://localhost:${startSettings.port.default}`) ? "" : ` --url ${url}`;
}
