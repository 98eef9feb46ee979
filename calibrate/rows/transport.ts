import { type OrderedError, orderOfErrors } from "../../src/assumptions/precedence.ts";
import type { Shape } from "../answers/shape.ts";
import { decided, notAnswered, open, outside, type Rows, type Verdict } from "./row.ts";
import { isRefusal, type Seen } from "./seen.ts";

const needsExhaust = "needs a 429: --exhaust";

/** Requests within a minute (section 8). */
const allowed = 120;

/** Requests with two errors, of which one is the answer. */
const pairs = [
  { probe: "no_key_unknown_path", either: ["401", "404-path"] },
  { probe: "no_key_bad_size", either: ["401", "400"] },
  { probe: "foreign_offering_bad_size", either: ["403", "400"] },
  { probe: "unknown_investment_bad_date", either: ["400", "404"] },
  { probe: "limited_unknown_path", either: ["429", "404-path"] },
  { probe: "limited_foreign_offering", either: ["429", "403"] },
  { probe: "limited_bad_size", either: ["429", "400"] },
  { probe: "window_fills", either: ["429", "404"] },
] as const;

/** The headers of `limit.headers=x-ratelimit`, all of them. */
const threeHeaders = "x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset";

/** Limits, headers, access from browsers, and the order of errors. */
export const transportTable: Rows = {
  "limit.window": {
    probes: ["window_fills", "window_opens", "window_reopens"],
    unanswered: needsExhaust,
    decide(_, seen) {
      const after = seen.all("window_reopens");
      const { retryIn = 0 } = usedUp(seen) ?? {};
      if (retryIn > 65_000) return open("Retry-After of more than the minute of the specification");
      if (retryIn > 50_000)
        return decided("sliding", "high", "Retry-After of a minute, half a minute after the first request");
      if (after.length === 0) return without429(seen);
      if (after.some(({ status }) => status === 429)) return decided("sliding", "high", "a 429 soon after Retry-After");
      return after.length === 3
        ? decided("fixed", "high", "three requests pass after Retry-After")
        : open("too few requests passed");
    },
  },
  "limit.counts": {
    probes: ["window_fills", "window_opens", "limited_answer"],
    unanswered: needsExhaust,
    decide(_, seen) {
      const fills = seen.all("window_fills");
      const position = fills.findIndex(({ status }) => status === 429) + 1;
      // The request that opened the window counts too.
      if (position === allowed)
        return decided("every-request", "high", `a 429 at request ${allowed + 1}, most of them 404s`);
      if (position > 0) return outside(`a 429 at request ${position + 1}`);
      const later = seen.all("limited_answer").findIndex(({ status }) => status === 429) + 1;
      // Only a 429 after answered requests shows whether errors count: a service without a limit sends none.
      if (later === 0 || fills.length <= allowed) return without429(seen);
      const without = `${fills.length} 404s`;
      if (later === 1) return decided("every-request", "high", `a 429 after ${without}`);
      if (later === allowed)
        return decided("answered", "high", `no 429 after ${without}, one after ${allowed} answered requests`);
      return outside(`a 429 after ${without} and ${later} answered requests`);
    },
  },
  "limit.retry_after": {
    probes: ["window_fills"],
    unanswered: needsExhaust,
    instead: ({ limited }) => limited,
    decide(_, seen) {
      const shape = usedUp(seen) ?? seen.limited;
      if (!shape) return without429(seen);
      const { retryAfter } = shape;
      if (retryAfter === undefined || retryAfter === "other")
        return outside(retryAfter ? "another form" : "a 429 without Retry-After");
      return decided(retryAfter, "high", "Retry-After of a 429");
    },
  },
  "limit.headers": {
    probes: ["offering"],
    decide({ headers, hasDraft8, resetsAtTime }) {
      const limits = headers.filter((name) => /rate-?limit/.test(name)).toSorted();
      if (limits.length === 0) return decided("none", "high", "no such header");
      const names = limits.slice(0, 6).join(", ") + (limits.length > 6 ? ", …" : "");
      if (names === "ratelimit, ratelimit-policy" && hasDraft8) return decided("draft-8", "high", names);
      if (names !== threeHeaders) return outside(names, "draft-8");
      return resetsAtTime
        ? decided("x-ratelimit", "high", names)
        : outside(`${names}, which is no time in seconds since 1970`, "x-ratelimit");
    },
  },
  content_type: {
    probes: ["offering"],
    decide: ({ mediaType }) =>
      mediaType === "" || mediaType === "other"
        ? outside(mediaType || "none")
        : decided(mediaType, "high", "Content-Type"),
  },
  cors: {
    probes: ["cors"],
    decide: ({ allowsOrigin }) =>
      allowsOrigin
        ? decided("yes", "high", "Access-Control-Allow-Origin")
        : decided("no", "medium", "no Access-Control-Allow-Origin; preflights were not asked"),
  },
  precedence: {
    probes: ["no_key_unknown_path", "bad_size", ...pairs.map(({ probe }) => probe).slice(1)],
    decide(_, seen) {
      // Where invalid parameters are ignored, a request with one has no error of them.
      const isIgnored = !seen.all("bad_size").some(isRefusal);
      const orders = pairs.flatMap(({ probe, either }) => {
        if (isIgnored && either.some((error) => error === "400")) return [];
        const shape = seen.all(probe).at(-1);
        // Without a 429 of its own, the 404s say something only if the limit came later.
        const isTelling =
          probe !== "window_fills" || shape?.status === 429 || seen.one("limited_answer")?.status === 429;
        const status = String(isTelling ? shape?.status : undefined);
        const first = either.find((error) => error.split("-")[0] === (status === "422" ? "400" : status));
        return first === undefined ? [] : { first, second: either[0] === first ? either[1] : either[0] };
      });
      if (orders.length === 0) return open(notAnswered);
      const observations = orders.map(({ first, second }) => `${first} before ${second}`).join(", ");
      // A value has a place for 405 too, and no request asks for it.
      const unasked = orders.some(({ first, second }) => [first, second].includes("429")) ? "405" : "405 and 429";
      return decided(orderFrom(orders).join(), "low", `${observations}; not asked: ${unasked}`);
    },
  },
};

function without429(seen: Seen): Verdict {
  const sent = [...seen.all("window_opens"), ...seen.all("window_fills"), ...seen.all("limited_answer")];
  return open(`no 429 after ${sent.length} requests`);
}

/** The 429 of the exhausted key. */
function usedUp(seen: Seen): Shape | undefined {
  const answers = [...seen.all("window_fills"), ...seen.all("limited_answer")];
  return answers.find(({ status }) => status === 429);
}

interface Pair {
  readonly first: OrderedError;
  readonly second: OrderedError;
}

/** Returns the order of errors nearest to the conventional one with each pair as seen. */
function orderFrom(seen: readonly Pair[]): OrderedError[] {
  const remaining = [...orderOfErrors("conventional")];
  const order: OrderedError[] = [];
  while (remaining.length > 0) {
    // Errors of requests with a valid key come after the want of one. A circle, which no order has, is broken at its first.
    const isNext = (error: OrderedError): boolean =>
      seen.every(({ first, second }) => second !== error || order.includes(first)) &&
      (!["429", "403", "404"].includes(error) || order.includes("401"));
    const [next] = remaining.splice(Math.max(0, remaining.findIndex(isNext)), 1);
    if (next !== undefined) order.push(next);
  }
  return order;
}
