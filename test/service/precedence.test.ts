import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAssumption } from "../../src/assumptions/catalog.ts";
import {
  conventionalOrder as conventional,
  type OrderedError,
  orderOfErrors,
} from "../../src/assumptions/precedence.ts";
import { caseCount } from "../support/case-count.ts";
import { type TestResponse, type RequestOptions, known, openSandbox } from "../support/sandbox.ts";

const codes: Record<OrderedError, string> = {
  "401": "key_revoked",
  "429": "rate_limit_exceeded",
  "404-path": "path_not_found",
  "405": "method_not_allowed",
  "403": "offering_forbidden",
  "400": "parameter_invalid",
  "404": "investment_not_found",
};

/** Every set of errors possible in one request. The 403 of an offering excludes the 404 of an investment. */
const sets = Array.from({ length: 2 ** conventional.length }, (_, bits) =>
  conventional.filter((_error, index) => bits & (1 << index)),
)
  .filter((set) => !(set.includes("403") && set.includes("404")))
  .filter((set) => !(set.includes("401") && set.includes("429")));

test("the conventional order is 401, 429, 404 of paths, 405, 403, 400, 404", () => {
  expect(conventional.map((error) => Number.parseInt(error))).toEqual([401, 429, 404, 405, 403, 400, 404]);
});

describe("of several errors in one request, the response has the first in order", () => {
  test("in the conventional order", async () => {
    const { sandbox, api } = await openSandbox({ rateLimit: 1 });
    for (const set of sets) {
      await sandbox.limits.set(known.keys.partner, set.includes("429") ? 1 : 0);
      expectFirst(await api(...requestWith(set)), set, conventional);
    }
  });

  const orders = fc.shuffledSubarray([...conventional], { minLength: 2 }).map(withKeyAfter401);

  test("in any assumed order", async () => {
    const { sandbox, raw } = await openSandbox({ rateLimit: 1 });
    await fc.assert(
      fc.asyncProperty(orders, fc.subarray(sets, { minLength: 5, maxLength: 12 }), async (order, someSets) => {
        await sandbox.assumptions.set({ precedence: order.join(", ") });
        for (const set of someSets) {
          await sandbox.limits.set(known.keys.partner, set.includes("429") ? 1 : 0);
          const [path, requestOptions] = requestWith(set);
          expectFirst(await raw(`/api/v1${path}`, requestOptions), set, orderOfErrors(order.join()));
        }
      }),
      { numRuns: caseCount(8) },
    );
  });

  test.each([
    ["404-path,405,400,401,403,404,429", "405"],
    ["401,404,403,400,429,405,404-path", "405"],
    ["401,404,403,400,429,405,404-path", "404"],
    ["400,401,405,404-path,429,403,404", "404"],
  ])("with %s and errors.method=%s, as the OpenAPI document says", async (precedence, method) => {
    const assumptions = { precedence, "errors.method": method, "limit.headers": "x-ratelimit" };
    const { api } = await openSandbox({ rateLimit: 1000, assumptions });
    for (const set of sets) if (!set.includes("429")) await api(...requestWith(set));
  });
});

test.each([
  ["401,418", '"418" is not one of the errors, expected some or all of 401, 429, '],
  ["401,429,404path,405,403,400,404", 'Did you mean "404-path"?'],
  ["401,401,429,404-path,405,403,400,404", "401 is in it twice"],
  ["404-path,429,401,405,403,400,404", "expected 401 before 429, 403, 404, which need a valid key."],
  ["conventionel", 'neighbor: 404-path,405,401,400,403. Did you mean "conventional"?'],
])("the order %s is refused", (order, message) => {
  expect(() => parseAssumption("precedence", order)).toThrow(message);
});

test.each([conventional.join(", "), "401,405", "403,404"])(
  "the conventional order %s is stored as its name",
  (order) => {
    expect(parseAssumption("precedence", order)).toEqual({ precedence: "conventional" });
  },
);

test("named errors have their order, each other error follows its neighbor, and the 401 precedes those with a key", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...conventional], { minLength: 2 }), (errors) => {
      const namedErrors = withKeyAfter401(errors);
      const order = orderOfErrors(namedErrors.join());
      expect(order.toSorted()).toEqual(conventional.toSorted());
      expect(order.filter((error) => namedErrors.includes(error))).toEqual(namedErrors);
      for (const [index, error] of conventional.entries()) {
        const precedingError = conventional[index - 1];
        if (precedingError !== undefined && !namedErrors.includes(error))
          expect(order.indexOf(precedingError)).toBeLessThan(order.indexOf(error));
      }
      for (const error of ["429", "403", "404"] as const) {
        expect(order.indexOf("401")).toBeLessThan(order.indexOf(error));
      }
    }),
  );
});

/** Returns the errors with the 401 before those that need a valid key. */
function withKeyAfter401(errors: readonly OrderedError[]): OrderedError[] {
  if (!errors.includes("401")) return [...errors];
  const otherErrors = errors.filter((error): boolean => error !== "401");
  const first = otherErrors.findIndex((error) => ["429", "403", "404"].includes(error));
  const index = errors.indexOf("401");
  return otherErrors.toSpliced(first < 0 ? index : Math.min(index, first), 0, "401");
}

function expectFirst(
  { status, headers, json }: TestResponse,
  set: readonly OrderedError[],
  order: readonly OrderedError[],
) {
  const possible = order.filter((error) => checkableErrors(set).includes(error));
  const [first] = possible;
  expect(status, set.join()).toBe(first ? Number.parseInt(first) : 200);
  if (first) expect(json.errors[0].code).toBe(codes[first]);
  const assumptions = (headers["sandbox-assumptions"] ?? "").split(", ");
  expect(assumptions.includes("precedence")).toBe(possible.length > 1);
}

function requestWith(set: readonly OrderedError[]): [path: string, requestOptions: RequestOptions] {
  const query = set.includes("400") ? "?create_date[gte]=yesterday" : "";
  const unknownPath = set.includes("404-path") ? "/nothing" : "";
  const key = set.includes("401") ? known.keys.revoked : known.keys.partner;
  const requestOptions = { key, method: set.includes("405") ? "POST" : "GET" };
  if (set.includes("403")) return [`/offerings/${known.borealis}/investments${unknownPath}${query}`, requestOptions];
  const id = set.includes("404") ? known.unknown : known.whole;
  return [`/investments/${id}/events${unknownPath}${query}`, requestOptions];
}

/**
 * Returns the errors that can be checked. Without a valid key, errors of the offering and the investment cannot; on an
 * unknown path, errors of parameters cannot either.
 */
function checkableErrors(set: readonly OrderedError[]): OrderedError[] {
  return set.filter((error) => {
    if (error === "403" || error === "404") return !set.includes("401") && !set.includes("404-path");
    return error !== "400" || !set.includes("404-path");
  });
}
