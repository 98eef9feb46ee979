import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectSandbox } from "../../src/client/connect.ts";
import { temporaryFolder } from "../cli/cli.ts";
import { judgeOf } from "../../src/coverage/report.ts";
import { known, send } from "../support/sandbox.ts";
import { sendRequest, converse, countOf, list, offering, open, risksIn, summarize } from "./client.ts";

const { aurora, unknown, whole } = known;
const { partner, revoked } = known.keys;

describe("counts", () => {
  test("survive a reset, and no request counts as a reaction to one before it", async () => {
    const sandbox = await open();
    for (let time = 1; time <= 3; time++) {
      await converse(sandbox, "a:401 a:403 a:404 reset");
      const report = await sandbox.coverage();
      const counts = ["revoked", "offering", "unknown"].map((name) => countOf(report, `refusals.${name}`));
      expect([...counts, report.requests, summarize(report)]).toEqual([
        time,
        time,
        time,
        3 * time,
        `stopped-401 ${time}`,
      ]);
    }
  });

  test("survive clearing the journal, and a request counts as a reaction to one before it", async () => {
    const sandbox = await open();
    await converse(sandbox, "401b");
    await sandbox.requests.clear();
    await converse(sandbox, "~ 401b");
    const report = await sandbox.coverage();
    expect([report.requests, countOf(report, "refusals.revoked"), risksIn(report)]).toEqual([2, 2, ["refused-again"]]);
  });

  test("survive restoring a snapshot, whose own requests count once", async () => {
    const sandbox = await open();
    await sendRequest(sandbox, list, { key: revoked });
    const snapshot = await sandbox.snapshot();
    for (let time = 2; time <= 3; time++) {
      await sandbox.restore(snapshot);
      await sendRequest(sandbox, list, { key: revoked });
      const report = await sandbox.coverage();
      expect([report.requests, countOf(report, "refusals.revoked"), risksIn(report)]).toEqual([time, time, []]);
    }
  });

  test("lose no request, and are written to a folder at the end", async () => {
    const folder = temporaryFolder();
    const requestCount = 1100; // a journal has at most 1,000
    const sandbox = await open("in process", { coverageDir: folder, rateLimit: 0 });
    const sendRequestOnce = (): Promise<unknown> => send(sandbox.url, `/api/v1/offerings/${aurora}`, {});
    for (let sentCount = 0; sentCount < requestCount; sentCount += 50)
      await Promise.all(Array.from({ length: 50 }, sendRequestOnce));
    const report = await sandbox.coverage();
    expect([report.requests, countOf(report, "operations.offering.partner")]).toEqual([requestCount, requestCount]);
    await sandbox.close();
    const [file = "", ...more] = readdirSync(folder);
    expect(more).toEqual([]);
    expect(JSON.parse(readFileSync(join(folder, file), "utf8"))).toMatchObject({ requests: requestCount });
  });

  test("stay when their environment is deleted, and name a failed test first", async () => {
    const sandbox = await open();
    for (const label of [undefined, "closing.test.ts > list"]) {
      await using environment = await sandbox.openEnvironment({ label });
      await sendRequest(environment, `${list}?sise=1`, { key: environment.keys.partner });
    }
    const { environments, requests, risks } = await sandbox.coverage({ all: true });
    const tests = risks.flatMap(({ examples }) => examples.map((example) => example.test));
    expect([environments, requests, tests]).toEqual([2, 2, ["closing.test.ts > list", null]]);
  });
});

describe("the report", () => {
  test("shows each different request of a risk, one with the name of a test first", async () => {
    const sandbox = await open();
    await sendRequest(sandbox, `${list}?api_key=1`);
    await using environment = await sandbox.openEnvironment({ label: "new.test.ts > since" });
    const key = environment.keys.partner;
    for (const day of [1, 2, 3, 4, 5, 6, 7, 8, 9])
      await sendRequest(environment, `${list}?create_date[gt]=2026-01-0${day}&page=${day}`, { key });
    await sendRequest(sandbox, `${list}?create_date[gt]=2026-01-01&page=1`);
    await sendRequest(sandbox, `${list}?sise=1`);
    const report = await sandbox.coverage({ all: true });
    const { lines } = judgeOf([])(report);
    const riskIndex = lines.indexOf("Risks");
    expect(lines.slice(riskIndex + 1, riskIndex + 5)).toEqual([
      expect.stringMatching(/   12 ×$/),
      `    GET /api/v1${list}?create_date[gt]=…&page=1   new.test.ts > since`,
      `    GET /api/v1${list}?api_key=…`,
      `    GET /api/v1${list}?sise=…`,
    ]);
  });

  test("is the same in process and over HTTP, and names the test", async () => {
    const sandbox = await open();
    await using environment = await sandbox.openEnvironment({ label: "closing.test.ts > list" });
    await sendRequest(environment, `${list}?sise=1`, { key: environment.keys.partner });
    const report = await environment.coverage();
    expect(report.risks[0]?.examples[0]).toMatchObject({ test: "closing.test.ts > list", environment: environment.id });
    const connectedSandbox = await connectSandbox(sandbox.url);
    expect(await (await connectedSandbox.environment(environment.id)).coverage()).toEqual(report);
    const fullReport = await sandbox.coverage({ all: true });
    expect([fullReport, fullReport.environments]).toEqual([await connectedSandbox.coverage({ all: true }), 1]);
    expect((await sandbox.coverage()).requests).toBe(0);
  });

  test("has only the values of parameters that the service knows", async () => {
    const sandbox = await open();
    const query = "?size=1&search=Ada+Lovelace&e%6Dail=ada%40example.com%26b=1?&create_date%5Bgte%5D=2020-01-01&x";
    await sendRequest(sandbox, `${list}${query}`);
    const { risks } = await sandbox.coverage();
    const requests = risks.flatMap(({ examples }) => examples.map(({ request }) => request));
    const shownQuery = "?size=1&search=…&email=…&create_date[gte]=2020-01-01&x=";
    expect(new Set(requests)).toEqual(new Set([`GET /api/v1${list}${shownQuery}`]));
    expect((await sandbox.requests.list()).data.at(-1)?.path).toContain("search=Ada+Lovelace");
  });

  test("has no key, no body and no personal data", async () => {
    const sandbox = await open();
    await converse(sandbox, "list one events");
    await sendRequest(sandbox, `/investments/${whole}?key=${partner}`);
    await sendRequest(sandbox, `${offering}/${partner}`);
    await sendRequest(sandbox, list, { method: "POST", body: '{"tax_id":"123-45-6789"}' });
    await sendRequest(sandbox, offering, { key: known.keys.marketing });
    const text = JSON.stringify(await sandbox.coverage());
    const people = "Lovelace ada@example 666-12-3456 123-45-6789 Aurora".split(" ");
    const secrets = [...Object.values(known.keys), "sandbox_", ...people];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});

test("calls of the portal do not count as a client's", async () => {
  const sandbox = await open();
  for (let time = 0; time < 3; time++) {
    await sendRequest(sandbox, `/investments/${unknown}`, { headers: { "sandbox-portal": "1" } });
  }
  await sendRequest(sandbox, offering);
  const report = await sandbox.coverage();
  expect([report.requests, report.covered, countOf(report, "refusals.unknown"), summarize(report)]).toEqual([
    1,
    1,
    0,
    "",
  ]);
});

test("twelve sandboxes in one process write their counts without a warning", async () => {
  const folder = temporaryFolder();
  const warnings: Error[] = [];
  const addWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", addWarning);
  onTestFinished(() => void process.off("warning", addWarning));
  const sandboxes = await Promise.all(Array.from({ length: 12 }, () => open("in process", { coverageDir: folder })));
  for (const sandbox of sandboxes) {
    await sendRequest(sandbox, offering);
    await sandbox.close();
  }
  await nextTurn();
  expect([warnings, readdirSync(folder).length]).toEqual([[], 12]);
});

test.each([
  [499, "not-found-again 1"],
  [500, ""],
])("a response is remembered until 500 others came after it: %i", async (count, summary) => {
  const sandbox = await open("in process", { rateLimit: 0 });
  const otherRequests = Array.from(
    { length: count },
    (_, index) => `a:/investments/${unknown.slice(0, -3)}${100 + index}`,
  );
  await converse(sandbox, `a:404*2 ${otherRequests.join(" ")} a:404`);
  expect(summarize(await sandbox.coverage())).toBe(summary);
});
