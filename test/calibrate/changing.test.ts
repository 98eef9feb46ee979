import { once } from "node:events";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { RawResponse } from "../../calibrate/answers/shape.ts";
import { type Calibration, calibrate } from "../../calibrate/calibration.ts";
import { openSender, type Sender } from "../../calibrate/service/send.ts";
import { type LocalSandbox, startSandbox } from "../../src/index.ts";
import { type CommandResult, run, temporaryFolder } from "../cli/cli.ts";
import { draws } from "../support/draws.ts";
import { subjectOf } from "./calibrated.ts";
import { type Answer, manners } from "./manners.ts";

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

/** Answers as the sandbox does, and in another manner after so many requests. */
function changingAnswers(manner: Answer, after: number): Sender["send"] {
  const earlier: RawResponse[] = [];
  return async (outgoing) => {
    const name = JSON.stringify([outgoing.method, outgoing.url, outgoing.headers]);
    const truth = right.get(name) ?? (await sender.send(outgoing));
    right.set(name, truth);
    const number = earlier.length + 1;
    earlier.push(number > after ? manner(truth, outgoing.url.pathname, number, earlier) : truth);
    return earlier.at(-1) ?? truth;
  };
}

async function changing(manner: Answer, after: number): Promise<Calibration> {
  const clock = { now: () => 0, wait: async () => {} };
  const send = changingAnswers(manner, after);
  return calibrate({ ...(await subjectOf(sandbox)), version: "1", clock, sender: { send, close() {} } });
}

/** The rows of high and medium confidence. */
function firmRows({ report }: Calibration): Record<string, unknown> {
  const rows = Object.entries(report.rows).filter(([, { confidence }]) => ["high", "medium"].includes(confidence));
  return Object.fromEntries(rows.map(([id, { value }]) => [id, value]));
}

/** Every manner once, and so many others, each after a number of requests. */
function tries(names: readonly string[], others: number): fc.Parameters<[string, number]> {
  const examples = names.map((name, at): [string, number] => [name, at % 2 === 0 ? 20 : 2]);
  return { numRuns: names.length + draws(others), examples };
}
const whenever = fc.integer({ min: 2, max: 48 });

test("a service that turns to another manner ends a calibration as failed, and no answer after it decides", async () => {
  const honest = await changing((truth) => truth, 0);
  expect([honest.ended, honest.report.requests]).toEqual([undefined, 52]);
  const names = Object.keys(manners);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), whenever, async (name, after) => {
      const changed = await changing(manners[name as keyof typeof manners], after);
      expect(changed.ended).toEqual({ failed: true, reason: expect.stringMatching(/\w/) as string });
      // A 429 shows the form of its Retry-After.
      expect({ ...firmRows(honest), "limit.retry_after": "seconds" }).toMatchObject(firmRows(changed));
    }),
    tries(names, 20),
  );
});

/** A service for each manner, below a path of its name, and one as it should be. Returns the address before the name. */
async function services(changes: readonly Change[]): Promise<string> {
  const answers = changes.map(([manner, after]) => changingAnswers(manner, after));
  const server = createServer(async ({ url = "", headers }, response) => {
    const [, place = "", path = ""] = /^\/(\d+)\/api\/v1(.*)$/.exec(url) ?? [];
    const { authorization = "", origin } = headers;
    const outgoing = { Authorization: authorization, ...(origin !== undefined && { Origin: origin }) };
    const answer = await answers[Number(place)]?.({
      method: "GET",
      url: new URL(sandbox.baseUrl + path),
      headers: authorization === "" ? {} : outgoing,
    });
    const { "content-length": _, ...others } = answer?.headers ?? {};
    response.writeHead(answer?.status ?? 500, others).end(answer?.body);
  }).listen(0, "localhost");
  onTestFinished(() => (server.closeAllConnections(), void server.close()));
  await once(server, "listening");
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** Manners to which a service turns after so many requests. */
const commanded = [
  ["302 to a login", 20],
  ["404 with JSON", 2, 50],
  ["200 with {}", 20],
  ["200 with []", 50],
  ["429 without end", 20],
  ["a login page with 200", 50],
  ["headers alone", 20],
  ["an empty list", 2, 20],
  ["500", 50],
] as const;

type Change = readonly [manner: Answer, after: number];

test("the command exits with 1 after a change of manner, and leaves config and report as they are", async () => {
  const changes: readonly Change[] = [
    [(truth) => truth, 0],
    ...commanded.flatMap(([name, ...afters]) => afters.map((after): Change => [manners[name], after])),
  ];
  const address = await services(changes);
  const { offering, keys } = await subjectOf(sandbox);
  const command = async (place: number, cwd: string): Promise<CommandResult> => {
    const args = ["--url", `${address}/${place}/api/v1`, "--offering", offering, "--pace", "0"];
    return run(["calibrate", ...args], { cwd, env: { OFFERING_SANDBOX_REAL_KEYS: keys.join(" ") } });
  };
  const files = (folder: string): Record<string, string> =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  const whole = temporaryFolder();
  expect((await command(0, whole)).code).toBe(0);
  const before = files(whole);
  expect(Object.keys(before)).toHaveLength(2);
  for (const at of changes.slice(1).keys()) {
    const cwd = temporaryFolder();
    cpSync(whole, cwd, { recursive: true });
    const { code, stderr } = await command(at + 1, cwd);
    expect([at, code, files(cwd)]).toEqual([at, 1, before]);
    expect(stderr).toMatch(/Nothing was written|stay as they are/);
  }
});
