import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RawResponse } from "../../calibrate/responses/shape.ts";
import { type Calibration, calibrate } from "../../calibrate/calibration.ts";
import { openSender, type Sender } from "../../calibrate/service/send.ts";
import { type LocalSandbox, startSandbox } from "../../src/index.ts";
import { run, temporaryFolder } from "../cli/cli.ts";
import { caseCount } from "../support/case-count.ts";
import { listenUntilTestEnds } from "../support/listening.ts";
import { subjectOf } from "./calibrated.ts";

/** Returns a response from the right response, the path and number of the request, and all responses so far. */
type TestResponse = (right: RawResponse, path: string, number: number, earlier: readonly RawResponse[]) => RawResponse;

const html = "<!doctype html><title>Log in</title>";
const json = { "content-type": "application/json" };
const otherId = "00000010-0000-4000-8000-0000000000ff";

function createResponse(status: number, body: unknown = "", headers: Record<string, string> = {}): TestResponse {
  return () => ({ status, headers, body: typeof body === "string" ? body : JSON.stringify(body) });
}

const cached =
  (pattern: RegExp): TestResponse =>
  (right, _path, _number, earlier) =>
    earlier.find(({ body }) => pattern.test(body)) ?? right;
const replaced =
  (pattern: RegExp, text: string): TestResponse =>
  ({ status, headers, body }) => ({ status, headers, body: body.replace(pattern, text) });
/** Spoils responses with the status 200; other responses stay right. */
const ofSuccess =
  (spoilt: TestResponse): TestResponse =>
  (...call) =>
    call[0].status === 200 ? spoilt(...call) : call[0];
const notFound = createResponse(404, { message: "no such route" }, json);
const empty = createResponse(200, { data: [] }, json);

/** The ways in which a service changes its responses. */
const manners = {
  "301": createResponse(301, "", { location: "/login" }),
  "302 to a login": createResponse(302, html, { location: "/login" }),
  "204": createResponse(204),
  "404 with HTML": createResponse(404, html),
  "404 with JSON": notFound,
  "200 with {}": createResponse(200, {}, json),
  "200 with []": createResponse(200, [], json),
  "200 with null": createResponse(200, null, json),
  "200 with a string": createResponse(200, '"maintenance"', json),
  "200 with a number": createResponse(200, 42, json),
  "200 without a body": createResponse(200, "", json),
  "headers alone": ({ status, headers }) => ({ status, headers, body: "" }),
  "400": createResponse(400, { message: "bad" }, json),
  "401": createResponse(401, { message: "no key" }, json),
  "403": createResponse(403, { message: "no" }, json),
  "410": createResponse(410),
  "418": createResponse(418, {}, json),
  "500": createResponse(500),
  "429 without end": createResponse(429, { message: "later" }, { ...json, "retry-after": "300" }),
  "a login page with 200": createResponse(200, html),
  "200 with an error": createResponse(200, { errors: [{ status: "500", title: "Sorry" }] }, json),
  "an empty list": empty,
  "truncated JSON": (right) => ({ ...right, body: right.body.slice(0, right.body.length / 2) }),
  "one id for all": createResponse(200, { data: { type: "offerings", id: otherId, attributes: { name: "x" } } }, json),
  "the first investment for all": cached(/^\{"data":\{"type":"investments"/),
  "no attributes": ofSuccess(replaced(/"attributes":/g, '"fields":')),
  "no types": ofSuccess(replaced(/"type":/g, '"kind":')),
  "no ids": ofSuccess(replaced(/"id":/g, '"key":')),
  "data in a list": ofSuccess(replaced(/^\{"data":(\{.*\})\}$/s, '{"data":[$1]}')),
  "data in another member": ofSuccess(replaced(/^\{"data":/, '{"result":')),
  "another charset": ({ status, headers, body }) => ({
    status,
    headers: { ...headers, "content-type": "text/html; charset=utf-16" },
    body: Buffer.from(body, "utf16le").toString("utf8"),
  }),
  "another content type": (right) => ({ ...right, headers: { ...right.headers, "content-type": "text/plain" } }),
  "another offering": ({ status, headers, body }, path) =>
    path.includes("/investments/")
      ? { status: 404, headers, body: "" }
      : { status, headers, body: body.replace(/("data":\{"type":"offerings","id":")[^"]+/, `$1${otherId}`) },
} as const satisfies Readonly<Record<string, TestResponse>>;

let sandbox: LocalSandbox;
const sender = openSender();
/** The right responses, by request. They stay the same because the sandbox's clock is paused. */
const right = new Map<string, RawResponse>();

beforeAll(async () => {
  sandbox = await startSandbox({ fixture: "demo", scenarios: [], profile: "minimal", rateLimit: 0 });
});
afterAll(async () => {
  sender.close();
  await sandbox.close();
});

/** Calibrates against the sandbox's responses, which change in one of these ways after a number of requests. */
async function changing(manner: TestResponse, after: number): Promise<Calibration> {
  const earlier: RawResponse[] = [];
  const send: Sender["send"] = async (outgoing) => {
    const name = JSON.stringify([outgoing.method, outgoing.url, outgoing.headers]);
    const truth = right.get(name) ?? (await sender.send(outgoing));
    right.set(name, truth);
    const number = earlier.length + 1;
    earlier.push(number > after ? manner(truth, outgoing.url.pathname, number, earlier) : truth);
    return earlier.at(-1) ?? truth;
  };
  const clock = { now: () => 0, wait: async () => {} };
  return calibrate({ ...(await subjectOf(sandbox)), version: "1", clock, sender: { send, close() {} } });
}

/** The rows of high and medium confidence. */
function firmRows({ report }: Calibration): Record<string, unknown> {
  const rows = Object.entries(report.rows).filter(([, { confidence }]) => ["high", "medium"].includes(confidence));
  return Object.fromEntries(rows.map(([id, { value }]) => [id, value]));
}

test("a service that changes its manner ends a calibration as failed, and no later response decides a row", async () => {
  const honest = await changing((truth) => truth, 0);
  expect([honest.earlyEnd, honest.report.requests]).toEqual([undefined, 52]);
  const names = Object.keys(manners) as (keyof typeof manners)[];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), fc.integer({ min: 2, max: 48 }), async (name, after) => {
      const changed = await changing(manners[name], after);
      const reason = /^40[13]$/.test(name) ? / got 40[13], a refusal of the key$/ : /\w/;
      expect(changed.earlyEnd).toEqual({ isFailure: true, reason: expect.stringMatching(reason) as string });
      // A 429 shows the form of its Retry-After.
      expect({ ...firmRows(honest), "limit.retry_after": "seconds" }).toMatchObject(firmRows(changed));
    }),
    // Every manner occurs once, after a few requests or after many.
    {
      numRuns: names.length + caseCount(5),
      examples: names.map((name, index): [typeof name, number] => [name, index % 2 === 0 ? 20 : 2]),
    },
  );
});

test("the command exits with 1 after a change of manner, and leaves config and report as they are", async () => {
  let [manner, after, requests]: [TestResponse, number, number] = [(truth) => truth, 0, 0];
  const server = createServer(async ({ url = "", headers: { authorization, origin } }, response) => {
    const headers = { ...(authorization && { Authorization: authorization }), ...(origin && { Origin: origin }) };
    const truth = await sender.send({ method: "GET", url: new URL(url, sandbox.url), headers });
    const responded = ++requests > after ? manner(truth, url, requests, []) : truth;
    const { "content-length": _, ...rest } = responded.headers;
    response.writeHead(responded.status, rest).end(responded.body);
  });
  const { offering, keys } = await subjectOf(sandbox);
  const address = `http://localhost:${await listenUntilTestEnds(server, "localhost")}/api/v1`;
  const cwd = temporaryFolder();
  const command = async () => {
    requests = 0;
    const args = ["calibrate", "--url", address, "--offering", offering, "--pace", "0"];
    const { code, stderr } = await run(args, { cwd, env: { OFFERING_SANDBOX_REAL_KEYS: keys.join(" ") } });
    return { code, stderr, files: readdirSync(cwd).map((name) => readFileSync(join(cwd, name), "utf8")) };
  };
  const { code, files } = await command();
  expect([code, files.length]).toEqual([0, 2]);
  const unchanged = expect.stringMatching(/Nothing was written|stay as they are/) as string;
  for (const [name, many] of [
    ["302 to a login", 20],
    ["200 with {}", 20],
    ["404 with JSON", 50],
  ] as const) {
    [manner, after] = [manners[name], many];
    expect({ name, ...(await command()) }).toEqual({ name, code: 1, stderr: unchanged, files });
  }
});
