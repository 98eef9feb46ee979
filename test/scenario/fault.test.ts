import { expect, test } from "vitest";
import { matchesFault, matchesPath } from "../../src/model/fault.ts";
import { readShape } from "../../src/model/shape-mistakes.ts";
import type { FaultRule } from "../../src/model/shapes.ts";
import { faultRule } from "../../src/model/fault-schema.ts";

const id = "e4205e20-c618-4ae1-9f19-81193be549e2";

test.for([
  ["/investments/:id", `/investments/${id}`, true],
  ["/investments/*", `/investments/${id}`, true],
  ["/investments/:id", `/investments/${id}/`, true],
  ["/investments/:id", `/investments/${id}/events`, false],
  ["/investments/:id", "/investments", false],
  ["/investments/:id/events", `/investments/${id}/events`, true],
  [`/investments/${id}`, `/investments/${id}`, true],
  [`/investments/${id}`, "/investments/other", false],
  ["/**", `/offerings/${id}/investments`, true],
  ["/**", "/", true],
  ["**", "/a/b", true],
  ["a/*", "/a/b", true],
  ["/investments/**", "/investments", true],
  ["/investments/**", `/investments/${id}/events`, true],
  ["/investments/**", `/offerings/${id}/investments`, false],
  ["/**/investments", `/offerings/${id}/investments`, true],
  ["/**/*/investments*", `/offerings/${id}/investments`, true],
  ["/inv*ts/*-*-*", `/investments/${id}`, true],
  ["/inv*ts/e*e*e2", `/investments/${id}`, true],
  ["/inv*ments*s/*", `/investments/${id}`, false],
  ["/*x*/*", `/investments/${id}`, false],
  ["/investmentss*/*", `/investments/${id}`, false],
  ["/**/events", `/offerings/${id}/investments`, false],
  ["/**/a/**/b", "/a/x/a/y/b/b", true],
  ["/**/a/**/b", "/b/a", false],
  ["/Investments/*", `/investments/${id}`, false],
  ["/investments/e*", `/investments/${id}`, true],
  ["/investments/f*", `/investments/${id}`, false],
  ["/.*/x", "/a/x", false],
] as const)("the pattern %s matches %s: %s", ([pattern, path, expected]) => {
  expect(matchesPath(pattern, path)).toBe(expected);
});

test("a pattern with many wildcards is matched quickly", () => {
  // A matcher that retries the whole pattern from every segment would not end.
  expect(matchesPath("/**/a".repeat(40), `${"/a".repeat(20_000)}/b`)).toBe(false);
});

const request = { path: `/investments/${id}`, method: "GET", key_id: id };

test.for<[match: FaultRule["match"], expected: boolean]>([
  [undefined, true],
  [{}, true],
  [{ method: "GET" }, true],
  [{ method: "HEAD" }, false],
  [{ key_id: id }, true],
  [{ key_id: "00000000-0000-0000-0000-000000000000" }, false],
  [{ path: "/investments/*", method: "GET", key_id: id }, true],
  [{ path: "/api/v1/investments/*" }, true],
  [{ path: "/investments/api/v1/:id" }, false],
  [{ path: "/offerings/*", method: "GET", key_id: id }, false],
])("the match %j includes a request: %s", ([match, expected]) => {
  expect(matchesFault({ match }, request)).toBe(expected);
});

test("a request without a known key is struck only by faults for all keys", () => {
  expect(matchesFault({ match: { key_id: id } }, { ...request, key_id: null })).toBe(false);
  expect(matchesFault({}, { ...request, key_id: null })).toBe(true);
});

const oneOf = `the fault needs one of "respond", "connection", "truncate" and "drip"`;
const none = `${oneOf}, with or without a "delay", or a "delay" alone.`;
const both = (one: string, other: string): string => `${oneOf} alone, and has "${one}" and "${other}".`;
const pause = "a duration from 1ms to ten minutes";

/** Headers whose names have 5 characters, with values of some characters. */
function headersOf(count: number, length: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-00${index}`, "x".repeat(length)]));
}

test.for<[rule: object, mistakes: string[]]>([
  [{ delay: "2s" }, []],
  [{ delay: "2s", connection: "reset", times: 2 }, []],
  [{ respond: { status: 503, headers: { "Retry-After": 30 }, body: { any: ["thing"] } } }, []],
  [{ respond: { status: 200, headers: { "Connection-Id": "x", "X-Connection": "y" } } }, []],
  [{ truncate: 0, delay: "2s" }, []],
  [{ drip: { bytes: 1, every: "1ms" }, share: 0.5 }, []],
  [{ truncate: 0.5, respond: { status: 200 } }, [both("respond", "truncate")]],
  [{ truncate: 0.5, drip: { bytes: 1, every: "1s" } }, [both("truncate", "drip")]],
  [{ truncate: 50 }, ["truncate is 50; expected the share of the body to send, from 0 to 1."]],
  [
    { drip: { bytes: 0, every: "11m" } },
    [
      "drip.bytes is 0; expected a whole number from 1 to 1000000.",
      'drip.every is "11m"; expected a duration from 1ms to ten minutes.',
    ],
  ],
  [{ drip: { bytes: 1, every: 0 } }, ["drip.every is 0; expected a duration from 1ms to ten minutes."]],
  [{ drip: { bytes: 1, every: "soon" } }, [`drip.every is "soon"; expected ${pause}.`]],
  [{ drip: { bytes: 1 } }, [`drip.every is missing; expected ${pause}.`]],
  [{}, [none]],
  [{ match: {} }, [none]],
  [{ respond: { status: 503 }, connection: "empty" }, [both("respond", "connection")]],
  [{ respond: { status: 101 } }, ["respond.status is 101; expected a status from 200 to 599."]],
  [{ delay: "1h" }, ['delay is "1h"; expected a duration of ten minutes at most.']],
  [
    { respond: { status: 200, headers: { "a b": "x" } } },
    ["respond.headers.a b has a name that does not fit; expected the name of a header, such as Retry-After."],
  ],
  [{ respond: { status: 200, headers: headersOf(8, 991) } }, []],
  [
    { respond: { status: 200, headers: headersOf(8, 992) } },
    ["respond.headers needs 8,000 characters at most in all headers together."],
  ],
  [
    { respond: { status: 200, headers: { "content-length": 3 } } },
    [
      "respond.headers.content-length has a name that does not fit; expected a header that the server does not set itself.",
    ],
  ],
  [
    { respond: { status: 200, headers: { "x-y": "a\r\nset-cookie: b" } } },
    [
      'respond.headers.x-y is "a\\r\\nset-cookie: b"; expected the text of a header in printable ASCII, or a whole number.',
    ],
  ],
])("the rule %j has the mistakes %j", ([rule, mistakes]) => {
  expect([...readShape(faultRule, rule, "the fault").mistakes].map(({ message }) => message)).toEqual(mistakes);
});
