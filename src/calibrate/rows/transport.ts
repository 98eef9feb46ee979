import type { Shape } from "../shapes.ts";
import { type CalibratedRows, decided, notAnswered, open, outside, type Seen, shown } from "../verdict.ts";

const needsExhaust = "needs a 429: --exhaust";

/** The requests within a minute that the specification allows (section 8). */
const allowed = 120;

/** Limits, headers and access from browsers. */
export const transportRows = {
  "limit.window": {
    probes: ["window_opens", "window_fills", "window_reopens"],
    decide(seen) {
      const after = seen.all("window_reopens");
      const { retryIn = 0 } = refused(seen) ?? {};
      if (retryIn > 50_000)
        return decided("sliding", "high", "Retry-After of a minute, half a minute after the first request");
      if (after.length === 0) return open(seen.one("window_fills") ? "no 429 came" : needsExhaust);
      if (after.some(({ status }) => status === 429)) return decided("sliding", "high", "a 429 soon after Retry-After");
      return after.length === 3
        ? decided("fixed", "high", "three requests pass after Retry-After")
        : open("too few requests passed");
    },
  },
  "limit.counts": {
    probes: ["window_opens", "window_fills"],
    decide(seen) {
      const fills = seen.all("window_fills");
      if (fills.length === 0) return open(needsExhaust);
      const position = fills.findIndex(({ status }) => status === 429) + 1;
      // The one that opened the window counts too.
      if (position === allowed)
        return decided("every-request", "high", `a 429 at request ${allowed + 1}, all of them 404s`);
      if (position > 0) return outside(`a 429 at request ${position + 1}`, "every-request");
      return fills.length > allowed
        ? shown("limit.counts", "answered", "medium", `no 429 after ${fills.length + 1} 404s`, "every-request")
        : open("no 429 came");
    },
  },
  "limit.retry_after": {
    probes: ["window_fills"],
    decide(seen) {
      const shape = refused(seen);
      if (!shape) return open(needsExhaust);
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
      const names = shape.headers.filter((name) => name.includes("ratelimit"));
      if (names.length === 0) return decided("none", "high", "no such header");
      if (names.includes("ratelimit") && names.includes("ratelimit-policy") && shape.rateLimitForm === "draft-8")
        return decided("draft-8", "high", names.join(", "));
      if (names.every((name) => name.startsWith("x-ratelimit-")))
        return shown("limit.headers", "x-ratelimit", "high", names.join(", "), "draft-8");
      return outside(names.join(", "), "draft-8");
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
    probes: [
      "no_key_unknown_path",
      "unknown_path",
      "foreign_offering_bad_size",
      "unknown_investment_bad_date",
      "bad_size",
    ],
    decide(seen) {
      const invalid = seen.one("bad_size")?.status ?? 200;
      const pairs = [
        { first: seen.one("no_key_unknown_path"), expected: 401, words: "no key, unknown path" },
        { first: seen.one("foreign_offering_bad_size"), expected: 403, words: "another offering, invalid size" },
        ...(invalid === 200
          ? []
          : [
              {
                first: seen.one("unknown_investment_bad_date"),
                expected: invalid,
                words: "unknown investment, invalid date",
              },
            ]),
      ].flatMap(({ first, ...rest }) => (first ? { status: first.status, ...rest } : []));
      if (pairs.length === 0) return notAnswered;
      const words = pairs.map((pair) => `${pair.words}: ${pair.status}`).join("; ");
      if (pairs.every(({ status, expected }) => status === expected)) return decided("conventional", "medium", words);
      return outside(words, "conventional");
    },
  },
} as const satisfies Partial<CalibratedRows>;

/** A 429, whichever request met it. */
function refused(seen: Seen): Shape | undefined {
  return seen.all("window_fills").find(({ status }) => status === 429) ?? seen.limited;
}
