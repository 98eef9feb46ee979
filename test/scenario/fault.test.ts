import { expect, test } from "vitest";
import { doubtfulMember, matchesFault, matchesPath } from "../../src/model/fault.ts";
import type { FaultRule } from "../../src/model/shapes.ts";

const id = "e4205e20-c618-4ae1-9f19-81193be549e2";

test.for([
  ["/investments/:id", `/investments/${id}`, true],
  ["/investments/*", `/investments/${id}`, true],
  ["/investments/{id}", `/investments/${id}`, true],
  ["/offerings/{offering_id}/investments", `/offerings/${id}/investments`, true],
  ["/investments/{id}", `/investments/${id}/events`, false],
  ["/investments/{id", `/investments/${id}`, false],
  ["/api/v1/investments/*", `/api/v1/investments/${id}`, true],
  ["/**/api/v1/investments/*", `/investments/${id}`, true],
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

const all =
  "There are /offerings/:id, /offerings/:id/investments, /investments/:id, /investments/:id/status, and /investments/:id/events.";

test.for<[rule: Partial<FaultRule>, warning: string | undefined]>([
  [{}, undefined],
  [{ match: { path: "/api/v1/**" } }, undefined],
  [{ match: { path: "/investments/{id}" } }, undefined],
  [{ match: { path: `/inv*/${id}/e*s` } }, undefined],
  [{ match: { path: "/investments/e*2" } }, undefined],
  [
    { match: { path: "/api/v1/investment/{id}" } },
    'match.path is "/api/v1/investment/{id}", which matches no operation. Did you mean "/investments/:id"?',
  ],
  [
    { match: { path: `/investments/${id}/event` } },
    `match.path is "/investments/${id}/event", which matches no operation. Did you mean "/investments/:id/events"?`,
  ],
  [
    { match: { path: "/investments" } },
    'match.path is "/investments", which matches no operation. Did you mean "/investments/:id"?',
  ],
  [{ match: { path: "/api/v1" } }, `match.path is "/api/v1", which matches no operation. ${all}`],
  [{ match: { method: "HEAD" } }, undefined],
  [{ match: { method: "HEAD" }, truncate: 0.5 }, "match.method is HEAD, whose responses have no body."],
  [{ share: 0 }, "share is 0, which omits every request."],
  [
    { respond: { status: 503, headers: { "retry-after": "-1" } } },
    'respond.headers.retry-after is "-1"; clients expect whole seconds, or an HTTP date.',
  ],
  [
    { respond: { status: 503, headers: { "Retry-After": "1.5" } } },
    'respond.headers.Retry-After is "1.5"; clients expect whole seconds, or an HTTP date.',
  ],
  [
    { respond: { status: 503, headers: { "Retry-After": "soon" } } },
    'respond.headers.Retry-After is "soon"; clients expect whole seconds, or an HTTP date.',
  ],
  [{ respond: { status: 503, headers: { "Retry-After": 0 } } }, undefined],
  [{ respond: { status: 503, headers: { "Retry-After": "Fri, 16 Jan 2026 12:00:00 GMT" } } }, undefined],
])("the warning of %j is %s", ([rule, warning]) => {
  expect(doubtfulMember(rule)?.join(" ")).toBe(warning);
});
