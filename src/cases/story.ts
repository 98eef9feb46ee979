import { stripVTControlCharacters } from "node:util";
import type { Environment, EnvironmentDescription, RequestList, Sandbox, Snapshot } from "../control.ts";
import { hidden, issuedForm, isSecretName, looksSecret } from "../model/secrets.ts";
import { asLabel, escaped } from "../model/text.ts";
import { version } from "../package.ts";
import { programLine } from "./replay-line.ts";
import { requestLines } from "./request-lines.ts";

/** Why there is a case of an environment. */
export interface CaseReason {
  /** Those of a test: its file, its suites and itself. They name the files. */
  readonly titles: readonly string[];
  /** The message of the failure; empty if nobody knows it. */
  readonly failure: string;
  /** Requests that came meanwhile without a key of any environment. */
  readonly keyless?: RequestList | undefined;
}

/** How many requests the text has. */
const shownRequests = 50;

/** A case in Markdown, for people, without keys. */
export async function storyOf(
  server: Sandbox,
  environment: Environment,
  { fixture_document: fixture }: Snapshot,
  { titles, failure, keyless }: CaseReason,
): Promise<string> {
  const [described, requests, state, ofServer] = await Promise.all([
    environment.describe(),
    environment.requests.list(),
    stateOf(environment),
    // With the open token nobody sees them.
    server.keys.list().catch(() => []),
  ]);
  const secrets = [...described.keys, ...ofServer].map(({ key }) => key);
  const withoutKeys = (text: string): string =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), text).replaceAll(issuedForm, hidden);
  const said = (text: string): string => concealed(withoutKeys(stripVTControlCharacters(text)));
  const missing = fixture === null ? " --fixture FILE" : "";
  const opening = [`${programLine()} replay FILE${missing}`, `${programLine()} start${missing} --snapshot FILE`];
  const stranger = keyless ? requestLines(keyless, shownRequests, true) : [];
  const text = [
    // A code span has neither Markdown nor HTML.
    `# \`${asLabel(said(titles.join(" > "))).replaceAll("`", "'")}\``,
    ...section("The failure", [said(failure.slice(0, 4000))], "Its message is not known."),
    ...section("Asked and answered", requestLines(requests, shownRequests, true), "No request with a key of it."),
    ...(stranger.length > 0
      ? section("Asked without a key of any sandbox, here or by a test beside it", stranger, "")
      : []),
    ...section("The sandbox at its end", [...summaryOf(described), ...state], ""),
    ...section("To open it", opening, ""),
    "",
    `FILE is the JSON file beside this text, to be opened with offering-sandbox ${version}: the lines above name the package that`,
    "wrote it, seen from the folder of the tests. `replay` asks the requests again and compares the answers. `start` goes on from",
    "the same state. Dropped on the portal's page Environments, it opens as an environment of its own.\n",
  ].join("\n");
  return escaped(withoutKeys(text), "lines");
}

function summaryOf({ clock, fixture, profile, runs }: EnvironmentDescription): string[] {
  return [
    `clock: ${clock.now}, ${clock.speed === 0 ? "frozen" : `${clock.speed} times real time`}`,
    `fixture: ${fixture}`,
    `profile: ${profile}`,
    ...runs.map(({ id, scenario, status, problem }) =>
      [`run: ${scenario} (${id})`, status, ...(problem === null ? [] : [problem])].join(", "),
    ),
  ];
}

async function stateOf({ faults, assumptions }: Environment): Promise<string[]> {
  return [
    ...(await assumptions.list()).flatMap(({ id, value, profile_value: usual }) =>
      value === usual ? [] : [`assumption: ${id}=${value} in place of ${usual}`],
    ),
    ...(await faults.list()).flatMap(({ active, id, words, used }) =>
      active ? `fault: ${words} (${id}), used ${used}` : [],
    ),
  ];
}

/** A text of somebody else with whatever looks like a key left out: after a scheme or a name, or by itself, in a URL too. */
function concealed(text: string): string {
  return text
    .replaceAll(/\b(basic|bearer|digest|negotiate|token)(\s+)[\w.~+/=-]{8,}/gi, `$1$2${hidden}`)
    .replaceAll(/([\w-]+)(["'\]]*\s*[:=]\s*["']?)([^\s"',;}]{4,})/g, (all, name: string, sign: string) =>
      isSecretName(name) ? name + sign + hidden : all,
    )
    .replaceAll(/[^\s"'`,;()[\]{}<>]+/g, (word) =>
      looksSecret(word.replace(/[:=]+$/, ""))
        ? word.replaceAll(/[^/?&]+/g, (part) => (looksSecret(part) ? hidden : part))
        : word,
    );
}

/** A heading with lines as they are; `none` stands for no text. */
function section(heading: string, lines: readonly string[], none: string): string[] {
  const text = lines.join("\n").trimEnd();
  return ["", `## ${heading}`, "", text === "" ? none : text.replaceAll(/^/gm, "    ")];
}
