import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { connectSandbox } from "../../src/client/connect.ts";
import { startSandbox } from "../../src/index.ts";
import { temporaryFolder } from "../cli/cli.ts";
import { known, send } from "../support/sandbox.ts";
import { ask, askAll, countOf, list, offering, open, risksIn } from "./client.ts";

const { aurora, borealis, unknown } = known;
const { partner, revoked } = known.keys;

describe("counts", () => {
  test("survive a reset, and nothing reacts to anything before it", async () => {
    const sandbox = await open("in process");
    await sandbox.coverage();
    for (let time = 0; time < 3; time++) {
      await ask(sandbox, list, { key: revoked });
      await askAll(sandbox, `/offerings/${borealis}`, `/investments/${unknown}`);
      await sandbox.reset();
      const report = await sandbox.coverage();
      const counts = ["revoked", "offering", "unknown"].map((name) => countOf(report, `refusals.${name}`));
      expect([...counts, report.requests, risksIn(report)]).toEqual([time + 1, time + 1, time + 1, 3 * (time + 1), []]);
    }
  });

  test("survive clearing the journal, and reactions go on over it", async () => {
    const sandbox = await open("in process");
    await ask(sandbox, list, { key: revoked });
    await sandbox.coverage();
    await sandbox.requests.clear();
    await ask(sandbox, list, { key: revoked });
    const report = await sandbox.coverage();
    expect([report.requests, countOf(report, "refusals.revoked"), risksIn(report)]).toEqual([2, 2, ["refused-again"]]);
  });

  test("survive restoring a snapshot, whose own requests count once", async () => {
    const sandbox = await open("in process");
    await ask(sandbox, list, { key: revoked });
    const snapshot = await sandbox.snapshot();
    await sandbox.coverage();
    for (let time = 2; time <= 3; time++) {
      await sandbox.restore(snapshot);
      await ask(sandbox, list, { key: revoked });
      const report = await sandbox.coverage();
      expect([report.requests, countOf(report, "refusals.revoked"), risksIn(report)]).toEqual([time, time, []]);
    }
  });

  test("lose no request with a folder for reports, and tell how many were lost without", async () => {
    const folder = temporaryFolder();
    const asked = 1100; // a journal keeps 1,000
    for (const coverageDir of [folder, undefined]) {
      const sandbox = await open("in process", { coverageDir, rateLimit: 0 });
      for (let nth = 0; nth < asked; nth++) await send(sandbox.url, `/api/v1/offerings/${aurora}`, {});
      const { requests, not_looked_at: lost, behaviours } = await sandbox.coverage();
      const { count } = behaviours.find(({ id }) => id === "operations.offering.partner") ?? {};
      expect([requests, lost, count]).toEqual(coverageDir ? [asked, 0, asked] : [1000, 100, 1000]);
      await sandbox.close();
    }
    const [file = "", ...more] = readdirSync(folder);
    expect(more).toEqual([]);
    expect(JSON.parse(readFileSync(join(folder, file), "utf8"))).toMatchObject({ requests: asked, not_looked_at: 0 });
  });
});

describe("the report", () => {
  const reason = "the dashboard shows the newest page";
  const exceptions = { "first-page-only": reason, "refusals.revoked": "one key only" };

  test("is the same in process and over HTTP, and names the test", async () => {
    const sandbox = await open("in process");
    await using environment = await sandbox.openEnvironment({ label: "closing.test.ts > list" });
    await ask(environment, `${list}?size=1`, { key: environment.keys.partner });
    const report = await environment.coverage();
    expect(report.risks[0]?.examples[0]).toMatchObject({ test: "closing.test.ts > list", environment: environment.id });
    const remote = await connectSandbox(sandbox.url);
    expect(await (await remote.environment(environment.id)).coverage()).toEqual(report);
    const all = await sandbox.coverage({ all: true });
    expect([all, all.environments]).toEqual([await remote.coverage({ all: true }), 1]);
    expect((await sandbox.coverage()).requests).toBe(0);
  });

  test("counts without exceptions, and says so", async () => {
    const sandbox = await open("in process", { coverage: { except: exceptions } });
    await ask(sandbox, `${list}?size=1`);
    const report = await sandbox.coverage();
    expect([report.of, report.met, report.risks]).toEqual([
      78,
      report.behaviours.filter(({ count }) => count > 0).length,
      [],
    ]);
    expect(report.excepted).toEqual([
      { id: "first-page-only", reason, count: 1 },
      { id: "refusals.revoked", reason: "one key only", count: 0 },
    ]);
  });

  test("an exception of an unknown id is refused with the nearest", async () => {
    const sandbox = startSandbox({ coverage: { except: { "refusals.revokd": "one key only" } } });
    await expect(sandbox.then((one) => one.coverage())).rejects.toThrow('Did you mean "refusals.revoked"?');
  });

  test("an exception without a reason is refused with its id", async () => {
    for (const none of ["", " ", 7, null]) {
      const sandbox = startSandbox({ coverage: { except: { "refusals.revoked": none as string } } });
      await expect(sandbox).rejects.toThrow('coverage: the exception "refusals.revoked" has no reason');
    }
  });

  test("has only the values of parameters that the service knows", async () => {
    const sandbox = await open("in process");
    const query = "?size=1&search=Ada+Lovelace&e%6Dail=ada%40example.com%26b=1?&create_date%5Bgte%5D=2020-01-01&x";
    await ask(sandbox, `${list}${query}`);
    const { risks } = await sandbox.coverage();
    const requests = risks.flatMap(({ examples }) => examples.map(({ request }) => request));
    const shown = "?size=1&search=…&email=…&create_date[gte]=2020-01-01&x=";
    expect(new Set(requests)).toEqual(new Set([`GET /api/v1${list}${shown}`]));
    expect((await sandbox.requests.list()).data.at(-1)?.path).toContain("search=Ada+Lovelace");
  });

  test("has no key, no body and nobody's data", async () => {
    const sandbox = await open("in process");
    await askAll(sandbox, list, `/investments/${known.whole}`, `/investments/${known.whole}/events`);
    await ask(sandbox, `/investments/${known.whole}?key=${partner}`);
    await ask(sandbox, `${offering}/${partner}`);
    await ask(sandbox, list, { method: "POST", body: '{"tax_id":"123-45-6789"}' });
    await ask(sandbox, offering, { key: known.keys.marketing });
    const text = JSON.stringify(await sandbox.coverage());
    const secrets = [
      ...Object.values(known.keys),
      "sandbox_",
      "Lovelace",
      "ada@example",
      "666-12-3456",
      "123-45-6789",
      "Aurora",
    ];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});
