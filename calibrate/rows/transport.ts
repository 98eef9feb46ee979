import { orderFromPairs } from "../../src/assumptions/precedence.ts";
import { decided, noResponse, undetermined, unsupported, type Rows } from "./row.ts";
import { isRefusal } from "./observations.ts";

/** Requests with two errors each; the response shows which one has precedence. */
const pairs = [
  { probe: "no_key_unknown_path", errors: ["401", "404-path"] },
  { probe: "no_key_bad_size", errors: ["401", "400"] },
  { probe: "foreign_offering_bad_size", errors: ["403", "400"] },
  { probe: "unknown_investment_bad_date", errors: ["400", "404"] },
] as const;

/** The headers of `limit.headers=x-ratelimit`, all of them. */
const threeHeaders = "x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset";

/** Limits, headers, access from browsers, and the order of errors. */
export const transportTable: Rows = {
  "limit.retry_after": {
    probes: [],
    noResponseReason: "no 429 came",
    decide({ retryAfterForm }) {
      if (retryAfterForm === undefined || retryAfterForm === "other")
        return unsupported(retryAfterForm ? "another form" : "a 429 without Retry-After");
      return decided(retryAfterForm, "high", "Retry-After of a 429");
    },
  },
  "limit.headers": {
    probes: ["offering"],
    decide({ headers, hasDraft8, isResetInSeconds }) {
      const limits = headers.filter((name) => /rate-?limit/.test(name)).toSorted();
      if (limits.length === 0) return decided("none", "high", "no such header");
      const names = limits.slice(0, 6).join(", ") + (limits.length > 6 ? ", …" : "");
      if (names === "ratelimit, ratelimit-policy" && hasDraft8) return decided("draft-8", "high", names);
      if (names !== threeHeaders) return unsupported(names, "draft-8");
      return isResetInSeconds
        ? decided("x-ratelimit", "high", names)
        : unsupported(`${names}, which is not a time in seconds since 1970`, "x-ratelimit");
    },
  },
  content_type: {
    probes: ["offering"],
    decide: ({ mediaType }) =>
      mediaType === "" || mediaType === "other"
        ? unsupported(mediaType || "none")
        : decided(mediaType, "high", "Content-Type"),
  },
  cors: {
    probes: ["cors"],
    decide: ({ isOriginAllowed }) =>
      isOriginAllowed
        ? decided("yes", "high", "Access-Control-Allow-Origin")
        : decided("no", "medium", "no Access-Control-Allow-Origin; preflights were not requested"),
  },
  precedence: {
    probes: ["no_key_unknown_path", "bad_size", ...pairs.map(({ probe }) => probe).slice(1)],
    decide(_, observations) {
      // If the service ignores invalid parameters, a request with an invalid parameter shows nothing about their
      // precedence.
      const isIgnored = !observations.all("bad_size").some(isRefusal);
      const orders = pairs.flatMap(({ probe, errors }) => {
        if (isIgnored && errors.some((error) => error === "400")) return [];
        const shape = observations.all(probe).at(-1);
        const status = String(shape?.status);
        const first = errors.find((error) => error.split("-")[0] === (status === "422" ? "400" : status));
        return first === undefined ? [] : { first, second: errors[0] === first ? errors[1] : errors[0] };
      });
      if (orders.length === 0) return undetermined(noResponse);
      const observedOrders = orders.map(({ first, second }) => `${first} before ${second}`).join(", ");
      const observedErrors = new Set<string>(orders.flatMap(({ first, second }) => [first, second]));
      const value = orderFromPairs(orders).filter((error) => observedErrors.has(error));
      return decided(value.join(), "low", `${observedOrders}; not requested: 405 and 429`);
    },
  },
};
