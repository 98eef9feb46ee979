import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Environment, RequestList, Snapshot } from "./control.ts";
import { codeOf, messageOf } from "./model/mistakes.ts";
import { hidden, issuedForm } from "./model/secrets.ts";
import { asLabel, escaped } from "./model/text.ts";
import { version } from "./package.ts";
import { requestLine, waitingLine } from "./request-line.ts";
import { makeFolder } from "./sandbox/made-folder.ts";

/** Why there is a case of an environment. */
export interface CaseReason {
  /** Those of a test: its file, its suites and itself. They name the files. */
  readonly titles: readonly string[];
  /** The message of the failure; empty if nobody knows it. */
  readonly failure: string;
}

/** For a sandbox elsewhere: the folder of the variable, or else of the config file here. Throws as `configOptions`. */
export async function casesDirHere(): Promise<string | undefined> {
  const { OFFERING_SANDBOX_CASES_DIR: folder = "" } = process.env;
  if (folder !== "") return folder;
  const { configOptions, presentConfig } = await import("./sandbox/config-file.ts");
  const file = presentConfig();
  return file === undefined ? undefined : (await configOptions(file)).casesDir;
}

/**
 * Writes the case of an environment to a folder, if there is one, and a text for people beside it. Returns a line with the file
 * and the command that opens it, or with the reason why it could not be written.
 */
export async function writeCase(
  folderOf: () => Promise<string | null | undefined>,
  environment: Environment,
  reason: CaseReason,
): Promise<string[]> {
  try {
    const folder = await folderOf();
    if (typeof folder !== "string") return [];
    const snapshot = await environment.snapshot();
    await makeFolder(folder);
    const path = await writeNew(join(folder, fileName(reason.titles)), `${JSON.stringify(snapshot)}\n`);
    await writeFile(`${path}.md`, await storyOf(environment, snapshot, reason));
    const file = relative("", `${path}.json`);
    return [`its case: ${escaped(file)}    ${replayLine(snapshot, file)}`];
  } catch (error) {
    return [`its case could not be written: ${escaped(messageOf(error))}`];
  }
}

/** In bytes: most systems bound a name at 255. */
const longestName = 200;

function fileName(titles: readonly string[]): string {
  const words = asLabel(titles.join("-"), 400).replaceAll(/[^\p{L}\p{M}\p{N}._]+/gu, "-");
  const start = Buffer.from(words.replace(/^[-.]+/, "")).subarray(0, longestName);
  return start.toString().replace(/[-\ufffd]+$/, "") || "case";
}

/** How many cases may have one name. */
const mostOfName = 100;

/** Writes a JSON file that was not there: another test or worker may have the name. Returns its path without the ending. */
async function writeNew(path: string, text: string): Promise<string> {
  for (let number = 1; ; number++) {
    const free = number === 1 ? path : `${path}-${number}`;
    try {
      await writeFile(`${free}.json`, text, { flag: "wx" });
      return free;
    } catch (error) {
      if (codeOf(error) !== "EEXIST" || number === mostOfName) throw error;
    }
  }
}

function replayLine({ fixture_document: fixture }: Snapshot, file: string): string {
  const word = /^[\w@%+=:,./\\-]+$/.test(file) ? file : `"${file}"`;
  return `npx offering-sandbox@${version} replay ${escaped(word)}${fixture === null ? " --fixture FILE" : ""}`;
}

/** How many requests the text for people has. */
const shownRequests = 50;

/** A case in Markdown, without keys. */
async function storyOf(environment: Environment, snapshot: Snapshot, reason: CaseReason): Promise<string> {
  const [described, requests, faults, assumptions] = await Promise.all([
    environment.describe(),
    environment.requests.list(),
    environment.faults.list(),
    environment.assumptions.list(),
  ]);
  const { clock, fixture, profile, vary_seed: seed, runs, keys } = described;
  const state = [
    `clock: ${clock.now}, ${clock.speed === 0 ? "frozen" : `${clock.speed} times real time`}`,
    `fixture: ${fixture}`,
    `profile: ${profile}${seed === null ? "" : `, varied by ${seed}`}`,
    ...assumptions.flatMap(({ id, value, profile_value: usual }) =>
      value === usual ? [] : [`assumption: ${id}=${value} in place of ${usual}`],
    ),
    ...faults.flatMap(({ active, id, words, used }) => (active ? `fault: ${words} (${id}), used ${used}` : [])),
    ...runs.map(({ id, scenario, status, problem }) =>
      [`run: ${scenario} (${id})`, status, ...(problem === null ? [] : [problem])].join(", "),
    ),
  ];
  const opening = [
    replayLine(snapshot, "FILE"),
    `npx offering-sandbox@${version} start ${snapshot.fixture_document === null ? "--fixture FILE " : ""}--snapshot FILE`,
  ];
  const text = [
    `# ${reason.titles.join(" > ")}`,
    ...section("The failure", [stripVTControlCharacters(reason.failure).slice(0, 4000)], "Its message is not known."),
    ...section("Asked and answered", requestLines(requests), "Nothing."),
    ...section("The sandbox at its end", state, ""),
    ...section("To open it", opening, ""),
    "",
    "FILE is the JSON file beside this text. `replay` asks the requests again and compares the answers. `start` goes on from",
    "the same state. Dropped on the portal's page Environments, it opens as an environment of its own.\n",
  ].join("\n");
  const secrets = keys.map(({ key }) => key);
  const concealed = secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), text);
  return escaped(concealed.replaceAll(issuedForm, hidden), "lines");
}

function requestLines({ data, dropped, waiting }: RequestList): string[] {
  const last = data.slice(-shownRequests);
  const before = dropped + data.length - last.length;
  return [
    ...(before > 0 ? [`… ${before} more before these`] : []),
    ...last.map((one) => `${one.date.slice(0, 19).replace("T", " ")}  ${requestLine({ ...one, environment: null })}`),
    ...waiting.map((request) => waitingLine(request)),
  ];
}

/** A heading with lines as they are; `none` stands for no text. */
function section(heading: string, lines: readonly string[], none: string): string[] {
  const text = lines.join("\n").trimEnd();
  return ["", `## ${heading}`, "", text === "" ? none : text.replaceAll(/^/gm, "    ")];
}
