import { expect, test } from "vitest";
import { parse } from "yaml";
import type { AssumptionId } from "../../src/assumptions/catalog.ts";
import { formatConfig } from "../../calibrate/config.ts";
import { fittingOrders, IdRegistry } from "../../calibrate/responses/registry.ts";
import { type ProbeRequest, shapeOf } from "../../calibrate/responses/shape.ts";
import { errorForm, listForm } from "../../calibrate/responses/forms.ts";
import { typeDifferences, typesOf } from "../../calibrate/responses/types.ts";
import type { CalibrationReport } from "../../calibrate/report.ts";
import { deviationsIn } from "../../calibrate/rows/deviations.ts";
import { Observations } from "../../calibrate/rows/observations.ts";
import { verdictOn } from "../../calibrate/rows/table.ts";
import { probe, type ProbeId } from "../../calibrate/service/probes.ts";

/** A response to a probe: its status and, where they matter, body, headers and the parameters of its request. */
type TestResponse = readonly [
  probe: ProbeId,
  status: number,
  body?: unknown,
  headers?: Record<string, string>,
  request?: ProbeRequest,
];

/** Responses, or lists in words: see `listsIn`. */
type Responses = readonly (TestResponse | string)[];

/**
 * Returns responses with lists: `list 20, second_page 20+20` has 20 investments and the 20 after them, `sizes 40@250`
 * has 40 for a size of 250, and `over_max !422` is a status.
 */
function listsIn(words: string): TestResponse[] {
  return words.split(", ").map((word) => {
    const [, name, error, count, from, size] = /^(\w+) (!?)(\d+)(?:\+(\d+))?(?:@(\d+))?$/.exec(word) ?? [];
    const request = size === undefined ? {} : { size: Number(size) };
    if (error) return [name as ProbeId, Number(count), undefined, {}, request];
    return [name as ProbeId, 200, list(Number(count), Number(from ?? 0)), {}, request];
  });
}

function observationsOf(responses: Responses): Observations {
  const [observations, registry] = [new Observations(), new IdRegistry()];
  registry.targetEvent = registry.numberOf("target");
  for (const response of responses) {
    for (const [name, status, body, headers = {}, request = {}] of typeof response === "string"
      ? listsIn(response)
      : [response]) {
      const raw = { status, headers, body: body === undefined ? "" : JSON.stringify(body) };
      observations.add(name, shapeOf(raw, probe(name).content ?? "other", request, registry));
    }
  }
  return observations;
}

/** Decides a row from responses to its probes. */
function decide(id: AssumptionId, responses: Responses): string {
  const verdict = verdictOn(id, observationsOf(responses));
  if (verdict.kind === "decided") return `${verdict.value} ${verdict.confidence}`;
  return verdict.kind === "unsupported" ? `unsupported: ${verdict.observed}` : verdict.kind;
}

/** A list of `count` investments, numbered from `from`. */
const list = (count: number, from = 0, meta?: object) => ({
  data: Array.from({ length: count }, (_, index) => ({ type: "investments", id: `i${from + index}`, attributes: {} })),
  ...(meta && { meta }),
});
const reversed = { data: list(20).data.toReversed() };
const many = "list 20, second_page 20+20";
const repeated = "first_item 1, page_0 1, page_1 1, list 20, second_page 20, list_again 20";
const moved = "first_item 1+1, page_0 1+1, page_1 1+1";
const endless = "list 300, first_item 300, second_page 300";
/** An investment as read with key 0, whose personal data is redacted, or with key 1, of type Marketing. */
const readInvestment = (party: object, key: number): TestResponse => {
  const included = [
    { type: "investors", id: "p1", attributes: { tax_id: "[[redacted]]" } },
    { type: "signing_parties", id: "s1", attributes: party },
  ];
  const data = { type: "investments", id: "i1", attributes: {} };
  return ["investment", 200, { data, included }, {}, { key }];
};
/** The events of an investment, by their ids. The event for which the date filter is tried is `target`. */
const eventsOf = (name: ProbeId, ...ids: readonly string[]): TestResponse => {
  const included = ids.map((id) => ({
    type: "events",
    id,
    event: "PAYMENT",
    action: "SUBMITTED",
    create_date: iso(1),
  }));
  return [name, 200, { data: { type: "investments", id: "i1" }, included }];
};
const soon = String(Math.round(Date.now() / 1000) + 30);
/** Investments with dates and further attributes. */
const dated = (count: number, date: (at: number) => unknown, attributes: (at: number) => object = () => ({})) => ({
  data: Array.from({ length: count }, (_, at) => ({
    type: "investments",
    id: `i${(at * 7) % count}`,
    attributes: { create_date: date(at), modify_date: date((at * 11) % count), ...attributes(at) },
  })),
});
const iso = (at: number): string => new Date(Date.UTC(2026, 0, 1 + at)).toISOString();
const unordered = (at: number): string => iso((at * 7) % 20);
const typed = (type: string): TestResponse => ["offering", 200, {}, { "content-type": type }];
const limited = (limit: string, remaining: string, reset: string): TestResponse => {
  const headers = { "x-ratelimit-limit": limit, "x-ratelimit-remaining": remaining, "x-ratelimit-reset": reset };
  return ["offering", 200, {}, headers];
};
const events = [5, 9, 1].map((at) => ({ id: `${(at * 7) % 10}`, create_date: at }));
const ended = { step: null, status: "CLOSED", create_date: "", modify_date: "", reason: "" };
test.each<[id: AssumptionId, expected: string, ...responses: Responses]>([
  ["list.first_page", "1 high", "first_item 1, page_0 !400, page_1 1"],
  ["list.first_page", "1 high", "first_item 1, page_0 1, page_1 1"],
  ["list.first_page", "0 high", "first_item 1, page_0 1, page_1 1+1"],
  ["list.first_page", "0 high", "first_item 1, page_0 1, page_1 0"],
  ["list.first_page", "undetermined", "first_item 1, page_0 1"],
  ["list.first_page", "undetermined", "first_item 1, page_0 1, page_1 1, list 20, second_page 20+20, list_again 20+1"],
  ["list.first_page", "undetermined", "first_item 0, page_0 0, page_1 0"],
  ["list.first_page", "undetermined", endless, "page_0 300, page_1 300"],
  ["list.default_size", "20 high", many],
  ["list.default_size", "undetermined", "list 20, second_page 0"],
  ["list.default_size", "undetermined", endless],
  ["list.default_size", "50 medium", ["list", 200, list(20, 0, { per_page: 50 })], "second_page !404"],
  ["list.default_size", "undetermined", ["list", 200, list(7, 0, { size: 7, total: 7 })], "second_page 0"],
  // The list grew from 19 to more than 20 between the requests.
  ["list.default_size", "undetermined", "list 19, second_page 1+20, list_again 20"],
  ["list.max_size", "100 high", many, "list_again 20, over_max 100, over_max_next 1+100"],
  ["list.max_size", "250 high", many, "over_max !400, sizes 40@250, sizes !400@251"],
  ["list.max_size", "undetermined", many, "over_max !400, sizes 40@250, sizes !400@253"],
  ["list.max_size", "unsupported: 1001 is accepted", many, "over_max !400, sizes 40@1001"],
  ["list.max_size", "50 high", many, "over_max 50, over_max_next 1+50"],
  ["list.max_size", "undetermined", many, "over_max 50, over_max_next 0"],
  ["list.max_size", "undetermined", endless, "over_max 300, over_max_next 300"],
  ["list.over_max", "reject high", many, "over_max !422"],
  ["list.over_max", "clamp high", many, "over_max 50"],
  ["list.over_max", "clamp low", many, "over_max 20, sizes 20@21"],
  ["list.over_max", "ignore high", many, "over_max 20, sizes 21@21"],
  ["list.over_max", "clamp low", "list 20, second_page 0, over_max 20"],
  ["list.over_max", "undetermined", endless, "over_max 300"],
  ["dates.date_only", "reject high", ["events_until_day", 422]],
  ["dates.date_only", "undetermined", eventsOf("events_until_day", "target")],
  [
    "dates.date_only",
    "whole-day high",
    eventsOf("events_until_day", "target"),
    eventsOf("events_until_day_before", "a"),
  ],
  ["dates.date_only", "midnight high", eventsOf("events_until_day", "a"), eventsOf("events_until_day_before")],
  [
    "dates.date_only",
    "unsupported: a date without a time filters nothing",
    eventsOf("events_until_day", "target"),
    eventsOf("events_until_day_before", "target"),
  ],
  ["payment.statuses", "undetermined", readInvestment({}, 0)],
  ["list.past_end", "400 low", "past_end !422, bad_size !422"],
  ["list.past_end", "400 high", "after_last !400, past_end !400"],
  ["list.past_end", "empty high", "after_last 0, past_end !400"],
  ["list.past_end", "unsupported: 200 with items", "past_end 1"],
  ["list.document", "data medium", "list 1, second_page 0"],
  ["list.document", "data high", many],
  [
    "list.document",
    "unsupported: {data}, meta: {}, and another form on the next page",
    "list 20",
    ["second_page", 200, { ...list(20, 20), prev: "/x" }],
  ],
  ["list.order", "undetermined", ["ordered", 200, dated(20, () => 1_735_689_600_000)]],
  ["list.order", "undetermined", "list 20", ["list_again", 200, reversed], ["ordered", 200, dated(20, iso)]],
  ["list.order", "unordered medium", ["ordered", 200, dated(20, unordered)]],
  ["list.order", "create_date high", ["ordered", 200, dated(20, (at) => iso(at).replace(".000Z", "+00:00"))]],
  [
    "list.order",
    "unsupported: ordered by an attribute that is not a date",
    ["ordered", 200, dated(20, unordered, (at) => ({ status: at < 9 ? "CLOSED" : "PENDING" }))],
  ],
  ["events.order", "undetermined", ["events", 200, { data: { id: "i" }, included: events }]],
  [
    "status.document",
    "unsupported: attributes with modify_date, reason",
    ["status", 200, { data: { type: "investments", id: "i", attributes: ended } }],
  ],
  ["money.currency", "decimal low", ["list", 200, dated(3, iso, () => ({ amount: "12.5" }))]],
  ["money.currency", "decimal high", ["list", 200, dated(3, iso, () => ({ amount: 12.5 }))]],
  ["auth.partner_data", "on-request low", readInvestment({}, 0)],
  ["auth.partner_data", "on-request high", readInvestment({}, 0), readInvestment({ phone_number: "1" }, 1)],
  ["errors.invalid_parameter", "422 high", "bad_size !422, bad_page !422, bad_date !422"],
  [
    "errors.invalid_parameter",
    "unsupported: 400, 200 and 400 for a size, a page and a date",
    "bad_size !400, bad_page !200, bad_date !400",
  ],
  [
    "errors.invalid_parameter",
    "ignore high",
    "list 20, first_item 1, second_page 20+20, far_future 0, bad_size 20, bad_page 20, bad_date 20",
  ],
  [
    "errors.invalid_parameter",
    "undetermined",
    "list 20, first_item 20, second_page 20, far_future 20, bad_size 20, bad_page 20, bad_date 20",
  ],
  ["errors.www_authenticate", "undetermined", ["no_key", 200]],
  [
    "errors.www_authenticate",
    "unsupported: WWW-Authenticate with another scheme",
    ["no_key", 401, undefined, { "www-authenticate": "Basic" }],
  ],
  ["dates.repeated", "ignore high", many, "far_future 0, repeated_late 20, repeated_early 20"],
  ["dates.repeated", "undetermined", many, "far_future 20, repeated_late 20, repeated_early 20"],
  ["dates.repeated", "unsupported: both bounds filter", many, "repeated_late 0, repeated_early 0"],
  ["dates.repeated", "first high", many, "repeated_late 20, repeated_early 0"],
  ["content_type", "unsupported: other", typed("application/json; charset=latin1")],
  ["content_type", "unsupported: other", typed('multipart/mixed; boundary="a b c"')],
  ["limit.headers", "x-ratelimit high", limited("120", "1", soon)],
  [
    "limit.headers",
    "unsupported: x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, which is not a time in seconds since 1970",
    limited("120", "1", "9"),
  ],
  [
    "limit.headers",
    "unsupported: x-ratelimit-limit-minute, x-ratelimit-reset",
    ["offering", 200, {}, { "x-ratelimit-limit-minute": "120", "x-ratelimit-reset": soon }],
  ],
  [
    "limit.headers",
    "unsupported: ratelimit, ratelimit-policy",
    ["offering", 200, {}, { ratelimit: "limit=1, remaining=1", "ratelimit-policy": "1;w=1" }],
  ],
  [
    "precedence",
    "conventional low",
    "bad_size !400, no_key_unknown_path !401, no_key_bad_size !401",
    "foreign_offering_bad_size !403, unknown_investment_bad_date !400",
  ],
  [
    "precedence",
    "404-path,401,400,403,404 low",
    "bad_size !422, no_key_unknown_path !404, foreign_offering_bad_size !422, unknown_investment_bad_date !422",
  ],
  [
    "errors.body",
    "unsupported: {fault}, which is not a known form: write a template for it, as like:",
    ["no_key", 401, { fault: { reason: "No Key" } }],
    ["unknown_investment", 404, { fault: { reason: "Not Found" } }],
  ],
  [
    "errors.body",
    "unsupported: one form for each status: 401 empty; 404 message",
    ["no_key", 401],
    ["unknown_investment", 404, { message: "no" }],
  ],
  ["errors.body", "message high", ["no_key", 401, { message: "No" }], ["unknown_investment", 404, { message: "No" }]],
  ["errors.body", "empty medium", ["no_key", 401]],
  ["errors.body", "unsupported: a body that is not a JSON object", ["no_key", 404, "gone"]],
])("%s is %s", (id, expected, ...responses) => {
  expect(decide(id, responses)).toBe(expected);
});

test("an assumption without a row is undetermined", () => {
  expect(verdictOn("a.new.one" as AssumptionId, observationsOf([]))).toEqual({
    kind: "undetermined",
    because: "not requested",
  });
});

test.each<[service: string, observed: string, ...responses: Responses]>([
  ["a page of one item that has moved", "", moved, "list 1, second_page 1, list_again 1+1"],
  [
    "a page of two items that have moved",
    "",
    "first_item 1+2, page_0 1+2, page_1 1+2, list 2, second_page 2, list_again 2+2",
  ],
  ["a page that moves there and back", "", moved, "list 1, second_page 1+1, list_again 1"],
  ["a page of another item each time", "", moved, "list 1, second_page 1+5, list_again 1+2"],
  ["a last page that is shown again for the page after it", "", repeated, "over_max 20"],
  ["no page", "the page is ignored", repeated, "over_max 50"],
  [
    "no page, by the total that is named",
    "the page is ignored",
    "first_item 1, page_0 1, page_1 1, second_page 20, list_again 20",
    ["list", 200, list(20, 0, { total: 90 })],
  ],
  ["a minimum size of ten", "", many, "list_again 20, first_item 10, over_max 100"],
  ["a minimum size that holds all items", "", "list 5, second_page 0, first_item 5, over_max 5"],
  ["no size", "the size is ignored", many, "list_again 20, first_item 20, over_max 20"],
  ["a first response that failed", "", "second_page 20+20, list_again 20"],
  ["a second response that failed", "", many, "list_again !404"],
  ["a list that grew", "", "list 1, second_page 0, list_again 9"],
  ["another order", "another order when requested again", many, ["list_again", 200, reversed]],
])("of a service with %s, section 8 has the deviation %j", (_, observed, ...responses) => {
  const deviations = deviationsIn(observationsOf(responses)).filter(({ section }) => section === "8");
  expect(deviations.map((deviation) => deviation.observed).join()).toBe(observed);
});

test.each<[expected: string, response: TestResponse]>([
  [
    "2: paid_amount: missing, amount: string, expedited: string",
    investmentWith({ amount: "5000", expedited: "true", paid_amount: undefined }),
  ],
  ["2: another type", investmentWith({}, "investment")],
  ["4.2: attributes", eventsWith({ attributes: { event: "PAYMENT" } })],
  ["2: another type", eventsWith({ type: "history" })],
])("reports the deviation %s", (expected, response) => {
  expect(deviationsIn(observationsOf([response])).map(({ section, observed }) => `${section}: ${observed}`)).toEqual([
    expected,
  ]);
});

function investmentWith(attributes: object, type = "investments"): TestResponse {
  const numbers = { amount: 1, price: 1, quantity: 1, paid_amount: 1, investment_number: 1 };
  const otherAttributes = { expedited: false, step: null, status: "CLOSED", create_date: iso(1), modify_date: iso(1) };
  const data = { type, id: "i1", attributes: { ...numbers, ...otherAttributes, ...attributes } };
  return ["investment", 200, { data, included: [] }];
}

function eventsWith(event: object): TestResponse {
  const included = [{ type: "events", id: "e1", create_date: iso(1), ...event }];
  return ["events", 200, { data: { id: "i1" }, included }];
}

test.each<[expected: string, body: unknown]>([
  ["jsonapi", { errors: [{ status: "404", code: "a_b", title: "No", detail: "No." }] }],
  ["message", { message: "Forbidden" }],
  ["another form", { errors: [{ status: "404", title: "Not found" }] }],
  ["another form", { errors: [{ status: "404", code: "a_b", title: "No", detail: "No.", id: "7f3" }] }],
  ["another form", { statusCode: 404, message: "Not Found", error: "Not Found" }],
  ["another form", { message: 404 }],
])("the form of an error is %s", (expected, body) => {
  const response = { status: 404, body: JSON.stringify(body), mediaType: "application/json" };
  expect(errorForm(response, body)).toBe(expected);
});

test.each<[expected: string | undefined, size: number | undefined, body: Record<string, unknown>]>([
  ["data", undefined, { data: [], included: [] }],
  [
    "resources",
    20,
    {
      data: [1],
      meta: { page: 1, size: 20, total: 9, pages: 1 },
      links: { self: "/a", first: "/b", prev: null, next: null, last: "/c" },
    },
  ],
  [undefined, 5, { data: [], pagination: { current_page: 1, per_page: 5, total_count: 9, last_page: 2 } }],
  [undefined, undefined, { data: [], took: 17 }],
])("the form of a list is %s, with the size %s", (form, size, body) => {
  expect(listForm(body)).toMatchObject({ form, namedSize: size });
});

test("an order is accepted only if a coincidence is improbable", () => {
  const at = (create: number, modify: number) => ({
    id: `${9 - create}`,
    create_date: `2${create}`,
    modify_date: `2${modify}`,
    attributes: {},
  });
  expect(fittingOrders([at(1, 1), at(2, 1), at(3, 1)])).toEqual([
    { by: "create_date", probability: 1 / 6 },
    { by: "modify_date", probability: 1 },
    { by: "-modify_date", probability: 1 },
    { by: "-id", probability: 1 / 6 },
  ]);
});

test("derived types contain no value, and differ only where shapes differ", () => {
  const document = { a: [{ b: 1, c: "x" }, { b: null }], "ada@example.com": 1, "7f3a9c": {}, d: null, e: [] };
  expect(typesOf(document)).toEqual({ a: [{ b: "null|number", "c?": "string" }], "*": "any", d: "null", e: [] });
  expect(typeDifferences(typesOf(document), typesOf({ ...document, a: [{ b: 1 }], d: { x: 1 }, e: ["x"] }))).toEqual(
    [],
  );
  expect(typeDifferences(typesOf(document), typesOf({ ...document, a: [{ b: "1" }], f: 1 }))).toEqual([
    "a[].b: null|number, now string",
    "f: new",
  ]);
  expect(typeDifferences(typesOf({ a: {} }), typesOf({ a: [] }))).toEqual(["a: an object, now a list"]);
});

test.each<[name: string, body: unknown, isWhole: boolean]>([
  ["a hundred items", list(100), true],
  ["150,000 lists", Array.from({ length: 150_000 }, () => []), false],
  ["120,000 members", Object.fromEntries(Array.from({ length: 120_000 }, (_, at) => [`n${at}`, at])), false],
  ["150,000 nested lists", "[".repeat(150_000) + "]".repeat(150_000), false],
  [
    "strings with punctuation of JSON",
    { a: ":".repeat(5000), b: "[".repeat(5000), c: '\\"{\\', d: ":".repeat(5000) },
    true,
  ],
  [
    "items of another shape each",
    Array.from({ length: 9000 }, (_, at) => ({ [`n${"x".repeat(at % 50)}`]: {} })),
    false,
  ],
])("of a body of %s, a bounded part is examined", (_, body, isWhole) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const shape = shapeOf({ status: 200, headers: {}, body: text }, "list", {}, new IdRegistry());
  expect([shape.isWhole, JSON.stringify(shape).length < 20_000]).toEqual([isWhole, true]);
});

test("a new config contains the rows that the responses decide, with their reasons", async () => {
  const row = (value: string | null, confidence: "high" | "low" | "none", because = "observed") => ({
    value,
    confidence,
    because,
    evidence: [],
  });
  const rows = {
    "errors.body": row('like:{"code": "{code}", "x": "# y"}', "high"),
    "list.past_end": row("404", "high"),
    // The responses exclude the conventional value, so this value is pinned.
    "list.over_max": row("clamp", "low"),
    cors: row("yes", "low"),
    "errors.method": row(null, "none", "GET cannot tell"),
    "offering.document": row(null, "none", "unsupported: {x}"),
  };
  const unsupported = [{ row: "offering.document", observed: "{x}", nearest: "resource" }];
  const content = { date: "2026-11-22", host: "demo.example.com", requests: 9, rows, unsupported };
  const report = content as unknown as CalibrationReport;
  const yaml = formatConfig("a.yaml", report, "again");
  await expect(yaml).toMatchFileSnapshot("config.yaml");
  expect(JSON.parse(formatConfig("a.json", report, "again"))).toEqual(parse(yaml));
});
