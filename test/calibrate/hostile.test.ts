import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createRawServer, type Server } from "node:net";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { type Calibration, calibrate, type CalibrationOptions } from "../../calibrate/calibration.ts";
import type { RawResponse } from "../../calibrate/answers/shape.ts";
import { draws } from "../support/draws.ts";

const offering = "00000010-0000-4000-8000-000000000001";
const key = "secretsecretsecret";

/** A calibration in a time of its own: how long it waited, and what came of it; the message where a key was refused. */
interface Outcome {
  readonly waited: number;
  readonly done: Calibration | string;
}

async function against(options: Partial<CalibrationOptions>): Promise<Outcome> {
  let waited = 0;
  const clock = { now: () => waited, wait: async (milliseconds: number) => void (waited += milliseconds) };
  const url = new URL("http://localhost:1/api/v1");
  try {
    const done = await calibrate({ url, offering, keys: [key], version: "1.0.0", clock, ...options });
    expect(JSON.stringify(done.report)).not.toContain(key);
    return { waited, done };
  } catch (error) {
    if (error instanceof Error && error.name === "KeyRefused") return { waited, done: error.message };
    throw error;
  }
}

async function listening(server: Server): Promise<URL> {
  server.listen(0, "localhost");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return new URL(`http://localhost:${(server.address() as AddressInfo).port}/api/v1`);
}

async function serving(answer: RequestListener): Promise<URL> {
  const server = createServer(answer);
  onTestFinished(() => server.closeAllConnections());
  return listening(server);
}

const list = JSON.stringify({ data: [] });
const anOffering = JSON.stringify({ data: { type: "offerings", id: offering, attributes: {} } });

/** Every way in which a service can fail: its answer, how the calibration ends, and how long it waits for an answer. */
const failures: Readonly<
  Record<string, readonly [answer: RequestListener, expected: RegExp, requests: number, time?: number]>
> = {
  "an error of the server": [(_, response) => response.writeHead(503).end(list), /503, the third failure/, 3],
  "a redirect": [
    (_, response) => response.writeHead(302, { location: "http://localhost/" }).end(),
    /302, a redirect/,
    1,
  ],
  "a key that is refused": [(_, response) => response.writeHead(401).end(), /Key 1 was refused with 401/, 1],
  "an endless body": [(_, response) => endless(response), /more than/, 1],
  "a body that never ends": [(_, response) => void response.writeHead(200).write("{"), /no answer within/, 1, 100],
  "no answer at all": [() => {}, /no answer within/, 1, 100],
  "a body shorter than its length": [
    (_, response) => response.writeHead(200, { "content-length": "100" }).write(list, () => response.destroy()),
    /connection was closed/,
    1,
  ],
  "429 for ever": [(_, response) => response.writeHead(429, { "retry-after": "30" }).end(), /4 429s in a row/, 4],
  "429 without Retry-After": [(_, response) => response.writeHead(429).end(), /4 429s in a row/, 4],
  "429 for a day": [(_, response) => response.writeHead(429, { "retry-after": "86400" }).end(), /wait 86400 s/, 1],
  "429 for longer than any number": [
    (_, response) => response.writeHead(429, { "retry-after": "9".repeat(400) }).end(),
    /wait more than a day/,
    1,
  ],
  "a huge header": [(_, response) => response.writeHead(200, { "x-huge": "x".repeat(20_000) }).end(), /not HTTP/, 1],
};

test.each(Object.keys(failures))("%s ends a calibration in bounded time", async (name) => {
  const [answer, expected, requests, time = 60_000] = failures[name] ?? [];
  let seen = 0;
  const url = await serving((request, response) => {
    seen++;
    answer?.(request, response);
  });
  const { waited, done } = await against({ url, bounds: { time, bytes: 100_000 } });
  expect(typeof done === "string" ? done : done.ended?.reason).toMatch(expected ?? /./);
  expect(seen).toBe(requests);
  expect(waited).toBeLessThan(300_000);
  if (typeof done !== "string") {
    const known = Object.entries(done.report.rows).filter(([, { confidence }]) => confidence !== "none");
    // A 429 shows the form of its header, whenever it comes.
    for (const [id] of known) expect([id, name]).toEqual(["limit.retry_after", expect.stringContaining("429 for")]);
    expect([done.answered, done.report.requests]).toEqual([false, requests]);
  }
});

test("what is not HTTP, and nothing at all, is no answer", async () => {
  const url = await listening(
    createRawServer((socket) => void socket.on("error", () => {}).end("SSH-2.0-OpenSSH\r\n")),
  );
  expect((await against({ url })).done).toMatchObject({ ended: { failed: true } });
  expect((await against({ url: new URL("http://localhost:1/api/v1") })).done).toMatchObject({
    ended: { reason: "nothing listens there", failed: true },
  });
});

test.each([
  ["HTML", "<!doctype html><p>secretsecretsecret</p>", 1],
  ["broken JSON", '{"data": [{"id": ', 1],
  ["null", "null", undefined],
  ["a list", '{"data":[null,1,"x",[],{}],"included":[null],"meta":null,"links":[]}', undefined],
  ["an object of no offering", '{"data":{}}', undefined],
  ["deep JSON", "[".repeat(4_000) + "]".repeat(4_000), undefined],
  [
    "wide JSON",
    JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`n${"x".repeat(at % 9)}${at}`, at]))),
    undefined,
  ],
])("a service that always answers 200 with %s is not the service", async (_, body, requests) => {
  const { done } = await against({ sender: always({ status: 200, headers: { "content-type": "text/html" }, body }) });
  if (typeof done === "string") expect(done).toMatch(/no answer that is an offering/);
  else {
    expect(done.ended).toEqual({ reason: "it answered 200 without JSON", failed: true });
    expect([done.answered, done.report.requests]).toEqual([false, requests]);
  }
});

test("a service that does not check leaves nothing decided of its checks and its data", async () => {
  const { done } = await against({ sender: always({ status: 200, headers: {}, body: anOffering }) });
  if (typeof done === "string") throw new Error(done);
  expect(done.ended).toBeUndefined();
  for (const id of ["auth.scheme", "ids.case", "errors.invalid_parameter", "list.order", "list.max_size"])
    expect([id, done.report.rows[id]?.confidence]).toEqual([id, "none"]);
  expect(done.report.deviations.map(({ saw }) => saw)).toEqual(["200", "200", "200"]);
  expect(JSON.stringify(done.report).length).toBeLessThan(50_000);
});

test("a page of a maintenance decides nothing, and ends a calibration when it stays", async () => {
  let sent = 0;
  const send = async (): Promise<RawResponse> => ({
    status: 200,
    headers: {},
    body: ++sent > 6 ? "<p>Later" : sent > 1 ? list : anOffering,
  });
  const { done } = await against({ sender: { send, close() {} } });
  if (typeof done === "string") throw new Error(done);
  expect(done.ended?.reason).toBe("it answered 200 without JSON, the third failure in a row");
  expect(done.report.rows["errors.invalid_parameter"]?.confidence).toBe("none");
});

test("an event with a date that does not exist is passed over", async () => {
  const id = "00000020-0000-4000-8000-0000000000aa";
  const events = { data: { id }, included: [{ id: "e", create_date: "2026-99-99T10:00:00.000Z" }] };
  const investments = { data: [{ type: "investments", id, attributes: {} }] };
  const send: NonNullable<CalibrationOptions["sender"]>["send"] = async ({ url }) => {
    const found = url.pathname.endsWith("/events") ? events : url.pathname.endsWith("/investments") && investments;
    return { status: 200, headers: {}, body: found ? JSON.stringify(found) : anOffering };
  };
  const { done } = await against({ sender: { send, close() {} } });
  if (typeof done === "string") throw new Error(done);
  expect([done.ended, done.report.rows["dates.date_only"]?.because]).toEqual([undefined, "no event off midnight"]);
});

test("a service that fails on its way leaves what is known, and says that it ended", async () => {
  let sent = 0;
  const ok = { status: 200, headers: { "content-type": "application/hal+json" }, body: list };
  const send = async (): Promise<RawResponse> =>
    ++sent > 7 ? { ...ok, status: 500 } : { ...ok, body: sent === 1 ? anOffering : list };
  const { done } = await against({ sender: { send, close() {} } });
  if (typeof done === "string") throw new Error(done);
  expect(done.report).toMatchObject({ requests: 10, ended: "it answered 500, the third failure in a row" });
  expect(done.report.rows["content_type"]).toMatchObject({ value: "application/hal+json", confidence: "high" });
  expect(done.report.rows["list.past_end"]).toMatchObject({ value: null, because: "not asked, or not answered" });
});

test.each([
  ["seconds", { "retry-after": "7" }],
  ["a date", { "retry-after": "Sun, 22 Nov 2026 10:00:07 GMT", date: "Sun, 22 Nov 2026 10:00:00 GMT" }],
])("one request is sent at a time, a second apart, and a 429 is waited out: %s", async (_, headers) => {
  const times: number[] = [];
  const paths: string[] = [];
  let [now, open] = [0, 0];
  const clock = { now: () => now, wait: async (milliseconds: number) => void (now += milliseconds) };
  const send: NonNullable<CalibrationOptions["sender"]>["send"] = async ({ url }) => {
    expect(++open).toBe(1);
    times.push(now);
    paths.push(url.pathname);
    await Promise.resolve();
    open--;
    return times.length === 6
      ? { status: 429, headers, body: "" }
      : { status: 200, headers: {}, body: times.length === 1 ? anOffering : list };
  };
  const { done } = await against({ clock, sender: { send, close() {} } });
  if (typeof done === "string") throw new Error(done);
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  expect(gaps.toSpliced(5, 1).every((gap) => gap === 1000)).toBe(true);
  expect([gaps[5], paths[6], done.report.waited]).toEqual([7000, paths[5], 1]);
  expect(done.report.rows["limit.window"]?.confidence).toBe("none");
});

test("any answers end a calibration within its limit, and hold no key in the report", async () => {
  const words = fc.constantFrom(
    "data",
    "meta",
    "errors",
    "included",
    "size",
    "id",
    "attributes",
    "type",
    "status",
    key,
    "42",
  );
  const { body } = fc.letrec((tie) => ({
    body: fc.oneof(
      { depthSize: "small" },
      words,
      fc.integer(),
      fc.constant(null),
      fc.array(tie("body"), { maxLength: 3 }),
      fc.dictionary(words, tie("body"), { maxKeys: 5 }),
    ),
  }));
  const answer = fc.record({
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
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 30 }), fc.boolean(), async (answers, exhaust) => {
      let sent = 0;
      // The offering is answered, so that the rest is asked.
      const send = async (): Promise<RawResponse> =>
        sent++ === 0 ? { status: 200, headers: {}, body: anOffering } : (answers[sent % answers.length] as RawResponse);
      const { done } = await against({ sender: { send, close() {} }, most: 80, exhaust });
      if (typeof done === "string") throw new Error(done);
      expect(done.report.requests).toBeLessThanOrEqual(exhaust ? 80 + 290 : 80);
    }),
    { numRuns: draws(25) },
  );
});

function always(raw: RawResponse): NonNullable<CalibrationOptions["sender"]> {
  return { send: async () => raw, close() {} };
}

/** Writes as fast as it is read, until the connection ends. */
function endless(response: ServerResponse): void {
  const part = " ".repeat(50_000);
  const more = (): void => {
    while (!response.destroyed && response.write(part));
  };
  response.on("error", () => {}).on("drain", more);
  more();
}

test.each([
  ["401", 401, 6],
  ["403 of a firewall", 403, 8],
])(
  "a key that is refused on the way ends a calibration, and nothing is decided from its refusals: %s",
  async (_, status, from) => {
    let sent = 0;
    const ok = { status: 200, headers: { "content-type": "application/json" } };
    const { done } = await against({
      sender: {
        send: async () =>
          ++sent >= from ? { ...ok, status, body: "blocked" } : { ...ok, body: sent === 1 ? anOffering : list },
        close() {},
      },
    });
    if (typeof done === "string") throw new Error(done);
    expect(done.ended).toEqual({
      reason: expect.stringMatching(/^key refused with 40\d since request \d+$/),
      failed: true,
    });
    expect(JSON.stringify(done.report)).not.toMatch(/"saw":"[^"]*40[13]/);
  },
);
