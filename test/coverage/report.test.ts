import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectSandbox } from "../../src/client/connect.ts";
import type { JournalEntry } from "../../src/control.ts";
import { Observer } from "../../src/coverage/observer.ts";
import { temporaryFolder } from "../cli/cli.ts";
import { known, send } from "../support/sandbox.ts";
import { ask, converse, countOf, list, offering, open, risksIn, toldIn } from "./client.ts";

const { aurora, unknown, whole } = known;
const { partner, revoked } = known.keys;

describe("counts", () => {
  test("survive a reset, and nothing reacts to anything before it", async () => {
    const sandbox = await open();
    for (let time = 1; time <= 3; time++) {
      await converse(sandbox, "look a:401 a:403 a:404 reset");
      const report = await sandbox.coverage();
      const counts = ["revoked", "offering", "unknown"].map((name) => countOf(report, `refusals.${name}`));
      expect([...counts, report.requests, toldIn(report)]).toEqual([time, time, time, 3 * time, `stopped-401 ${time}`]);
    }
  });

  test("survive clearing the journal, and reactions go on over it", async () => {
    const sandbox = await open();
    await sandbox.coverage();
    await ask(sandbox, list, { key: revoked });
    await sandbox.requests.clear();
    await converse(sandbox, "~ 401b");
    const report = await sandbox.coverage();
    expect([report.requests, countOf(report, "refusals.revoked"), risksIn(report)]).toEqual([2, 2, ["refused-again"]]);
  });

  test("survive restoring a snapshot, whose own requests count once", async () => {
    const sandbox = await open();
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
  test("is the same in process and over HTTP, and names the test", async () => {
    const sandbox = await open();
    await using environment = await sandbox.openEnvironment({ label: "closing.test.ts > list" });
    await ask(environment, `${list}?sise=1`, { key: environment.keys.partner });
    const report = await environment.coverage();
    expect(report.risks[0]?.examples[0]).toMatchObject({ test: "closing.test.ts > list", environment: environment.id });
    const remote = await connectSandbox(sandbox.url);
    expect(await (await remote.environment(environment.id)).coverage()).toEqual(report);
    const all = await sandbox.coverage({ all: true });
    expect([all, all.environments]).toEqual([await remote.coverage({ all: true }), 1]);
    expect((await sandbox.coverage()).requests).toBe(0);
  });

  test("has only the values of parameters that the service knows", async () => {
    const sandbox = await open();
    const query = "?size=1&search=Ada+Lovelace&e%6Dail=ada%40example.com%26b=1?&create_date%5Bgte%5D=2020-01-01&x";
    await ask(sandbox, `${list}${query}`);
    const { risks } = await sandbox.coverage();
    const requests = risks.flatMap(({ examples }) => examples.map(({ request }) => request));
    const shown = "?size=1&search=…&email=…&create_date[gte]=2020-01-01&x=";
    expect(new Set(requests)).toEqual(new Set([`GET /api/v1${list}${shown}`]));
    expect((await sandbox.requests.list()).data.at(-1)?.path).toContain("search=Ada+Lovelace");
  });

  test("has no key, no body and nobody's data", async () => {
    const sandbox = await open();
    await converse(sandbox, "list one events");
    await ask(sandbox, `/investments/${whole}?key=${partner}`);
    await ask(sandbox, `${offering}/${partner}`);
    await ask(sandbox, list, { method: "POST", body: '{"tax_id":"123-45-6789"}' });
    await ask(sandbox, offering, { key: known.keys.marketing });
    const text = JSON.stringify(await sandbox.coverage());
    const persons = "Lovelace ada@example 666-12-3456 123-45-6789 Aurora".split(" ");
    const secrets = [...Object.values(known.keys), "sandbox_", ...persons];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});

test("calls of the portal are no client's", async () => {
  const sandbox = await open();
  for (let time = 0; time < 3; time++) {
    await ask(sandbox, `/investments/${unknown}`, { headers: { "sandbox-portal": "1" } });
  }
  await ask(sandbox, offering);
  const report = await sandbox.coverage();
  expect([report.requests, report.met, countOf(report, "refusals.unknown"), toldIn(report)]).toEqual([1, 1, 0, ""]);
});

test("twelve sandboxes in one process write their sums without a warning", async () => {
  const folder = temporaryFolder();
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const all = await Promise.all(Array.from({ length: 12 }, () => open("in process", { coverageDir: folder })));
  for (const sandbox of all) {
    await ask(sandbox, offering);
    await sandbox.close();
  }
  await nextTurn();
  expect([warnings, readdirSync(folder).length]).toEqual([[], 12]);
});

/** What somebody does between two reads of an investment. */
const doing: fc.Arbitrary<object | string> = fc.oneof(
  fc.record({ status: fc.constantFrom("PENDING", "CLOSED") }),
  fc.record({ step: fc.constantFrom("SIGNERS", null) }),
  fc.record({ paid_amount: fc.constantFrom(1, 2) }),
  fc.constantFrom("event", "later", "earlier", "read", "read", "status", "events"),
);

test("what has changed between two reads of an investment is what its answers showed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(doing, { minLength: 4, maxLength: 25 }), async (all) => {
      await using sandbox = await open();
      const counts = { status: 0, step: 0, paid_amount: 0, event: 0 };
      const before: Record<string, unknown> = {};
      let events: number | undefined;
      for (const one of all) {
        if (typeof one === "object") await sandbox.investments.change(whole, { ...one });
        else if (one === "event")
          await sandbox.investments.recordEvent(whole, { event: "PROFILE", action: "SUBMITTED" });
        else if (one === "later") await sandbox.clock.advance("1h");
        else if (one === "earlier") await sandbox.clock.set({ now: "2026-01-10T00:00:00Z" });
        else {
          const below = one === "read" ? "" : `/${one}`;
          const { data, included } = (await ask(sandbox, `/investments/${whole}${below}`)).json;
          for (const name of ["status", "step", "paid_amount"] as const) {
            const value = data.attributes[name];
            if (value !== undefined && before[name] !== undefined && value !== before[name]) counts[name] += 1;
            if (value !== undefined) before[name] = value;
          }
          if (one === "events" && included.length > (events ?? Infinity)) counts.event += 1;
          if (one === "events") events = included.length;
        }
      }
      const report = await sandbox.coverage();
      const told = Object.keys(counts).map((name) => [name, countOf(report, `time.${name}`)]);
      expect(Object.fromEntries(told)).toEqual(counts);
    }),
    { numRuns: 20 },
  );
});

test("a client that asks for something new each time does not fill the memory", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const sandbox = await open();
  await converse(sandbox, "list 404");
  const { data } = await sandbox.requests.list();
  const observer = new Observer({ id: "default", label: null });
  const past = { investment: () => undefined, firstPage: () => 1 };
  let polls = 0;
  const poll = (count: number): number => {
    for (const end = polls + count; polls < end; polls++) {
      const entries = data.map((entry): JournalEntry => {
        const [place = ""] = entry.path.split("?");
        const path = entry.status === 404 ? place.replace(/0+1$/, String(polls)) : `${place}?create_date[gte]=${polls}`;
        return { ...structuredClone(entry), path, key_id: String(polls), status: polls % 3 === 0 ? 503 : entry.status };
      });
      observer.observe(entries, past, 0);
    }
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = poll(2000);
  // Each poll that is kept is some kilobytes.
  expect(poll(8000) - before).toBeLessThan(4e6);
  expect(observer.tally().requests).toBe(20_000);
});
