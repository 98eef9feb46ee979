import { describeDuration, readDuration, readSpan, describeSpan } from "../time/duration.ts";
import { operations } from "./operations.ts";
import type { FaultRule } from "./shapes.ts";
import { allOf, clipped, didYouMean, quoted } from "../text/text.ts";

/** The parts of a request a fault can match. */
export interface FaultCandidate {
  /** The path below the base address, without the query: `/investments/…`. */
  readonly path: string;
  readonly method: string;
  /** The id of the request's key; null without a known key. */
  readonly key_id: string | null;
}

/** Returns true if a request meets every condition of a rule, and has a response that the rule can change. */
export function matchesFault(
  { match = {}, truncate, drip }: FaultRule,
  { path, method, key_id }: FaultCandidate,
): boolean {
  if (method === "HEAD" && (truncate !== undefined || drip)) return false;
  if (match.method !== undefined && match.method !== method) return false;
  if (match.key_id !== undefined && match.key_id !== key_id) return false;
  return match.path === undefined || matchesPath(match.path, path);
}

/** Returns the rule with the id of its key in place of another reference. */
export function withKeyId(rule: FaultRule, idOf: (reference: string) => string): FaultRule {
  const { key_id } = rule.match ?? {};
  return key_id === undefined ? rule : { ...rule, match: { ...rule.match, key_id: idOf(key_id) } };
}

/** Returns a member of a rule that is probably a slip, and why: it excludes every request, or no client can read it. */
export function doubtfulMember({
  match = {},
  share,
  truncate,
  drip,
  respond,
}: FaultRule): [name: string, reason: string] | undefined {
  const [header, wait] = Object.entries(respond?.headers ?? {}).find(([name]) => /^retry-after$/i.test(name)) ?? [];
  // RFC 9110, section 10.2.3
  if (header !== undefined && !/^(?:\d+|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT)$/.test(String(wait)))
    return [`respond.headers.${header}`, `is ${quoted(String(wait))}; clients expect whole seconds, or an HTTP date.`];
  const { path, method } = match;
  if (share === 0) return ["share", "is 0, which omits every request."];
  if (method === "HEAD" && (truncate !== undefined || drip))
    return ["match.method", "is HEAD, whose responses have no body."];
  if (path === undefined || operationPaths.some((operation) => couldMatch(path, operation))) return undefined;
  const shape = belowBase(path).replace(/\/(?:\{[^/]*\}|[\da-f-]{36})(?=\/|$)/gi, "/:id");
  const hint = didYouMean(shape, operationPaths) || ` There are ${allOf(operationPaths)}.`;
  return ["match.path", `is ${quoted(path)}, which matches no operation.${hint}`];
}

const operationPaths = operations.map(({ path }) => path);

/** Returns true if a pattern may match a path of the operation. In place of the id, tries every word of the pattern. */
function couldMatch(pattern: string, operation: string): boolean {
  const id = operation.split("/").indexOf(":id");
  const words = [...new Set(pattern.split("/")), "…"].filter((word) => word !== "");
  return words.some((word) => matchesPath(pattern, operation.split("/").with(id, word).join("/")));
}

function belowBase(path: string): string {
  return path.replace(/^(\/\*\*)*\/api\/v1(?=\/)/, "$1");
}

/**
 * Matches a path against a pattern, segment by segment: `*` or a name such as `:id` or `{id}` matches one segment, `**`
 * any number of segments including none, `*` within a segment any characters. Any other text matches itself. Both may
 * begin at the origin or at the base address. A slash at the beginning or the end makes no difference.
 */
export function matchesPath(pattern: string, path: string): boolean {
  return matchesAll(segments(belowBase(pattern)), segments(belowBase(path)), "**", matchesSegment);
}

/** Matches items in order. A wildcard stands for any number of items, none included. */
function matchesAll(
  patterns: readonly string[],
  items: readonly string[],
  wildcard: string,
  matches: (pattern: string | undefined, item: string) => boolean,
): boolean {
  let at = 0;
  // The last wildcard takes one more item each time that the rest does not match.
  let last: { pattern: number; item: number } | undefined;
  for (let item = 0; item < items.length;) {
    if (patterns[at] === wildcard) {
      last = { pattern: ++at, item };
    } else if (matches(patterns[at], items[item] ?? "")) {
      at++;
      item++;
    } else if (last) {
      item = ++last.item;
      at = last.pattern;
    } else {
      return false;
    }
  }
  return patterns.slice(at).every((pattern) => pattern === wildcard);
}

function segments(path: string): string[] {
  const all = path.replace(/^\//, "").split("/");
  return all.at(-1) === "" ? all.slice(0, -1) : all;
}

function matchesSegment(pattern: string | undefined, segment: string): boolean {
  if (pattern === undefined) return false;
  if (pattern === segment || /^(?::.*|\{[^{}]*\})$/.test(pattern)) return true;
  return matchesAll(pattern.split(""), segment.split(""), "*", (left, right) => left === right);
}

/** Describes which requests a fault is for, and how they fail: `GET /investments/**: status 503, 2 times`. */
export function faultSummary(rule: FaultRule): string {
  const key = rule.match?.key_id === undefined ? "" : ` with the key ${rule.match.key_id}`;
  return `${requestsOf(rule) || "every request"}${key}: ${effectOf(rule)}`;
}

/** Describes a fault without its key, which a scenario may name by its secret: `fault for GET /investments/**: …`. */
export function formatFault(rule: FaultRule): string {
  const requests = requestsOf(rule);
  return `fault${requests === "" ? "" : ` for ${requests}`}: ${effectOf(rule)}`;
}

/** Describes the matching requests: `20 % of GET /investments/**`; empty for all requests. */
function requestsOf({ match = {}, share }: FaultRule): string {
  const requests = [match.method, match.path].filter((part) => part !== undefined).join(" ");
  return share === undefined ? requests : `${percent(share)} of ${requests || "requests"}`;
}

function effectOf({ respond, delay, connection, truncate, drip, times }: FaultRule): string {
  const actions = [
    delay === undefined ? undefined : `delay ${describeSpan(readSpan(delay) ?? [0, 0])}`,
    respond && responseOf(respond),
    connection && `connection ${connection === "reset" ? "reset" : "closed without a response"}`,
    truncate === undefined ? undefined : `body cut off after ${percent(truncate)}`,
    drip && `body in pieces of ${drip.bytes} bytes, one every ${describeDuration(readDuration(drip.every) ?? 0)}`,
    times === undefined ? undefined : times === 1 ? "once" : `${times} times`,
  ];
  return actions.filter((part) => part !== undefined).join(", ");
}

/** Describes the response of a fault: `status 503 (Retry-After: 5, a body)`. */
function responseOf({ status, headers = {}, body }: NonNullable<FaultRule["respond"]>): string {
  const lines = Object.entries(headers).map(([name, value]) => clipped(`${name}: ${value}`));
  const parts = [...lines, ...(body === undefined ? [] : ["a body"])];
  return `status ${status}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(12))} %`;
}
