import type { Writable } from "node:stream";
import type { EnvironmentDescription, ExampleCall, LocalSandbox, RequestEntry } from "../../public/control.ts";
import { defaultId, type Environments } from "../../environment/environments.ts";
import { isIssued, type Secrets } from "../../secrets/secrets.ts";
import { guides, version } from "../../package.ts";
import { requestLine } from "../../testing/request-lines.ts";
import { logLevels, startSettings, type StartSettings } from "../../settings/start-settings.ts";
import { portalLink } from "../../text/origin.ts";
import {
  formatClock,
  alignColumns,
  fitLine,
  indent,
  joinSections,
  formatStoppedRun,
  terminalWidth,
  wrap,
} from "./text.ts";
import { programName } from "../command.ts";
import { isTerminal, lineWriter, style } from "./terminal.ts";
import { formatCount } from "../../text/text.ts";

/** Writes one JSON object per line, with its time in UTC. */
function jsonLog(out: Writable): Log {
  const line = lineWriter(out);
  const write = (event: string, more: object, level: (typeof logLevels)[number] = "info"): void =>
    line(JSON.stringify({ event, time: new Date().toISOString(), level, pid: process.pid, ...more }));
  return {
    ready(started, secrets) {
      const { url, baseUrl: base_url, adminUrl: admin_url } = started.sandbox;
      const admin_token = generatedToken(started) ?? null;
      const environment = concealChosenKeys(started.environment, secrets);
      write("ready", { version, url, base_url, admin_url, admin_token, environment });
    },
    request: (entry) => write("request", entry),
    error: (message) => write("error", { message }, "error"),
    warning: (message) => write("warning", { message }, "warn"),
    done: (action, message) => write(action, { message }),
    portal: ({ url }) => write("portal", { url }),
    debug: (message) => write("debug", { message }, "debug"),
    activity: undefined,
  };
}

/** Conceals chosen keys, even in names, because logs are collected, and an application may use the same keys. */
function concealChosenKeys(environment: EnvironmentDescription, secrets: Secrets): EnvironmentDescription {
  return JSON.parse(JSON.stringify(environment), (_name, value: unknown) =>
    typeof value === "string" && !isIssued(value) ? secrets.redact(value) : value,
  ) as EnvironmentDescription;
}

/** The output of a running sandbox for the person or program that started it. */
export interface Log {
  /** Called when everything is loaded and the sandbox listens. */
  readonly ready: (started: Started, secrets: Secrets) => void;
  /** Undefined if requests are not logged, so that entries need not be prepared. */
  readonly request: ((entry: RequestEntry) => void) | undefined;
  readonly error: (message: string) => void;
  readonly warning: (message: string) => void;
  /** Called after an edit, a key or a signal of a person, or when the database responds again. */
  readonly done: (
    action: "reload" | "next" | "clock" | "reset" | "draining" | "stopping" | "database",
    message: string,
  ) => void;
  /** Called when a person opens the portal. Its link contains the token, which must not be in a JSON log. */
  readonly portal: (sandbox: Pick<LocalSandbox, "url" | "adminToken">) => void;
  readonly debug: (message: string) => void;
  /** Called with activity that the clock reached; undefined outside a terminal, because programs read the timeline. */
  readonly activity: ((lines: readonly string[]) => void) | undefined;
}

/** Opens the log for the settings. Errors go to stderr, in JSON to `out` like everything else. */
export function openLog(
  settings: Pick<StartSettings, "logFormat" | "logLevel" | "quiet">,
  out: Writable = process.stdout,
): Log {
  const level = settings.logLevel ?? (settings.quiet ? "error" : "info");
  const log = settings.logFormat === "json" ? jsonLog(out) : prettyLog(out);
  const isLogged = (messageLevel: typeof level): boolean => logLevels.indexOf(messageLevel) <= logLevels.indexOf(level);
  return {
    ...log,
    request: isLogged("debug") ? log.request : isLogged("info") ? omitReads(log.request) : undefined,
    warning: isLogged("warn") ? log.warning : silent,
    done: isLogged("info") ? log.done : silent,
    debug: isLogged("debug") ? log.debug : silent,
    activity: isLogged("info") && isTerminal(out) ? log.activity : undefined,
  };
}

const silent = (): void => {};

/** Omits requests of the portal and reads of the admin API, which come several times per second. */
function omitReads(log: Log["request"]): Log["request"] {
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
      if (isTerminal(stream) && !settings.quiet) return out(`${formatReady(started)}\n\n${line}`);
      const token = generatedToken(started);
      const flags = formatUrlFlag(sandbox.url) + (token === undefined ? "" : ` --token ${token}`);
      out(settings.admin ? `${line} (portal: /, keys: offering-sandbox keys list${flags})` : line);
      if (token !== undefined) out(`admin token  ${token}`);
    },
    request: (entry) => out(requestLine(entry, style)),
    error: (message) => err(`${style("red", "error")}  ${message}`),
    warning: (message) => err(`${style("yellow", "warning")}  ${message}`),
    done: (action, message) => out(`${style("cyan", action)}  ${message}`),
    portal: ({ url, adminToken }) => out(`${style("cyan", "portal")}  ${portalLink(url, adminToken)}`),
    debug: (message) => out(style("dim", `debug  ${message}`)),
    activity: (lines) => out(lines.join("\n")),
  };
}

/** Logs a warning for each run that stops because a step or repetition was impossible. */
export function warnOfStoppedRuns(environments: Environments, log: Log): void {
  environments.onProblem(({ id, scenario, problem }, environment) => {
    const where = environment.id === defaultId ? "" : `environment ${environment.id}: `;
    const warning = where + formatStoppedRun({ id, scenario: scenario.name, problem: problem ?? "" });
    log.warning(environments.secrets.redact(warning));
  });
}

/** A started sandbox that already listens. */
export interface Started {
  readonly sandbox: Pick<LocalSandbox, "url" | "baseUrl" | "adminUrl" | "adminToken">;
  readonly environment: EnvironmentDescription;
  readonly examples: readonly ExampleCall[];
  readonly settings: Pick<StartSettings, "admin" | "adminToken" | "quiet">;
  /** The effects of keys; empty without a terminal to read. */
  readonly terminalKeys: readonly (readonly [key: string, effect: string])[];
}

/** Returns the generated admin token; undefined without a token, or if a setting has it. */
function generatedToken({ sandbox, settings }: Pick<Started, "sandbox" | "settings">): string | undefined {
  return settings.adminToken === undefined ? (sandbox.adminToken ?? undefined) : undefined;
}

/** Formats the block on a terminal at the start. With the ready line and the cursor below it, it fits 80 × 24. */
export function formatReady(started: Started, width = terminalWidth): string {
  const sections = [
    [style("bold", `${programName} ${version}`)],
    indent(formatFacts(facts(started, width))),
    formatPasteLines(started, width),
    formatAllKeys(started, width),
    indent(formatFacts(pointers(started, width))),
  ];
  return joinSections(sections.filter((lines) => lines.length > 0));
}

/** A row of a table. Addresses, tokens and commands are never shortened, so that they can be copied. */
type Fact = readonly [name: string, value: string];

/** The widest name is "Base address". */
const nameWidth = 12;
/** The column where values begin. */
const margin = nameWidth + 4;

function formatFacts(rows: readonly Fact[]): string[] {
  return alignColumns(rows.map(([name, value]) => [name.padEnd(nameWidth), value]));
}

function facts(started: Started, width: number): Fact[] {
  const { sandbox, environment, settings } = started;
  const { fixture, profile, clock, runs, offerings } = environment;
  const investments = offerings.reduce((sum, offering) => sum + offering.investments, 0);
  const data = `${formatCount(offerings.length, "offering")}, ${formatCount(investments, "investment")}`;
  const playing = [...new Set(runs.map(({ scenario }) => scenario))].join(", ");
  const token = generatedToken(started);
  const isPasted = token !== undefined && formatPasteLines(started, width).some((line) => line.endsWith(token));
  return [
    ["Portal", settings.admin ? portalLink(sandbox.url, sandbox.adminToken) : "disabled, with the admin API"],
    ["Base address", sandbox.baseUrl],
    ...(token === undefined || isPasted ? [] : [["Admin token", token] as const]),
    ["Data", fitLine(`${fixture}${profile === "conventional" ? "" : `, profile ${profile}`}: ${data}`, width - margin)],
    ["Clock", fitLine(formatClock(clock) + (playing === "" ? "" : `; playing ${playing}`), width - margin)],
  ];
}

/** Formats shell lines to paste, all or one by one: the keys of one offering, and a request with each. */
function formatPasteLines(started: Started, width: number): string[] {
  const { sandbox, environment, examples } = started;
  const successes = examples.filter(({ status }) => status === 200);
  const calls = successes.filter(({ key }, index) => successes.findIndex((call) => call.key === key) === index);
  const [first] = calls;
  if (!first) return [];
  if (process.platform === "win32") return ["Try:", ...calls.map(({ curl }) => curl)];
  const keyOf = (secret: string) => environment.keys.find(({ key }) => key === secret);
  const offering = environment.offerings.find(({ id }) => id === keyOf(first.key)?.offering_id);
  const nameOf = ({ key }: ExampleCall): string => (keyOf(key)?.type ?? "key").toUpperCase();
  const token = generatedToken(started);
  const heading = `Paste these lines into a shell to try the keys of ${offering?.name ?? "an offering"}`;
  return [
    style("bold", `${fitLine(heading, width - 1)}:`),
    `export API=${sandbox.baseUrl}`,
    // The commands below read the token from this variable, because a second flag next to --url would not fit their
    // lines.
    ...(token === undefined ? [] : [`export OFFERING_SANDBOX_ADMIN_TOKEN=${token}`]),
    ...calls.map((call) => `export ${nameOf(call)}=${call.key}`),
    ...calls.flatMap((call) => formatCall(call, sandbox.baseUrl, nameOf(call), width)),
  ];
}

/** Formats a request with variables for its key and base address, on two lines if one line is too short. */
function formatCall({ curl, key }: ExampleCall, baseUrl: string, name: string, width: number): string[] {
  const line = curl.replace(key, `$${name}`).replace(baseUrl, "$API");
  const end = line.lastIndexOf(" ");
  return line.length <= width ? [line] : [`${line.slice(0, end)} \\`, `  ${line.slice(end + 1)}`];
}

/** Formats all keys if the admin API is disabled, because then no command can show them. */
function formatAllKeys({ environment: { keys, offerings }, settings }: Started, width: number): string[] {
  if (settings.admin) return [];
  const nameOf = (id: string): string => offerings.find((offering) => offering.id === id)?.name ?? id;
  return alignColumns(
    keys.map(({ key, label, type, offering_id }) => [key, label ?? `${nameOf(offering_id)} ${type}`]),
  ).map((line) => fitLine(line, width));
}

function pointers({ sandbox, environment: { keys }, settings, terminalKeys }: Started, width: number): Fact[] {
  const command = (words: string): string => formatCommand(sandbox.url, words);
  const keyText = terminalKeys.map(([key, effect]) => `${key} ${effect}`).join(", ");
  const adminRows: Fact[] = [
    ["More calls", command("examples")],
    [`All ${formatCount(keys.length, "key")}`, command("keys list")],
  ];
  return [
    ...(settings.admin ? adminRows : []),
    ["Guides", guides],
    ...wrap(keyText, width - margin).flatMap((line, index): Fact[] =>
      line === "" ? [] : [[index === 0 ? "Press" : "", line]],
    ),
  ];
}

/** Formats a command for this sandbox as its user would type it. */
function formatCommand(url: string, words: string): string {
  const { npm_command: npm } = process.env;
  return `${npm === undefined ? "" : "npx "}${programName} ${words}${formatUrlFlag(url)}`;
}

/** Formats the flag with which commands find the sandbox; empty for the default address. */
function formatUrlFlag(url: string): string {
  const { OFFERING_SANDBOX_URL: defaultUrl } = process.env;
  return url === (defaultUrl ?? `http://localhost:${startSettings.port.default}`) ? "" : ` --url ${url}`;
}
