import type { EnvironmentDescription, ExampleCall, LocalSandbox } from "../../public/control.ts";
import { portalLink } from "../../text/origin.ts";
import { guides, version } from "../../package.ts";
import { startSettings, type StartSettings } from "../../settings/start-settings.ts";
import { programName } from "../command.ts";
import { style } from "./terminal.ts";
import { clockReading, columns, count, fitted, indent, joinSections, terminalWidth, wrap } from "./text.ts";

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
export function madeUpToken({ sandbox, settings }: Pick<Started, "sandbox" | "settings">): string | undefined {
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
export function urlFlag(url: string): string {
  const { OFFERING_SANDBOX_URL: known } = process.env;
  return url === (known ?? `http://localhost:${startSettings.port.default}`) ? "" : ` --url ${url}`;
}
