import type { FaultDescription, FaultRule } from "../../../src/control.ts";
import { count, number, span } from "../../format.ts";

/** `503 with Retry-After: 5, 1s..3s late`. */
export function effectInWords({ respond, connection, truncate, drip, delay }: FaultRule): string {
  const headers = Object.entries(respond?.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  const parts = [
    respond && [`status ${respond.status}`, ...(headers.length > 0 ? [`with ${headers.join(", ")}`] : [])].join(" "),
    connection && (connection === "reset" ? "connection reset" : "closed without an answer"),
    truncate !== undefined && `cut off after ${number(truncate * 100)} %`,
    drip && `${drip.bytes} bytes every ${durationInWords(drip.every)}`,
    delay !== undefined && `${delayInWords(delay)} late`,
  ];
  return parts.filter(Boolean).join(", ") || "nothing";
}

function delayInWords(delay: FaultRule["delay"]): string {
  if (typeof delay === "object") return delay.map(durationInWords).join(" to ");
  return durationInWords(delay ?? 0).replace("..", " to ");
}

function durationInWords(duration: number | string): string {
  if (typeof duration === "string") return duration;
  return duration < 1000 ? `${duration} ms` : span(duration);
}

/** `GET /investments/*, half of them`; a key by its name. */
export function matchInWords({ match, share }: FaultRule, nameOf: (keyId: string) => string): string {
  const which = [match?.method, match?.path].filter(Boolean).join(" ") || "every request";
  const key = match?.key_id === undefined ? "" : ` with the key ${nameOf(match.key_id)}`;
  return `${which}${key}${share === undefined ? "" : `, ${number(share * 100)} % of them`}`;
}

/** Whether it applies now: the clock may have passed its end since the sandbox told of it. */
export function isInForce({ active, until }: FaultDescription, now: number): boolean {
  return active && (until === null || now < Date.parse(until));
}

export function faultsInForce(faults: readonly FaultDescription[], now: number): readonly FaultDescription[] {
  return faults.filter((fault) => isInForce(fault, now));
}

/** `met 1 request, 1 to go, 28 s left on the clock`. */
export function usedInWords({ used, times, until }: FaultDescription, now: number, isPaused: boolean): string {
  const remaining = until === null ? 0 : Date.parse(until) - now;
  return [
    used === 0 ? "not met yet" : `met ${count(used, "request")}`,
    times !== undefined && times > used && `${number(times - used)} to go`,
    remaining > 0 && `${span(remaining)} left on the clock${isPaused ? ", which is paused" : ""}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** Whether two rules do the same, however their durations are written. */
export function isSameRule(one: FaultRule, other: FaultRule): boolean {
  return canonical(one) === canonical(other);
}

function canonical({ match = {}, respond, delay, connection, truncate, drip, times, share }: FaultRule): string {
  const headers = Object.entries(respond?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]);
  const conditions = [match.path, match.method, match.key_id];
  const ends = typeof delay === "string" ? delay.split("..") : typeof delay === "object" ? delay : [delay];
  return JSON.stringify([
    conditions,
    respond && [respond.status, headers, respond.body],
    ends.map(millisecondsOf),
    connection,
    truncate,
    drip,
    times,
    share,
  ]);
}

/** Of the short forms; any other text is its own. */
function millisecondsOf(duration: number | string | undefined): number | string | undefined {
  const [, digits, unit = "ms"] = /^(\d+)(ms|s|m)?$/.exec(String(duration)) ?? [];
  return digits === undefined ? duration : Number(digits) * { ms: 1, s: 1000, m: 60_000 }[unit as "ms"];
}
