import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createRawServer, type Server } from "node:net";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { type Calibration, calibrate, type CalibrationOptions } from "../../calibrate/calibration.ts";
import type { RawResponse } from "../../calibrate/responses/shape.ts";
import type { Sender } from "../../calibrate/service/send.ts";
import { caseCount } from "../support/case-count.ts";
import { listenUntilTestEnds } from "../support/listening.ts";

const offering = "00000010-0000-4000-8000-000000000001";
const key = "secretsecretsecret";

/** The result of a calibration or the message about a refused key, and the wait by its clock in milliseconds. */
interface Outcome {
  readonly waited: number;
  readonly outcome: Calibration | string;
}

async function against(options: Partial<CalibrationOptions>): Promise<Outcome> {
  let waited = 0;
  const clock = { now: () => waited, wait: async (milliseconds: number) => void (waited += milliseconds) };
  const url = new URL("http://localhost:1/api/v1");
  try {
    const outcome = await calibrate({ url, offering, keys: [key], version: "1.0.0", clock, ...options });
    expect(JSON.stringify(outcome.report)).not.toContain(key);
    return { waited, outcome };
  } catch (error) {
    if (error instanceof Error && error.name === "KeyRefusedError") return { waited, outcome: error.message };
    throw error;
  }
}

/** A calibration that is not refused. */
async function finished(options: Partial<CalibrationOptions>): Promise<Calibration> {
  const { outcome } = await against(options);
  if (typeof outcome === "string") throw new Error(outcome);
  return outcome;
}

async function serving(server: Server): Promise<URL> {
  return new URL(`http://localhost:${await listenUntilTestEnds(server, "localhost")}/api/v1`);
}

const list = { data: [] };
const anOffering = { data: { type: "offerings", id: offering, attributes: {} } };

/**
 * Responds by the last words of a path, an empty list by default, and refuses a request without a key; `change` makes
 * the nth response another one.
 */
function responding(
  documents: Readonly<Record<string, object>>,
  change: (right: RawResponse, number: number) => RawResponse = (right) => right,
): Sender {
  let number = 0;
  return {
    async send({ url: { pathname }, headers: { Authorization } }) {
      if (Authorization === undefined) return change({ status: 401, headers: {}, body: "" }, ++number);
      const ending = pathname.endsWith(offering) ? anOffering : documents[/[a-z]*$/.exec(pathname)?.[0] ?? ""];
      const headers = { "content-type": "application/hal+json" };
      return change({ status: 200, headers, body: JSON.stringify(ending ?? list) }, ++number);
    },
    close() {},
  };
}

/** Responds to a request; `endTime` lets the request time out. */
type TestResponse = (request: IncomingMessage, response: ServerResponse, endTime: () => void) => void;

const head =
  (status: number, headers: Readonly<Record<string, string>> = {}): TestResponse =>
  (_, response) =>
    response.writeHead(status, headers).end();

/** Ways in which a service fails: its response, the reported reason, and the number of requests. */
const failures: Readonly<Record<string, readonly [respond: TestResponse, expected: RegExp, requests: number]>> = {
  "an error of the server": [head(503), /503, the third failure/, 3],
  "a redirect": [head(302, { location: "http://localhost/" }), /302, a redirect/, 1],
  "a key that is refused": [head(401), /Key 1 was refused with 401/, 1],
  "an endless body": [(_, response) => endless(response), /more than/, 1],
  "a body that never ends": [
    (_, response, endTime) => response.writeHead(200).write("{", endTime),
    /no response within/,
    1,
  ],
  "no response at all": [(_request, _response, endTime) => endTime(), /no response within/, 1],
  "a body shorter than its length": [
    (_, response) => response.writeHead(200, { "content-length": "100" }).write("{", () => response.destroy()),
    /connection was closed/,
    1,
  ],
  "429 for ever": [head(429, { "retry-after": "30" }), /4 429s in a row/, 4],
  "429 without Retry-After": [head(429), /4 429s in a row/, 4],
  "429 for a day": [head(429, { "retry-after": "86400" }), /wait 86400 s/, 1],
  "429 for longer than any number": [head(429, { "retry-after": "9".repeat(400) }), /wait more than a day/, 1],
  "a huge header": [head(200, { "x-huge": "x".repeat(20_000) }), /not HTTP/, 1],
};

test.each(Object.keys(failures))("%s ends a calibration in bounded time", async (name) => {
  const [respond, expected, expectedRequests] = failures[name] ?? [];
  const time = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(time.signal);
  let requestCount = 0;
  const server = createServer((request, response) => {
    requestCount++;
    respond?.(request, response, () => time.abort());
  });
  const url = await serving(server);
  const { waited, outcome } = await against({ url, bounds: { timeoutMs: 60_000, maxBytes: 100_000 } });
  expect(typeof outcome === "string" ? outcome : outcome.earlyEnd?.reason).toMatch(expected ?? /./);
  expect(requestCount).toBe(expectedRequests);
  expect(waited).toBeLessThan(300_000);
  if (typeof outcome !== "string") {
    const decided = Object.entries(outcome.report.rows).filter(([, { confidence }]) => confidence !== "none");
    // Even a 429 shows the form of its Retry-After header.
    for (const [id] of decided) expect([id, name]).toEqual(["limit.retry_after", expect.stringContaining("429 for")]);
    expect([outcome.hasResponded, outcome.report.requests]).toEqual([false, expectedRequests]);
  }
});

test("a service that speaks another protocol, or is not there, ends a calibration with a failure", async () => {
  const url = await serving(createRawServer((socket) => void socket.on("error", () => {}).end("SSH-2.0-OpenSSH\r\n")));
  expect((await against({ url })).outcome).toMatchObject({ earlyEnd: { isFailure: true } });
  expect((await against({ url: new URL("http://localhost:1/api/v1") })).outcome).toMatchObject({
    earlyEnd: { reason: "no server listens there", isFailure: true },
  });
});

test.each([
  ["HTML", `<!doctype html><p>${key}</p>`, "it returned 200 without JSON"],
  ["broken JSON", '{"data": [{"id": ', "it returned 200 without JSON"],
  ["null", "null", "no response that is an offering"],
  ["a list", '{"data":[null,1,"x",[],{}],"included":[null],"meta":null,"links":[]}', "no response that is an offering"],
  ["an object of no offering", '{"data":{}}', "no response that is an offering"],
  ["deep JSON", "[".repeat(4_000) + "]".repeat(4_000), "no response that is an offering"],
])("a service that returns 200 with %s to everything is the wrong service", async (_, body, reason) => {
  const { outcome } = await against({ sender: responding({}, (right) => ({ ...right, body })) });
  expect(typeof outcome === "string" ? outcome : outcome.earlyEnd?.reason).toContain(reason);
  if (typeof outcome !== "string") expect([outcome.hasResponded, outcome.report.requests]).toEqual([false, 1]);
});

test("a service without parameters leaves the rows about checks and data open", async () => {
  const sender = responding({ investments: { data: [{ id: "x" }] }, status: {}, events: {} });
  const { earlyEnd, report } = await finished({ sender });
  expect(earlyEnd).toBeUndefined();
  for (const id of ["ids.case", "errors.invalid_parameter", "list.order", "list.max_size"])
    expect([id, report.rows[id]?.confidence]).toEqual([id, "none"]);
});

/** The rows that a list decides. */
const ofLists = ["list.document", "list.included", "list.order", "list.max_size", "list.past_end", "ids.case"];

/** Bodies in place of the list of investments, and of everything below an investment. */
const malformed: Readonly<Record<string, string>> = {
  "an object": "{}",
  "an array": "[]",
  "an array of resources": `[{"type":"investments","id":"${offering}","attributes":{}}]`,
  "a list of strings": '{"data":["a","b"],"included":[]}',
  "a list of nothing": '{"data":[null,{},[]],"included":[]}',
  "a list without ids": '{"data":[{"type":"investments","attributes":{}}],"included":[]}',
  "a list of ids that are numbers": '{"data":[{"type":"investments","id":1,"attributes":{}}],"included":[]}',
  "a list of offerings": `{"data":[{"type":"offerings","id":"${offering}","attributes":{}}],"included":[]}`,
  "a list of investments of another offering": `{"data":[{"type":"investments","id":"x","attributes":{},"relationships":{"offering":{"data":{"type":"offerings","id":"y"}}}}],"included":[]}`,
  "a list of investments without attributes":
    '{"data":[{"type":"investments","id":"x","attributes":[]}],"included":[]}',
  "the offering": JSON.stringify(anOffering),
  "a list in another member": '{"items":[],"included":[]}',
  text: '"investments"',
  "truncated JSON": '{"data":[{"type":"investments","id":"',
  "a page": "<!doctype html>",
};

test.each(Object.keys(malformed))("nothing about lists is decided from %s", async (name) => {
  const sender = responding({}, (right) =>
    right.status === 401 || right.body.includes('"offerings"') ? right : { ...right, body: malformed[name] ?? "" },
  );
  const { report } = await finished({ sender });
  const decided = Object.entries(report.rows).filter(([id, { value }]) => value !== null && ofLists.includes(id));
  expect(decided).toEqual([]);
});

test.each([200, 206])("a service that returns %s without a key too is unfit, whatever it responds", async (status) => {
  const url = await serving(
    createServer((_, response) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(anOffering)),
    ),
  );
  const { outcome } = await against({ url });
  if (status === 206) return expect(outcome).toMatch(/206 for the offering/);
  expect(outcome).toMatchObject({
    hasResponded: false,
    earlyEnd: { reason: expect.stringContaining("refuses no key"), isFailure: true },
  });
});

test("documents of other resources than the requested ones decide nothing", async () => {
  const id = "aaaaaaaa-0000-4000-8000-000000000001";
  const otherDocument = {
    data: { type: "investments", id: "b", attributes: { status: "CLOSED", step: null, create_date: "" } },
  };
  const sender = responding({
    investments: { data: [{ type: "investments", id, attributes: {} }] },
    status: otherDocument,
    events: { ...otherDocument, included: [{ type: "events", id: "e", create_date: "2026-01-01T10:00:00.000Z" }] },
  });
  const wrong: Sender = {
    ...sender,
    send: (request) =>
      request.url.pathname.toLowerCase().endsWith(id)
        ? Promise.resolve({ status: 200, headers: {}, body: JSON.stringify({ ...otherDocument, included: [] }) })
        : sender.send(request),
  };
  const { earlyEnd, report } = await finished({ sender: wrong });
  expect(earlyEnd?.reason).toContain("with another document than the requested one, the third failure in a row");
  for (const row of ["status.document", "ids.case", "events.order", "dates.date_only"])
    expect([row, report.rows[row]?.value]).toEqual([row, null]);
});

test("an event with an impossible date is skipped", async () => {
  const id = "aaaa";
  const sender = responding({
    investments: { data: [{ type: "investments", id, attributes: {} }] },
    events: { data: { id }, included: [{ id: "e", create_date: "2026-99-99T10:00:00.000Z" }] },
    [id]: { data: { id } },
  });
  const { earlyEnd, report } = await finished({ sender });
  expect([earlyEnd, report.rows["dates.date_only"]?.because]).toEqual([
    undefined,
    "no event at a time other than midnight",
  ]);
});

test.each<[becomes: string, reason: string, from: number, change: Partial<RawResponse>]>([
  ["fails", "it returned 500, the third failure in a row", 8, { status: 500 }],
  ["is maintained", "it returned 200 without JSON, the third failure in a row", 7, { body: "<p>Later" }],
])(
  "a service that %s midway ends the calibration; rows decided before are reported",
  async (_, reason, from, change) => {
    const sender = responding({}, (right, number) => (number < from ? right : { ...right, ...change }));
    const { report } = await finished({ sender });
    expect(report).toMatchObject({ requests: from + 2, ended: reason });
    expect(report.rows["content_type"]).toMatchObject({ value: "application/hal+json", confidence: "high" });
    expect(report.rows["list.past_end"]).toMatchObject({ value: null, because: "not requested, or no response" });
    expect(report.rows["errors.invalid_parameter"]?.confidence).toBe("none");
  },
);

test.each([
  ["seconds", { "retry-after": "7" }],
  ["a date", { "retry-after": "Sun, 22 Nov 2026 10:00:07 GMT", date: "Sun, 22 Nov 2026 10:00:00 GMT" }],
])("requests are sent one at a time, a second apart, and a 429 is waited out: %s", async (_, headers) => {
  const times: number[] = [];
  const paths: string[] = [];
  let [now, open] = [0, 0];
  const clock = { now: () => now, wait: async (milliseconds: number) => void (now += milliseconds) };
  const service = responding({}, (right, number) => (number === 6 ? { status: 429, headers, body: "" } : right));
  const watched: Sender["send"] = async (outgoing) => {
    expect(++open).toBe(1);
    times.push(now);
    paths.push(outgoing.url.pathname);
    await Promise.resolve();
    open--;
    return service.send(outgoing);
  };
  const { report } = await finished({ clock, sender: { send: watched, close() {} } });
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  expect(gaps.toSpliced(5, 1).every((gap) => gap === 1000)).toBe(true);
  expect([gaps[5], paths[6], report.waited]).toEqual([7000, paths[5], 1]);
  expect(report.rows["limit.window"]?.confidence).toBe("none");
});

test("whatever a service responds, a calibration ends within its limit, and its report has no key", async () => {
  const words = ["data", "meta", "errors", "included", "size", "id", "attributes", "type", "status", key, "42"];
  const text = fc.constantFrom(...words);
  const { body } = fc.letrec((tie) => ({
    body: fc.oneof(
      { depthSize: "small" },
      text,
      fc.integer(),
      fc.constant(null),
      fc.array(tie("body"), { maxLength: 3 }),
      fc.dictionary(text, tie("body"), { maxKeys: 5 }),
    ),
  }));
  const respond = fc.record({
    status: fc.constantFrom(200, 200, 200, 204, 302, 400, 401, 403, 404, 422, 429, 500),
    headers: fc.dictionary(
      fc.constantFrom("content-type", "retry-after", "ratelimit", "date", key),
      fc.constantFrom(key, "0", "x/y", "Mon"),
    ),
    body: fc.oneof(
      body.map((value) => JSON.stringify(value)),
      fc.constantFrom("", "{", key),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(respond, { minLength: 1, maxLength: 30 }), async (responses) => {
      // The first response is the offering; without it nothing else is requested.
      const sender = responding({}, (right, number) => (number > 1 && responses[number % responses.length]) || right);
      const { report } = await finished({ sender, maxRequests: 80 });
      expect(report.requests).toBeLessThanOrEqual(80);
    }),
    { numRuns: caseCount(25) },
  );
});

/** Writes until the connection closes. */
function endless(response: ServerResponse): void {
  const part = " ".repeat(50_000);
  const more = (): void => {
    while (!response.destroyed && response.write(part));
  };
  response.on("error", () => {}).on("drain", more);
  more();
}
