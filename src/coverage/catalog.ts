import { keyTypes } from "../model/vocabulary.ts";

/** The reactions that a real service would punish. */
export const risks = [
  { id: "too-early", section: "8", sentence: "asked before the time that Retry-After named" },
  { id: "refused-again", section: "5", sentence: "repeated a request after a 401 or 403" },
  { id: "not-found-again", section: "7", sentence: "asked three times for the same thing that is not there" },
  { id: "unknown-request", section: "4", sentence: "sent a parameter, path or method that does not exist" },
] as const;

export type RiskId = (typeof risks)[number]["id"];

/** Maximum number of examples of a behavior or a risk. */
export const maxExamples = 5;

/** The behavior that a report lists only if it was covered, because the specification does not name it. */
export const onlyIfCovered = "refusals.400";

/** A behavior of the service or of a client. The snippet is a line of JavaScript that covers it, with a `sandbox`. */
type BehaviorRow = readonly [name: string, section: string, sentence: string, snippet: string];

const offeringPath = "/offerings/${sandbox.offering.id}";
const listPath = `${offeringPath}/investments`;
const investmentPath = "/investments/${id}";

/** Returns the line that sends a GET and reads the response. */
function getSnippet(path: string, key = "${sandbox.keys.partner}"): string {
  const address = `\`\${sandbox.baseUrl}${path}\``;
  return `await fetch(${address}, { headers: { Authorization: \`Bearer ${key}\` } }).then((response) => response.text());`;
}

/** Returns the line that sends a GET whose response is incomplete. */
function brokenGetSnippet(path: string): string {
  return getSnippet(path).replace(/;$/, ".catch(() => {});");
}

/** Returns the line that makes the next requests fail. */
function faultSnippet(effect: string, times = 1): string {
  return `await sandbox.faults.add({ ${effect}, times: ${times} });`;
}

const investmentSnippet =
  "const [{ id }] = (await sandbox.investments.list({ offering_id: sandbox.offering.id })).data;";

const readOperations = [
  ["offering", "an offering", offeringPath, ""],
  ["investments", "the investments of an offering", listPath, ""],
  ["investment", "an investment", investmentPath, investmentSnippet],
  ["status", "the status of an investment", `${investmentPath}/status`, investmentSnippet],
  ["events", "the events of an investment", `${investmentPath}/events`, investmentSnippet],
] as const;

const limitSnippet = "await sandbox.limits.set(sandbox.keys.partner, 120);";
const revokedSnippet = `await sandbox.keys.revoke(sandbox.keys.partner); ${getSnippet(offeringPath)}`;
const waitSnippet = `${limitSnippet} ${getSnippet(offeringPath)} await sandbox.clock.advance("1m"); ${getSnippet(offeringPath)}`;

const behaviorRows: Readonly<Record<string, readonly BehaviorRow[]>> = {
  operations: readOperations.flatMap(([name, noun, path, setupSnippet]) =>
    keyTypes.map((type): BehaviorRow => {
      const line = getSnippet(path, `\${sandbox.keys.${type}}`);
      const key = type === "partner" ? "Partner" : "Marketing";
      return [`${name}.${type}`, "4", `A ${key} key reads ${noun}.`, setupSnippet ? `${setupSnippet} ${line}` : line];
    }),
  ),
  refusals: [
    ["missing", "5.3", "A request without a key gets a 401.", `await fetch(\`\${sandbox.baseUrl}${offeringPath}\`);`],
    ["malformed", "5.3", "A malformed or unknown key gets a 401.", getSnippet(offeringPath, "not a key")],
    ["revoked", "5.3", "A revoked key gets a 401.", revokedSnippet],
    ["offering", "5.4", "Another offering gets a 403.", getSnippet("/offerings/${sandbox.offerings[1].id}")],
    [
      "list",
      "5.4",
      "The list of another offering gets a 403.",
      getSnippet("/offerings/${sandbox.offerings[1].id}/investments"),
    ],
    [
      "unknown",
      "7",
      "An investment that does not exist gets a 404.",
      getSnippet("/investments/${crypto.randomUUID()}"),
    ],
    [
      "other-offering",
      "7",
      "An investment of another offering gets a 404.",
      `const { id } = await sandbox.investments.create({ offering_id: sandbox.offerings[1].id }); ${getSnippet(investmentPath)}`,
    ],
    ["429", "8", "More than 120 requests a minute get a 429.", `${limitSnippet} ${getSnippet(offeringPath)}`],
    [
      onlyIfCovered.slice("refusals.".length),
      "7",
      "A wrong parameter gets a 400.",
      getSnippet(`${listPath}?page=none`),
    ],
  ],
  failures: [
    ["status", "1", "A request gets a 5xx.", `${faultSnippet("respond: { status: 503 }")} ${getSnippet(offeringPath)}`],
    [
      "connection",
      "1",
      "A request gets no response.",
      `${faultSnippet('connection: "reset"')} ${brokenGetSnippet(offeringPath)}`,
    ],
    ["truncated", "1", "A response is cut off.", `${faultSnippet("truncate: 0.5")} ${brokenGetSnippet(offeringPath)}`],
  ],
  reactions: [
    ["waited", "8", "After a 429, the client waits as long as Retry-After says.", waitSnippet],
    ["came-back", "8", "After that wait, it repeats the request, which gets its response.", waitSnippet],
    ["stopped-401", "5.3", "After a 401, the client does not use the key again.", revokedSnippet],
    [
      "retried",
      "1",
      "The client repeats a request after a 5xx or a broken connection.",
      `${faultSnippet("respond: { status: 503 }")} ${getSnippet(offeringPath)} ${getSnippet(offeringPath)}`,
    ],
    [
      "backed-off",
      "1",
      "It waits longer before the next repetition.",
      `${faultSnippet("respond: { status: 503 }", 2)} for (const wait of ["1s", "2s", "4s"]) { ${getSnippet(offeringPath)} await sandbox.clock.advance(wait); }`,
    ],
  ],
};

/** All behaviors by id. An id such as `refusals.429` is the group, and the name in the group. */
export const behaviors = Object.entries(behaviorRows).flatMap(([group, members]) =>
  members.map(([name, section, sentence, snippet]) => ({ id: `${group}.${name}`, group, section, sentence, snippet })),
);
