import { describe, expect, test, vi } from "vitest";
import { catalog, type AssumptionId, profileNames } from "../../src/assumptions/catalog.ts";
import { stopMachineTime } from "../support/machine-time.ts";
import { known, openSandbox, type TestResponse, type RequestOptions } from "../support/sandbox.ts";
import { writeFixture } from "../support/write-fixture.ts";

/** A request and a check of its response, for each value of each row of the catalog. */
type Expectation = readonly [path: string, expected: (response: TestResponse) => void, requestOptions?: RequestOptions];

const investmentPath = `/investments/${known.whole}`;
const eventsPath = `${investmentPath}/events`;
const listPath = `/offerings/${known.aurora}/investments`;
const marketing = { key: known.keys.marketing };
const revoked = { key: known.keys.revoked };
const atLimit = { key: known.keys.atLimit };
const expectMatch = (expected: object) => (response: TestResponse) => expect(response).toMatchObject(expected);
const expectStatus = (expected: number) => (response: TestResponse) => expect(response.status).toBe(expected);
const expectHeader = (name: string, expected: unknown) => (response: TestResponse) =>
  expect(response.headers[name]).toEqual(expected);
const expectNumbers = (expectOrder: (order: number[]) => void) => (response: TestResponse) =>
  expectOrder(
    response.json.data.map((item: { attributes: { investment_number: number } }) => item.attributes.investment_number),
  );
const expectInvestor = (name: string, expected: unknown) => (response: TestResponse) => {
  const investor = response.json.included.find(
    (item: { id: string }) => item.id.startsWith("00000030-") && item.id.endsWith("2"),
  );
  expect(investor.attributes[name]).toEqual(expected);
};
const expectDates = (expectOrder: (order: string[]) => void) => (response: TestResponse) =>
  expectOrder(response.json.included.map((event: { create_date: string }) => event.create_date));
const expectMembers =
  (...expected: string[]) =>
  (response: TestResponse) =>
    expect(Object.keys(response.json)).toEqual(expected);

const expectBroker = (data: object | null) => (response: TestResponse) =>
  expect(response.json.data.relationships.broker).toEqual({ data });

/** The machine's time in these tests, in milliseconds. */
const machineTime = Date.UTC(2026, 0, 15);

/** The assumptions behind an error whose body has its own media type, or none. */
const errorRows = "errors.body, limit.headers, transport.form";

const behaviors: { readonly [Id in AssumptionId]: Readonly<Record<string, Expectation>> } = {
  "errors.body": {
    jsonapi: ["/nowhere", expectMatch({ json: { errors: [{ status: "404", code: "path_not_found" }] } })],
    empty: [
      "/nowhere",
      expectMatch({ text: "", headers: { "content-length": "0", "sandbox-assumptions": errorRows } }),
    ],
    problem: [
      "/nowhere",
      expectMatch({
        headers: { "content-type": "application/problem+json", "sandbox-assumptions": errorRows },
        json: { status: 404, title: expect.any(String), detail: expect.any(String) },
      }),
    ],
    message: [
      "/nowhere",
      ({ json, headers }) => {
        expect(json).toEqual({ message: expect.any(String) });
        expect(headers["sandbox-assumptions"]).toBe(`content_type, ${errorRows}`);
      },
    ],
    'like:{"status":{status},"error":{"code":"{code}","http":"{status} {title}","of {parameter}":["{detail}",null]},"at":{parameter}}':
      [
        `${listPath}?page=x&size=0`,
        ({ json, headers }) => {
          const details = "page must be an integer of 1 or more, with at most 15 digits. size must be a";
          expect(json).toMatchObject({
            status: 400,
            error: { code: "parameter_invalid", http: "400 Parameter invalid" },
          });
          expect([json.at, json.error["of page"]]).toEqual(["page", [expect.stringContaining(details), null]]);
          expect(headers["sandbox-assumptions"]).toMatch(/content_type/);
        },
      ],
  },
  "errors.invalid_parameter": {
    "400": [
      `${listPath}?page=x&size=0&create_date[gte]=y`,
      expectMatch({
        status: 400,
        json: { errors: ["page", "size", "create_date[gte]"].map((parameter) => ({ source: { parameter } })) },
      }),
    ],
    "422": [
      `${listPath}?size=101`,
      expectMatch({ status: 422, json: { errors: [{ status: "422", code: "parameter_invalid" }] } }),
    ],
    ignore: [`${listPath}?page=x&size=0&create_date[gte]=y`, (response) => expect(response.json.data).toHaveLength(20)],
  },
  "errors.method": {
    "405": [investmentPath, expectMatch({ status: 405, headers: { allow: "GET, HEAD" } }), { method: "DELETE" }],
    "404": [investmentPath, expectStatus(404), { method: "DELETE" }],
  },
  "errors.www_authenticate": {
    yes: [investmentPath, expectHeader("www-authenticate", "Bearer"), revoked],
    no: [investmentPath, expectHeader("www-authenticate", undefined), revoked],
  },
  "auth.scheme": {
    "any-case": [
      investmentPath,
      expectStatus(200),
      { key: null, headers: { authorization: `bEARER ${known.keys.partner}` } },
    ],
    exact: [
      investmentPath,
      expectStatus(401),
      { key: null, headers: { authorization: `bearer ${known.keys.partner}` } },
    ],
  },
  "auth.partner_data": {
    granted: [
      investmentPath,
      (response) => expect(response.text).toContain("666-12-3456"),
      { key: known.keys.ungranted },
    ],
    "on-request": [
      investmentPath,
      (response) => {
        expect(response.text).not.toContain("666-12-3456");
        expect(response.text).not.toContain("phone_number");
        expect(response.text).toContain("[[redacted]]");
      },
      { key: known.keys.ungranted },
    ],
  },
  "ids.case": {
    "any-case": ["/offerings/0000001A-0000-4000-8000-00000000000B", expectStatus(403)],
    exact: ["/offerings/0000001A-0000-4000-8000-00000000000B", expectStatus(403)],
  },
  "offering.document": {
    resource: [`/offerings/${known.aurora}`, expectMembers("data")],
    "resource-with-counts": [
      `/offerings/${known.aurora}`,
      expectMatch({ json: { meta: { investments: 25, closed: 1, pending: 24 } } }),
    ],
  },
  "offering.members": {
    specified: [
      `/offerings/${known.aurora}`,
      (response) => expect(Object.keys(response.json.data.attributes)).toHaveLength(4),
    ],
    more: [
      investmentPath,
      ({ json }) => {
        const offering = json.included.find((item: { type: string }) => item.type === "offerings");
        expect(offering.attributes).toMatchObject({ legal_name: offering.attributes.name, website: null, tags: [] });
      },
    ],
  },
  "documents.order": {
    specified: [investmentPath, (response) => expect(Object.keys(response.json.data)[0]).toBe("type")],
    shuffled: [
      investmentPath,
      ({ json }) => {
        expect([Object.keys(json)[0], Object.keys(json.data)[0]]).not.toContain("data");
        expect(Object.keys(json.data)[0]).not.toBe("type");
        expect(json.included[0].type).not.toBe("signing_parties");
      },
    ],
  },
  "status.document": {
    resource: [
      `${investmentPath}/status`,
      (response) => expect(Object.keys(response.json.data.attributes)).toEqual(["step", "status", "create_date"]),
    ],
    "resource-without-date": [
      `${investmentPath}/status`,
      (response) => expect(response.json.data.attributes).toEqual({ step: "SIGNERS", status: "PENDING" }),
    ],
    flat: [
      `${investmentPath}/status`,
      (response) => expect(response.json).toEqual({ step: "SIGNERS", status: "PENDING" }),
    ],
  },
  "list.document": {
    resources: [listPath, expectMembers("data", "meta", "links")],
    data: [listPath, expectMembers("data")],
    'like:{"meta":{"current_page":"{page}","per_page":{size},"of":"{pages} pages"},"data":"{data}","next":"{next}","prev":"{prev}","v":[1]}':
      [
        `${listPath}?size=10`,
        ({ json }) => {
          const { data, ...rest } = json;
          expect(data).toHaveLength(10);
          const nextLink = `/api/v1${listPath}?size=10&page=2`;
          expect(rest).toEqual({
            meta: { current_page: 1, per_page: 10, of: "3 pages" },
            next: nextLink,
            prev: null,
            v: [1],
          });
        },
      ],
  },
  "list.included": {
    no: [listPath, (response) => expect(response.json).not.toHaveProperty("included")],
    yes: [
      listPath,
      (response) => {
        const ids = response.json.included.map((resource: { id: string }) => resource.id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toContain(known.aurora);
        expect(response.text).toContain("[[redacted]]");
      },
      marketing,
    ],
  },
  "list.first_page": {
    "1": [`${listPath}?page=0`, expectStatus(400)],
    "0": [`${listPath}?page=1`, expectNumbers((order) => expect(order).toEqual([21, 22, 23, 24, 25]))],
  },
  "list.default_size": { "3": [listPath, (response) => expect(response.json.data).toHaveLength(3)] },
  "list.max_size": { "4": [`${listPath}?size=5`, expectStatus(400)] },
  "list.over_max": {
    reject: [`${listPath}?size=101`, expectStatus(400)],
    clamp: [`${listPath}?size=101`, (response) => expect(response.json.meta.size).toBe(100)],
    ignore: [`${listPath}?size=101`, (response) => expect(response.json.meta.size).toBe(20)],
  },
  "list.past_end": {
    empty: [`${listPath}?page=3`, (response) => expect([response.status, response.json.data]).toEqual([200, []])],
    "400": [
      `${listPath}?page=3`,
      expectMatch({ status: 400, json: { errors: [{ code: "parameter_invalid", source: { parameter: "page" } }] } }),
    ],
    "404": [`${listPath}?page=3`, expectStatus(404)],
  },
  "list.order": {
    create_date: [`${listPath}?size=25`, expectNumbers((order) => expect(order).toEqual(range(1, 25)))],
    "-create_date": [`${listPath}?size=25`, expectNumbers((order) => expect(order).toEqual(range(1, 25).toReversed()))],
    modify_date: [
      `${listPath}?size=25`,
      (response) => expect(modifyDatesOf(response)).toEqual(modifyDatesOf(response).toSorted()),
    ],
    "-modify_date": [
      `${listPath}?size=25`,
      (response) => expect(modifyDatesOf(response)).toEqual(modifyDatesOf(response).toSorted().toReversed()),
    ],
    id: [
      `${listPath}?size=25`,
      (response) => expect(idsOf(response.json.data)).toEqual(idsOf(response.json.data).toSorted()),
    ],
    unordered: [
      `${listPath}?size=25`,
      expectNumbers((order) => {
        expect(order).not.toEqual(range(1, 25));
        expect(order).not.toEqual(range(1, 25).toReversed());
        expect(order.toSorted((left, right) => left - right)).toEqual(range(1, 25));
      }),
    ],
  },
  "events.order": {
    create_date: [eventsPath, expectDates((order) => expect(order).toEqual(order.toSorted()))],
    "-create_date": [eventsPath, expectDates((order) => expect(order).toEqual(order.toSorted().toReversed()))],
    id: [
      eventsPath,
      (response) => expect(idsOf(response.json.included)).toEqual(idsOf(response.json.included).toSorted()),
    ],
    unordered: [
      eventsPath,
      expectDates((order) => {
        expect(order).toHaveLength(6);
        expect(order).not.toEqual(order.toSorted());
        expect(order).not.toEqual(order.toSorted().toReversed());
      }),
    ],
  },
  "dates.date_only": {
    "whole-day": [
      `${eventsPath}?create_date[lte]=2026-01-06`,
      (response) => expect(response.json.included).toHaveLength(5),
    ],
    midnight: [
      `${eventsPath}?create_date[lte]=2026-01-06`,
      (response) => expect(response.json.included).toHaveLength(4),
    ],
    reject: [`${eventsPath}?create_date[lte]=2026-01-06`, expectStatus(400)],
  },
  "dates.repeated": {
    reject: [`${listPath}?size=1&size=2`, expectStatus(400)],
    last: [`${listPath}?size=1&size=2`, (response) => expect(response.json.data).toHaveLength(2)],
    first: [`${listPath}?size=1&size=2`, (response) => expect(response.json.data).toHaveLength(1)],
    ignore: [`${listPath}?size=1&size=2`, (response) => expect(response.json.data).toHaveLength(20)],
  },
  "investor.birthdate": {
    absent: [investmentPath, expectInvestor("birthdate", undefined)],
    null: [investmentPath, expectInvestor("birthdate", null)],
  },
  "investor.redact_absent": {
    redacted: [investmentPath, expectInvestor("birthdate", "[[redacted]]"), marketing],
    absent: [investmentPath, expectInvestor("birthdate", undefined), marketing],
  },
  "investor.middle_name": {
    '""': [investmentPath, expectInvestor("middle_name", "")],
    null: [investmentPath, expectInvestor("middle_name", null)],
    absent: [investmentPath, expectInvestor("middle_name", undefined)],
  },
  "signing_party.status": {
    pending: [investmentPath, (response) => expect(partyStatuses(response)).toEqual(["signed", "pending", "pending"])],
    "sent out": [
      investmentPath,
      (response) => expect(partyStatuses(response)).toEqual(["signed", "sent out", "sent out"]),
    ],
  },
  "payment.statuses": {
    "pending,failed": [
      investmentPath,
      (response) => {
        const payments = response.json.included.filter((item: { type: string }) => item.type === "payments");
        const statuses = payments.map((item: { attributes: { status: string } }) => item.attributes.status);
        expect(statuses).toEqual(["succeeded", "pending", "failed"]);
      },
    ],
  },
  "investment.statuses": {
    none: [
      `${investmentPath}/status`,
      (response) => expect(["PENDING", "CLOSED"]).toContain(response.json.data.attributes.status),
    ],
    any: [`${investmentPath}/status`, expectStatus(200)],
    unseen: [
      `${listPath}?size=25`,
      (response) => expect(new Set(statusesOf(response))).toEqual(new Set(["PENDING", "UNDER_REVIEW", "CLOSED"])),
    ],
  },
  "events.kinds": {
    // oxlint-disable-next-line id-denylist -- a value of `events.kinds`
    seen: [eventsPath, (response) => expect(response.json.included).toHaveLength(6)],
    unseen: [
      eventsPath,
      ({ json }) => expect(json.included[1]).toMatchObject({ event: "DOCUMENT", action: "UPLOADED" }),
    ],
  },
  "investment.broker": {
    null: [investmentPath, expectBroker(null)],
    reference: [investmentPath, expectBroker({ type: "brokers", id: "00000070-0000-4000-8000-000000000001" })],
  },
  "money.currency": {
    decimal: [investmentPath, (response) => expect(response.json.data.attributes.amount).toBe(1000.5)],
  },
  "limit.window": {
    fixed: [investmentPath, expectStatus(429), atLimit],
    sliding: [investmentPath, expectStatus(429), atLimit],
  },
  "limit.counts": {
    "every-request": [investmentPath, expectStatus(429), atLimit],
    answered: [investmentPath, expectStatus(429), atLimit],
  },
  "limit.retry_after": {
    seconds: [investmentPath, expectHeader("retry-after", "60"), atLimit],
    "http-date": [investmentPath, expectHeader("retry-after", new Date(machineTime + 60_000).toUTCString()), atLimit],
  },
  "limit.headers": {
    none: [investmentPath, expectHeader("ratelimit", undefined)],
    "draft-8": [
      investmentPath,
      ({ headers }) => {
        expect([headers["ratelimit-policy"], headers["ratelimit"]].join()).toMatch(/q=120; w=60.*,.*r=119; t=60/);
      },
    ],
    "x-ratelimit": [
      investmentPath,
      ({ headers }) => {
        expect(headers).toMatchObject({
          "x-ratelimit-limit": "120",
          "x-ratelimit-remaining": "119",
          "x-ratelimit-reset": String(machineTime / 1000 + 60),
        });
        expect(headers["access-control-expose-headers"]).toMatch(/X-RateLimit-Limit, .*-Remaining, .*-Reset/);
      },
      { headers: { origin: "https://app.example.com" } },
    ],
  },
  content_type: {
    "application/json; charset=utf-8": [
      investmentPath,
      expectHeader("content-type", "application/json; charset=utf-8"),
    ],
    "application/vnd.api+json": [investmentPath, expectHeader("content-type", "application/vnd.api+json")],
    'application/hal+json ; profile="a b"': [
      investmentPath,
      expectHeader("content-type", 'application/hal+json ; profile="a b"'),
    ],
  },
  "transport.form": {
    plain: [investmentPath, expectHeader("transfer-encoding", undefined)],
    chunked: [investmentPath, expectHeader("transfer-encoding", "chunked")],
  },
  cors: {
    yes: [
      investmentPath,
      expectHeader("access-control-allow-origin", "*"),
      { headers: { origin: "https://app.example.com" } },
    ],
    no: [
      investmentPath,
      expectHeader("access-control-allow-origin", undefined),
      { headers: { origin: "https://app.example.com" } },
    ],
  },
  precedence: {
    conventional: [`/offerings/${known.borealis}/investments?page=x`, expectStatus(403)],
    "404-path,405,401,400,403": [`/offerings/${known.borealis}/investments?page=x`, expectStatus(400)],
  },
};

describe("every value of every assumption changes a response, whose header names it", () => {
  for (const row of catalog) {
    test.each(Object.entries(behaviors[row.id]))(
      `${row.id} = %s`,
      async (value, [path, expectBehavior, requestOptions]) => {
        stopMachineTime();
        vi.spyOn(Date, "now").mockReturnValue(machineTime);
        const { api } = await openSandbox({ rateLimit: 120, assumptions: { [row.id]: value } });
        const response = await api(path, requestOptions);
        expectBehavior(response);
        const isNamed = !(row.id === "investment.statuses" || row.id === "ids.case");
        if (isNamed) expect(response.headers["sandbox-assumptions"]?.split(", ")).toContain(row.id);
      },
    );
  }

  test("the table covers every row and every listed value", () => {
    for (const row of catalog) {
      expect(Object.keys(behaviors[row.id])).toEqual(expect.arrayContaining(Object.keys(row.values)));
      expect(Object.keys(behaviors[row.id]).length).toBeGreaterThan(0);
    }
  });
});

test("Sandbox-Assumptions names exactly the assumptions a response depends on", async () => {
  const listRows = (...more: string[]): string[] =>
    ["content_type", "documents.order", "list.document", "list.first_page", "list.included", ...more].toSorted();
  const cases: [path: string, requestOptions: RequestOptions, rows: string[]][] = [
    [`/offerings/${known.aurora}`, {}, ["content_type", "documents.order", "offering.document", "offering.members"]],
    [`/investments/${known.closed}/status`, {}, ["content_type", "documents.order", "status.document"]],
    [eventsPath, {}, ["content_type", "documents.order", "events.kinds", "events.order", "investment.statuses"]],
    [
      `${eventsPath}?create_date[gte]=2026-01-07T00:00:00Z`,
      {},
      ["content_type", "documents.order", "investment.statuses"],
    ],
    [
      `${eventsPath}?create_date[gte]=2026-01-06`,
      {},
      ["content_type", "dates.date_only", "documents.order", "events.order", "investment.statuses"],
    ],
    [investmentPath, { key: null }, ["content_type", "errors.body", "errors.www_authenticate"]],
    [
      investmentPath,
      { key: null, headers: { origin: "https://a.example" } },
      ["content_type", "cors", "errors.body", "errors.www_authenticate"],
    ],
    [
      listPath,
      {},
      listRows(
        "investment.broker",
        "investment.statuses",
        "list.default_size",
        "list.max_size",
        "list.order",
        "money.currency",
      ),
    ],
    [
      `${listPath}?size=2`,
      {},
      listRows("investment.broker", "investment.statuses", "list.max_size", "list.order", "money.currency"),
    ],
    [
      `${listPath}?size=2&create_date[gte]=2026-01-11T16:00:00.000Z`,
      {},
      listRows("investment.statuses", "list.max_size", "money.currency"),
    ],
    [`${listPath}?size=1&create_date[gte]=2026-02-11T16:00:00.000Z`, {}, listRows()],
    [`/investments/${known.unknown}`, {}, ["content_type", "errors.body"]],
    [investmentPath, { method: "PUT" }, ["content_type", "errors.body", "errors.method"]],
    [
      investmentPath,
      marketing,
      [
        "content_type",
        "documents.order",
        "investment.broker",
        "investment.statuses",
        "investor.middle_name",
        "investor.redact_absent",
        "money.currency",
        "offering.members",
        "payment.statuses",
        "signing_party.status",
      ],
    ],
  ];
  const { api } = await openSandbox();
  for (const [path, requestOptions, rows] of cases) {
    const dependsOn = (await api(path, requestOptions)).headers["sandbox-assumptions"];
    expect(dependsOn, `${path} ${JSON.stringify(requestOptions)}`).toBe([...rows, "transport.form"].join(", "));
  }
});

test("a list without meta depends on paging assumptions only where they change its data", async () => {
  const { api } = await openSandbox({ assumptions: { "list.document": "data" } });
  const namedRows = async (query: string): Promise<unknown> =>
    (await api(`${listPath}${query}`)).headers["sandbox-assumptions"]
      ?.split(", ")
      .filter((id) => /list|dates/.test(id));
  const shape = ["list.document", "list.included"];
  const dateFilter = "create_date[gte]=2026-02-11T16:00:00.000Z";
  expect(await namedRows(`?${dateFilter}`)).toEqual(shape);
  expect(await namedRows(`?${dateFilter}&page=1`)).toEqual(["list.document", "list.first_page", "list.included"]);
  expect(await namedRows("?page=99")).not.toContain("list.order");
  expect(await namedRows("?size=30")).toEqual([...shape, "list.max_size", "list.order"]);
  expect(await namedRows("")).toEqual(["list.default_size", ...shape, "list.max_size", "list.order"]);
});

describe("an id in another case than the stored one", () => {
  const offeringId = "0000001a-0000-4000-8000-00000000000b";
  test.each(["any-case", "exact"])("is found or refused as ids.case=%s says", async (value) => {
    const fixture = await writeFixture({
      offerings: [{ alias: "lettered", id: offeringId }],
      keys: [{ type: "partner", key: known.keys.partner, offering: "lettered" }],
    });
    const { api } = await openSandbox({ fixture, assumptions: { "ids.case": value } });
    const { status: responseStatus, headers } = await api(`/offerings/${offeringId.toUpperCase()}`);
    expect(responseStatus).toBe(value === "exact" ? 403 : 200);
    expect(headers["sandbox-assumptions"]).toContain("ids.case");
    for (const path of [`/offerings/${offeringId}`, `/offerings/${offeringId.replace("1a", "2A")}`, `/investments/A`])
      expect((await api(path)).headers["sandbox-assumptions"]).not.toContain("ids.case");
  });
});

test("investment.statuses=any admits other statuses, which are refused by default", async () => {
  const id = known.whole;
  const fixture = await writeFixture({
    offerings: [{ alias: "one", investments: [{ id, status: "CANCELLED" }] }],
    keys: [{ type: "partner", key: known.keys.partner, offering: "one" }],
  });
  await expect(openSandbox({ fixture })).rejects.toThrow("investment.statuses=any");
  const { api } = await openSandbox({ fixture, assumptions: { "investment.statuses": "any" } });
  const { json, headers } = await api(`/investments/${id}/status`);
  expect(json.data.attributes.status).toBe("CANCELLED");
  expect(headers["sandbox-assumptions"]).toContain("investment.statuses");
});

describe.each(profileNames)("under the profile %s", (profile) => {
  test("every operation responds for both types of key", async () => {
    const { api } = await openSandbox({ profile });
    for (const key of [known.keys.partner, known.keys.marketing]) {
      for (const path of [
        investmentPath,
        `${investmentPath}/status`,
        eventsPath,
        listPath,
        `/offerings/${known.aurora}`,
      ]) {
        expect((await api(path, { key })).status).toBe(200);
      }
    }
  });
});

function statusesOf(response: TestResponse): string[] {
  return response.json.data.map((item: { attributes: { status: string } }) => item.attributes.status);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function modifyDatesOf(response: TestResponse): string[] {
  return response.json.data.map((item: { attributes: { modify_date: string } }) => item.attributes.modify_date);
}

function idsOf(resources: readonly { readonly id: string }[]): string[] {
  return resources.map(({ id }) => id);
}

function partyStatuses(response: TestResponse): string[] {
  return response.json.included
    .filter((item: { type: string }) => item.type === "signing_parties")
    .map((item: { attributes: { status: string } }) => item.attributes.status);
}
