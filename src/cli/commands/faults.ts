import type { FaultDescription, FaultRule } from "../../control.ts";
import type { Members } from "../../model/members.ts";
import { Mistake } from "../../model/mistakes.ts";
import { delay, duration, type Kind, kindOf, oneOf, share, text, wholeNumber } from "../../settings/kinds.ts";
import type { Values } from "../../settings/settings.ts";
import { connectedCommand } from "../connection.ts";
import { table } from "../output/lines.ts";

function faultTable(faults: readonly FaultDescription[]): string {
  if (faults.length === 0) return "No faults.";
  const rows = faults.map(({ id, words, used, active, until }) => {
    const end = until === null ? "" : `, until ${until}`;
    return [id, active ? "active" : "over", String(used), words + end];
  });
  return table(["id", "status", "used", "does"], rows);
}

/** `Retry-After: 5`, several times. */
const headerKind: Kind<Members> = kindOf(
  "name: value",
  `a header such as "Retry-After: 5"`,
  (value): value is Members => typeof value === "object",
  (written) => {
    const [, name, value = ""] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(written) ?? [];
    return name === undefined ? undefined : { [name]: value };
  },
  { shape: "map" },
);

/** `100/1s`: bytes, and the time between two pieces. */
const dripKind: Kind<NonNullable<FaultRule["drip"]>> = kindOf(
  "bytes/duration",
  `bytes and a duration such as "100/1s"`,
  (value): value is NonNullable<FaultRule["drip"]> => typeof value === "object",
  (written) => {
    const [, bytes, every] = /^(\d+)\/(.+)$/.exec(written) ?? [];
    return every === undefined ? undefined : { bytes: Number(bytes), every };
  },
);

const faultFlags = {
  path: {
    kind: text("pattern", "a path pattern such as '/investments/**'"),
    words: "only requests for this path; * is one segment or a part of it, ** any number",
  },
  method: {
    kind: oneOf(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
    words: "only requests with this method",
  },
  key: { kind: text("key", "a key's alias, label or id"), words: "only requests with this key" },
  status: { kind: wholeNumber(200, 599), words: "status to answer with" },
  header: { kind: headerKind, words: "header of that answer; repeatable" },
  body: {
    kind: text("body", "a body", /^/),
    words: "body of that answer: JSON, or a text; @file reads it from a file",
  },
  delay: { kind: delay, words: "delay before the answer, such as 2s, or a span such as 1s..3s" },
  connection: { kind: oneOf(["reset", "empty"]), words: "end the connection without an answer" },
  truncate: { kind: share, words: "share of the true body to send before the connection ends, such as 0.5" },
  drip: { kind: dripKind, words: "send the true body in pieces, so many bytes every so often, such as 100/1s" },
  times: { kind: wholeNumber(1), defaultInWords: "any number", words: "number of requests to fail" },
  for: { kind: duration, words: "how long it lasts by the sandbox's clock, such as 30s" },
  share: { kind: share, words: "share of the requests to fail, such as 0.2" },
} as const;

/** The body that a flag gives: the content of a file after `@`, as JSON where it is JSON. */
async function bodyOf(written: string): Promise<unknown> {
  const { readTextFile } = await import("../../model/file.ts");
  const content = written.startsWith("@") ? await readTextFile(written.slice(1)) : written;
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return content;
  }
}

async function ruleOf(options: Values<typeof faultFlags>): Promise<FaultRule> {
  const { path, method, key, status, header: headers, body, ...rest } = options;
  if (status === undefined && (headers !== undefined || body !== undefined))
    throw new Mistake("faults add needs --status with --header and --body.");
  const { delay: late, connection, truncate, drip } = rest;
  if ([status, late, connection, truncate, drip].every((value) => value === undefined))
    throw new Mistake("faults add needs --status, --delay, --connection, --truncate or --drip.");
  // A pattern without a slash before it may begin anywhere.
  const pattern = path === undefined || path.startsWith("/") ? path : `/**/${path}`;
  const match = { path: pattern, method, key_id: key };
  const rule = {
    ...rest,
    ...(Object.values(match).some((value) => value !== undefined) && { match }),
    ...(status !== undefined && {
      respond: { status, headers, ...(body !== undefined && { body: await bodyOf(body) }) },
    }),
  };
  // As the admin API gets it: without the members that are not given.
  return JSON.parse(JSON.stringify(rule)) as FaultRule;
}

export const faultCommands = [
  connectedCommand({
    name: "faults list",
    summary: "List the faults.",
    examples: [["faults list", "each with the number of requests that met it"]],
    ask: () => (environment) => environment.faults.list(),
    show: faultTable,
  }),
  connectedCommand({
    name: "faults add",
    summary: "Make requests fail or wait.",
    flags: faultFlags,
    examples: [
      ["faults add --path '*/investments*' --status 503 --times 2", "the next two lists fail"],
      ["faults add --delay 1s..3s --share 0.2 --for 30s", "one answer in five is late, for half a minute"],
      ["faults add --truncate 0.5 --times 1", "the next answer breaks off in the middle"],
      ["faults add --drip 100/1s", "answers trickle in, 100 bytes a second"],
      ["faults add --key aurora-partner --connection reset", "that key gets no answer"],
    ],
    ask: async (_, options) => {
      const rule = await ruleOf(options);
      return ({ faults }) => faults.add(rule);
    },
    show: (fault) => faultTable([fault]),
  }),
  connectedCommand({
    name: "faults remove",
    summary: "Remove a fault, or all.",
    operand: "[fault]",
    examples: [
      ["faults remove", "all of them"],
      ["faults remove fault-1", "one"],
    ],
    ask: (id) => (environment) => environment.faults.remove(id),
    show: () => "Removed.",
  }),
];
