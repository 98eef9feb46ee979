import { expect, test, vi } from "vitest";
import type { RequestEntry } from "../../src/public/requests.ts";
import { ResponseCache } from "../../src/service/response-cache.ts";
import { known, openSandbox, type RequestOptions } from "../support/sandbox.ts";

const investmentPath = `/investments/${known.whole}`;
const offering = `/offerings/${known.aurora}`;
const list = `${offering}/investments`;
const exampleDate = "an ISO 8601 date, such as 2026-01-15T12:00:00.000Z or 2026-01-15";

/** A refused request, and the expected errors in the response. */
type Refusal = readonly [
  path: string,
  details: readonly string[],
  requestOptions?: RequestOptions,
  assumptions?: Readonly<Record<string, string>>,
];

const refusals: readonly Refusal[] = [
  [investmentPath, ["Send the header `Authorization: Bearer <API_KEY>`."], { key: null }],
  [offering, ["Send the header `Authorization: Bearer <API_KEY>`."], { key: null, headers: { authorization: "  " } }],
  [
    investmentPath,
    ["The Authorization header is not of the form `Bearer <API_KEY>`."],
    { key: null, headers: { authorization: `x Bearer ${known.keys.partner}` } },
  ],
  [investmentPath, ["No such key was issued."], { key: "sandbox_partner_unknown" }],
  [investmentPath, ["The key was revoked."], { key: known.keys.revoked }],
  [
    investmentPath,
    ["More than 120 requests within a minute; retry after the time in Retry-After."],
    { key: known.keys.atLimit },
  ],
  ["/investment", ["There is no such path. Did you mean /investments/:id?"]],
  [`/investment/${known.whole}`, ["There is no such path. Did you mean /investments/:id?"]],
  [`/offerings/${known.aurora}/investment`, ["There is no such path. Did you mean /offerings/:id/investments?"]],
  [`${investmentPath}/statsu/`, ["There is no such path. Did you mean /investments/:id/status?"]],
  [`//investments//${known.whole}`, ["There is no such path. Did you mean /investments/:id?"]],
  ["/offerings/", ["There is no such path. Did you mean /offerings/:id?"]],
  ["/investments//status", ["There is no such path. Did you mean /investments/:id?"]],
  ["/somewhere/else", ["There is no such path."]],
  [investmentPath, ["Use GET or HEAD."], { method: "POST" }],
  [investmentPath, ["Only GET and HEAD exist here."], { method: "POST" }, { "errors.method": "404" }],
  [`/offerings/${known.borealis}`, ["The key was issued for another offering."]],
  [`/investments/${known.elsewhere}`, ["There is no such investment in the offering that the key was issued for."]],
  [`${list}?page=3`, ["The last page is 2."], {}, { "list.past_end": "404" }],
  [`${list}?page=0`, ["page must be an integer of 1 or more, with at most 15 digits."]],
  [`${list}?page=x1`, ["page must be an integer of 1 or more, with at most 15 digits."]],
  [`${list}?page=1x`, ["page must be an integer of 1 or more, with at most 15 digits."]],
  [`${list}?page=1234567890123456`, ["page must be an integer of 1 or more, with at most 15 digits."]],
  [
    `${list}?page=-1`,
    ["page must be an integer of 0 or more, with at most 15 digits."],
    {},
    { "list.first_page": "0" },
  ],
  [`${list}?size=0`, ["size must be an integer from 1 to 100."]],
  [`${list}?size=1.0`, ["size must be an integer from 1 to 100."]],
  [`${list}?size=101`, ["size must be an integer from 1 to 100."]],
  [`${list}?size=102`, ["size must be an integer from 1 to 100."], {}, { "errors.invalid_parameter": "ignore" }],
  [`${list}?size=1&size=2`, ["size is given more than once, expected once."]],
  [`${list}?create_date[gte]=2026-02-30`, [`create_date[gte] must be ${exampleDate}.`]],
  [
    `${list}?create_date[lte]=2026-01-15&modify_date[gte]=2026-01-15`,
    [
      "create_date[lte] must have a time, such as 2026-01-15T12:00:00.000Z.",
      "modify_date[gte] must have a time, such as 2026-01-15T12:00:00.000Z.",
    ],
    {},
    { "dates.date_only": "reject", "errors.invalid_parameter": "ignore" },
  ],
  [
    `${list}?modify_date[lte]=&size=&page=`,
    [
      "page must be an integer of 1 or more, with at most 15 digits.",
      "size must be an integer from 1 to 100.",
      `modify_date[lte] must be ${exampleDate}.`,
    ],
  ],
];

test.for(refusals)("%s is refused: %s", async ([path, details, requestOptions, assumptions = {}]) => {
  const { raw } = await openSandbox({ rateLimit: 120, assumptions });
  const { json, text } = await raw(`/api/v1${path}`, requestOptions);
  expect(json.errors?.map(({ detail }: { detail: string }) => detail) ?? text).toEqual(details);
});

test("the log and the journal show a path as the client sent it, without likely keys, and have hints", async () => {
  const longName = "investmentsbyofferingkinds".slice(0, 24);
  const noHeader = "no Authorization header; expected Bearer <API_KEY>";
  const pageExpected = "must be an integer of 1 or more, with at most 15 digits";
  const sizeExpected = "must be an integer from 1 to 100";
  const requests: [path: string, printed: string, hints: readonly string[], requestOptions?: RequestOptions][] = [
    [investmentPath, investmentPath, []],
    [`${investmentPath}/`, `${investmentPath}/`, ["unknown path, did you mean /investments/:id?"]],
    ["/investment/ghp_s3cret", "/investment/…", ["unknown path, did you mean /investments/:id?"]],
    ["/investment/12345", "/investment/12345", [noHeader], { key: null }],
    ["/nowhere/v1/v2?size=5", "/nowhere/v1/v2?size=5", ["unknown path"]],
    ["/../v2/%7Bid%7D%2Fx/a%20b", "/../v2/…/a+b", ["unknown path"]],
    [`/${"ab/".repeat(97)}cd`, `/${"ab/".repeat(97)}…`, ["unknown path"]],
    [`/${"ab/".repeat(97)}c`, `/${"ab/".repeat(97)}c`, ["unknown path"]],
    [`${list}?page=1&page=1`, `${list}?page=1&page=1`, ["page=1&page=1 is given more than once, expected once"]],
    [
      `${list}?size=-123456789&page=1234567890`,
      `${list}?size=-123456789&page=1234567890`,
      [`size=-123456789 ${sizeExpected}`],
    ],
    [`${list}?size=1e3&page=`, `${list}?size=1e3&page=`, [`page= ${pageExpected}`, `size=1e3 ${sizeExpected}`]],
    [`${list}?create_date[gte]=2026-01-05T00:00:00Z`, `${list}?create_date[gte]=2026-01-05T00:00:00Z`, []],
    [
      `${list}?${longName}=1&${longName}a=1`,
      `${list}?${longName}=1&…=1`,
      [`unknown parameter ${longName}`, "unknown parameter"],
    ],
    [`${list}?pgae=2&pgae=3`, `${list}?pgae=2&pgae=3`, ["unknown parameter pgae, did you mean page?"]],
    [`${offering}?page=2`, `${offering}?page=2`, ["unknown parameter page"]],
    [`${list}?`, `${list}?`, []],
    [
      `${list}?a=1&b=2&c=3&d=4&e=5&f=6`,
      `${list}?a=1&b=2&c=3&d=4&e=5&f=6`,
      ["a", "b", "c", "d", "e"].map((name) => `unknown parameter ${name}`),
    ],
    [`${list}?${"x=1&".repeat(21)}x=1`, `${list}?${"x=1&".repeat(20)}…`, ["unknown parameter x"]],
  ];
  const log: RequestEntry[] = [];
  const { raw, sandbox } = await openSandbox({ onRequest: (entry) => log.push(entry) });
  const keys = await sandbox.keys.list();
  const partner = keys.find(({ key }) => key === known.keys.partner);
  const entries: object[] = [];
  log.length = 0;
  for (const [path, shownPath, hints, requestOptions] of requests) {
    const { status, json } = await raw(`/api/v1${path}`, requestOptions);
    entries.push({
      method: "GET",
      path: `/api/v1${shownPath}`,
      status,
      connection: null,
      code: json.errors?.[0].code ?? null,
      duration_ms: expect.any(Number),
      key_id: requestOptions ? null : partner?.id,
      key_label: requestOptions ? null : partner?.label,
      environment: "default",
      fault_id: null,
      hints,
      depends_on: expect.any(Array),
      retry_after_seconds: null,
    });
  }
  expect(log).toEqual(entries);
  expect(log.filter(({ duration_ms }) => duration_ms < 0 || duration_ms > 60_000)).toEqual([]);
  const journal = (await sandbox.requests.list()).data;
  expect(journal).toEqual(entries.map((entry) => expect.objectContaining(entry)));

  log.length = 0;
  await raw("/favicon/ghp_s3cret?token=s3cret&size=5", { method: "POST", key: null });
  expect(log).toMatchObject([{ method: "POST", path: "/favicon/…?token=…&size=5", code: "path_not_found" }]);
});

test("a refused parameter does not depend on the assumptions about the valid ones next to it", async () => {
  const { raw, sandbox } = await openSandbox();
  const dependsOn = async (query: string): Promise<readonly string[] | undefined> => {
    await raw(`/api/v1${list}?${query}`);
    return (await sandbox.requests.list({ limit: 1 })).data[0]?.depends_on;
  };
  const [refusalRow, pageRow, sizeRow] = ["errors.invalid_parameter=400", "list.first_page=1", "list.max_size=100"];
  expect(await dependsOn("page=0&size=50")).toEqual([refusalRow, pageRow]);
  expect(await dependsOn("page=1&size=0")).toEqual([refusalRow, sizeRow]);
  expect(await dependsOn("page=0&size=0")).toEqual([refusalRow, pageRow, sizeRow]);
});

test("the message about a limit of one request is in the singular", async () => {
  const { raw } = await openSandbox({ rateLimit: 1 });
  await raw(`/api/v1${investmentPath}`);
  const { json } = await raw(`/api/v1${investmentPath}`);
  expect(json.errors[0].detail).toBe("More than 1 request within a minute; retry after the time in Retry-After.");
});

test("an unforeseen error is passed to onFailure, and hidden from the client", async () => {
  const failures: unknown[] = [];
  const { raw } = await openSandbox({ onFailure: (error) => failures.push(error) });
  const failure = new Error("secret detail");
  vi.spyOn(ResponseCache.prototype, "get").mockImplementationOnce(() => {
    throw failure;
  });
  const { status, json, text } = await raw(`/api/v1${investmentPath}`);
  expect([status, json.errors[0].code]).toEqual([500, "internal_error"]);
  expect(text).not.toContain("secret detail");
  expect(failures).toEqual([failure]);
});

test.each(["a fault", "the delay"])(
  "a request that waits for %s while its environment is closed gets no response",
  async (cause) => {
    const failures: unknown[] = [];
    const log: RequestEntry[] = [];
    const { sandbox } = await openSandbox({
      ...(cause === "the delay" && { delay: [600_000, 600_000] as const }),
      onFailure: (error) => failures.push(error),
      onRequest: (entry) => log.push(entry),
    });
    const environment = await sandbox.openEnvironment();
    if (cause === "a fault") await environment.faults.add({ delay: "10m" });
    const headers = { authorization: `Bearer ${environment.keys.partner}` };
    const { id = "" } = (await environment.investments.list()).data[0] ?? {};
    const response = fetch(`${environment.baseUrl}/investments/${id}`, { headers }).catch((error: unknown) => error);
    while ((await environment.requests.list()).waiting.length === 0) await new Promise(setImmediate);
    await environment.close();
    expect(await response).toBeInstanceOf(TypeError);
    expect(failures).toEqual([]);
    expect(log).toMatchObject([{ status: null, connection: null, environment: environment.id }]);
  },
);
