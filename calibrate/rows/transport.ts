import { type OrderedError, orderOfErrors } from "../../src/assumptions/precedence.ts";
import type { Shape } from "../shapes.ts";
import {
  type CalibratedRows,
  decided,
  isRefusal,
  notAnswered,
  open,
  outside,
  type Seen,
  shown,
  type Verdict,
} from "../verdict.ts";

const needsExhaust = "needs a 429: --exhaust";

/** The requests within a minute that the specification allows (section 8). */
const allowed = 120;

/** Requests that two errors apply to, of which one is the answer. */
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

/** Limits, headers and access from browsers. */
export const transportRows = {
  "limit.window": {
    probes: ["window_opens", "window_fills", "window_reopens"],
    decide(seen) {
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
    probes: ["window_opens", "window_fills", "limited_answer"],
    decide(seen) {
      const fills = seen.all("window_fills");
      if (fills.length === 0) return without429(seen);
      const position = fills.findIndex(({ status }) => status === 429) + 1;
      // The one that opened the window counts too.
      if (position === allowed)
        return decided("every-request", "high", `a 429 at request ${allowed + 1}, most of them 404s`);
      if (position > 0) return outside(`a 429 at request ${position + 1}`, "every-request");
      const later = seen.all("limited_answer").findIndex(({ status }) => status === 429) + 1;
      // A service without a limit draws no 429 from anything: only one of answered requests tells what errors count.
      if (later === 0 || fills.length <= allowed) return without429(seen);
      if (later === 1) return decided("every-request", "high", `a 429 after ${fills.length} 404s`);
      if (later === allowed)
        return decided("answered", "high", `no 429 after ${fills.length} 404s, one after ${allowed} answered requests`);
      return outside(`a 429 after ${fills.length} 404s and ${later} answered requests`, "every-request");
    },
  },
  "limit.retry_after": {
    probes: ["window_fills"],
    decide(seen) {
      const shape = usedUp(seen) ?? seen.limited;
      if (!shape) return without429(seen);
      if (shape.retryAfter === "seconds" || shape.retryAfter === "http-date")
        return decided(shape.retryAfter, "high", "Retry-After of a 429");
      return outside(shape.retryAfter === undefined ? "a 429 without Retry-After" : "another form", "seconds");
    },
  },
  "limit.headers": {
    probes: ["offering"],
    decide(seen) {
      const shape = seen.one("offering");
      if (!shape) return notAnswered;
      const found = shape.headers.filter((name) => /rate-?limit/.test(name)).toSorted();
      if (found.length === 0) return decided("none", "high", "no such header");
      const names = found.slice(0, 6).join(", ") + (found.length > 6 ? ", …" : "");
      if (names === "ratelimit, ratelimit-policy" && shape.rateLimitForm === "draft-8")
        return decided("draft-8", "high", names);
      if (names !== threeHeaders) return outside(names, "draft-8");
      return shape.resetsAtTime
        ? decided("x-ratelimit", "high", names)
        : outside(`${names}, which is no time in seconds since 1970`, "x-ratelimit");
    },
  },
  content_type: {
    probes: ["offering"],
    decide(seen) {
      const shape = seen.one("offering");
      if (!shape) return notAnswered;
      const { mediaType } = shape;
      if (mediaType === "" || mediaType === "other")
        return outside(mediaType || "none", "application/json; charset=utf-8");
      return shown("content_type", mediaType, "high", "Content-Type", "application/json; charset=utf-8");
    },
  },
  cors: {
    probes: ["cors"],
    decide(seen) {
      const shape = seen.one("cors");
      if (!shape) return notAnswered;
      if (shape.allowsOrigin) return decided("yes", "high", "Access-Control-Allow-Origin");
      return decided("no", "medium", "no Access-Control-Allow-Origin; preflights were not asked");
    },
  },
  precedence: {
    probes: ["bad_size", ...pairs.map(({ probe }) => probe)],
    decide(seen) {
      // Where invalid parameters are ignored, a request with one has no error of them.
      const isIgnored = !seen.all("bad_size").some(isRefusal);
      const found = pairs.flatMap(({ probe, either }) => {
        if (isIgnored && either.some((error) => error === "400")) return [];
        const shape = seen.all(probe).at(-1);
        // Requests that are no 429s to the end say something only of a key that has none left.
        const isTelling =
          probe !== "window_fills" || shape?.status === 429 || seen.one("limited_answer")?.status === 429;
        const status = String(isTelling ? shape?.status : undefined);
        const first = either.find((error) => error.split("-")[0] === (status === "422" ? "400" : status));
        return first === undefined ? [] : { first, second: either[0] === first ? either[1] : either[0] };
      });
      if (found.length === 0) return notAnswered;
      const words = found.map(({ first, second }) => `${first} before ${second}`).join(", ");
      const order = orderFrom(found).join();
      // A value has a place for each error, and no request asks for that of 405.
      const unasked = found.some(({ first, second }) => [first, second].includes("429")) ? "405" : "405 and 429";
      return shown("precedence", order, "low", `${words}; not asked: ${unasked}`, "conventional");
    },
  },
} as const satisfies Partial<CalibratedRows>;

/** The reason of a row that needs a 429 where none came. */
function without429(seen: Seen): Verdict<never> {
  const sent = [...seen.all("window_opens"), ...seen.all("window_fills"), ...seen.all("limited_answer")];
  return open(sent.length === 0 ? needsExhaust : `no 429 after ${sent.length} requests`);
}

/** The 429 of the key that was used up. */
function usedUp(seen: Seen): Shape | undefined {
  const answers = [...seen.all("window_fills"), ...seen.all("limited_answer")];
  return answers.find(({ status }) => status === 429);
}

interface Pair {
  readonly first: OrderedError;
  readonly second: OrderedError;
}

/** Returns the order of errors that is nearest to the conventional one and has each pair as it was seen. */
function orderFrom(seen: readonly Pair[]): OrderedError[] {
  const left = [...orderOfErrors("conventional")];
  const order: OrderedError[] = [];
  while (left.length > 0) {
    // Errors of requests with a valid key come after the want of one. A circle, which no order has, is broken at its first.
    const isNext = (error: OrderedError): boolean =>
      seen.every(({ first, second }) => second !== error || order.includes(first)) &&
      (!["429", "403", "404"].includes(error) || order.includes("401"));
    const [next] = left.splice(Math.max(0, left.findIndex(isNext)), 1);
    if (next !== undefined) order.push(next);
  }
  return order;
}
