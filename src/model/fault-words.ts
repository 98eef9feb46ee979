import { durationInWords, spanInWords, readDuration, readSpan } from "./duration.ts";
import type { FaultRule } from "./shapes.ts";
import { clipped } from "./text.ts";

/**
 * Describes which requests a fault applies to, and how they fail: `GET /investments/**: status 503, 2 times`. A key is
 * named by its id.
 */
export function faultWords(rule: FaultRule): string {
  const key = rule.match?.key_id === undefined ? "" : ` with the key ${rule.match.key_id}`;
  return `${requestsOf(rule) || "every request"}${key}: ${effectOf(rule)}`;
}

/** `fault for GET /investments/**: status 503, 2 times`, without the key, which a scenario may name by its text. */
export function faultInWords(rule: FaultRule): string {
  const requests = requestsOf(rule);
  return `fault${requests === "" ? "" : ` for ${requests}`}: ${effectOf(rule)}`;
}

/** `20 % of GET /investments/**`; empty for all requests. */
function requestsOf({ match = {}, share }: FaultRule): string {
  const calls = [match.method, match.path].filter((part) => part !== undefined).join(" ");
  return share === undefined ? calls : `${percent(share)} of ${calls || "requests"}`;
}

function effectOf({ respond, delay, connection, truncate, drip, times }: FaultRule): string {
  const actions = [
    delay === undefined ? undefined : `delay ${spanInWords(readSpan(delay) ?? [0, 0])}`,
    respond && answerOf(respond),
    connection && `connection ${connection === "reset" ? "reset" : "closed without an answer"}`,
    truncate === undefined ? undefined : `body cut off after ${percent(truncate)}`,
    drip && `body in pieces of ${drip.bytes} bytes, one every ${durationInWords(readDuration(drip.every) ?? 0)}`,
    times === undefined ? undefined : times === 1 ? "once" : `${times} times`,
  ];
  return actions.filter((part) => part !== undefined).join(", ");
}

/** `status 503 (Retry-After: 5, a body)` */
function answerOf({ status, headers = {}, body }: NonNullable<FaultRule["respond"]>): string {
  const lines = Object.entries(headers).map(([name, value]) => clipped(`${name}: ${value}`));
  const parts = [...lines, ...(body === undefined ? [] : ["a body"])];
  return `status ${status}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(12))} %`;
}
