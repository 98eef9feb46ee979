import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RawResponse } from "../../calibrate/answers/shape.ts";
import { type Calibration, calibrate } from "../../calibrate/calibration.ts";
import { openSender, type Outgoing, type Sender } from "../../calibrate/service/send.ts";
import { type LocalSandbox, startSandbox } from "../../src/index.ts";
import { draws } from "../support/draws.ts";
import { subjectOf } from "./calibrated.ts";

const html = "<!doctype html><title>Log in</title>";
const json = { "content-type": "application/json" };
const other = "00000010-0000-4000-8000-0000000000ff";

function answer(status: number, body: unknown = "", headers: Record<string, string> = {}): Answer {
  return () => ({ status, headers, body: typeof body === "string" ? body : JSON.stringify(body) });
}

/** An answer from the right one, the first of its kind so far, and the number of the request. */
type Answer = (right: RawResponse, outgoing: Outgoing, number: number, earlier: readonly RawResponse[]) => RawResponse;

const cached =
  (pattern: RegExp): Answer =>
  (right, _outgoing, _number, earlier) =>
    earlier.find(({ body }) => pattern.test(body)) ?? right;
const every =
  (period: number, spoilt: Answer): Answer =>
  (...call) =>
    call[2] % period === 0 ? spoilt(...call) : call[0];
const notFound = answer(404, { message: "no such route" }, json);

/** Manners to which a service changes. */
const manners: Readonly<Record<string, Answer>> = {
  "301": answer(301, "", { location: "/login" }),
  "302 to a login": answer(302, html, { location: "/login" }),
  "204": answer(204),
  "404 with HTML": answer(404, html),
  "404 with JSON": notFound,
  "200 with {}": answer(200, {}, json),
  "200 with []": answer(200, [], json),
  "200 with null": answer(200, null, json),
  "400": answer(400, { message: "bad" }, json),
  "401": answer(401, { message: "no key" }, json),
  "403": answer(403, { message: "no" }, json),
  "410": answer(410),
  "418": answer(418, {}, json),
  "500": answer(500),
  "a login page with 200": answer(200, html),
  "200 with an error": answer(200, { errors: [{ status: "500", title: "Sorry" }] }, json),
  "an empty list": answer(200, { data: [] }, json),
  "truncated JSON": (right) => ({ ...right, body: right.body.slice(0, right.body.length / 2) }),
  "one id for all": answer(200, { data: { type: "offerings", id: other, attributes: { name: "x" } } }, json),
  "the first offering for all": cached(/"type":"offerings"/),
  "the first investment for all": cached(/^\{"data":\{"type":"investments"/),
  "the last answer for all": (right, _outgoing, _number, earlier) => earlier.at(-1) ?? right,
  "every second answer 404": every(2, notFound),
  "every third answer 404": every(3, notFound),
  "every second answer a login": every(2, answer(302, html)),
  "every second answer HTML": every(2, answer(200, html)),
  "every second answer {}": every(2, answer(200, {}, json)),
  "five of ten answers 404": (...call) => (call[2] % 10 < 5 ? notFound(...call) : call[0]),
  "another offering": ({ status, headers, body }, { url }) =>
    url.pathname.includes("/investments/")
      ? { status: 404, headers, body: "" }
      : { status, headers, body: body.replace(/("data":\{"type":"offerings","id":")[^"]+/, `$1${other}`) },
};

let sandbox: LocalSandbox;
const sender = openSender();
/** The right answers, by request: the sandbox's clock stands still. */
const right = new Map<string, RawResponse>();

beforeAll(async () => {
  sandbox = await startSandbox({ fixture: "demo", scenarios: [], profile: "minimal", rateLimit: 0 });
});
afterAll(async () => {
  sender.close();
  await sandbox.close();
});

/** Calibrates against a sandbox that answers otherwise after so many requests. */
async function changing(manner: Answer, after: number): Promise<Calibration> {
  const earlier: RawResponse[] = [];
  const send: Sender["send"] = async (outgoing) => {
    const name = JSON.stringify([outgoing.method, outgoing.url, outgoing.headers]);
    const truth = right.get(name) ?? (await sender.send(outgoing));
    right.set(name, truth);
    const number = earlier.length + 1;
    earlier.push(number > after ? manner(truth, outgoing, number, earlier) : truth);
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

test("a service that turns to another manner ends a calibration as failed, and no answer after it decides", async () => {
  const honest = await changing((truth) => truth, 0);
  expect([honest.ended, honest.report.requests]).toEqual([undefined, 62]);
  const whenever = fc.integer({ min: 2, max: 58 });
  const all = Object.keys(manners);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...all), whenever, async (name, after) => {
      const changed = await changing(manners[name] ?? notFound, after);
      expect(changed.ended).toEqual({ failed: true, reason: expect.stringMatching(/\w/) as string });
      expect(firmRows(honest)).toMatchObject(firmRows(changed));
    }),
    { numRuns: draws(50), examples: all.flatMap((name) => [2, 20].map((after): [string, number] => [name, after])) },
  );
});
