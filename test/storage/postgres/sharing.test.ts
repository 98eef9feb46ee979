import { expect, test } from "vitest";
import { startSandbox } from "../../../src/index.ts";
import type { CoverageReport, Environment, Sandbox } from "../../../src/index.ts";
import { known, knownFixture, type TestResponse } from "../../support/sandbox.ts";
import { describeWithPostgres, useCluster } from "../../support/postgres.ts";
import { Model } from "./model.ts";
import { admin, call, counts, expectNoFailures, on, type SandboxProcess, startProcesses } from "./processes.ts";

/** `ROUNDS=10 npx vitest run --project slow test/storage/postgres` does ten times as much. */
const rounds = Number(process.env["ROUNDS"] ?? 1);

/** Sends requests with one key all at once, to one process after another. */
async function callInTurn(processes: readonly SandboxProcess[], key: string, count: number): Promise<number[]> {
  const sent = Array.from({ length: count }, (_, nth) =>
    call(processes[nth % processes.length] as SandboxProcess, key),
  );
  return (await Promise.all(sent)).map(({ status }) => status);
}

describeWithPostgres("several processes over one database, where PostgreSQL is installed", () => {
  const use = useCluster();

  test.for(["fixed", "sliding"])(
    "a limit in a %s window is exact, whichever process a request reaches",
    async (window) => {
      const processes = await startProcesses(2, use.cluster.newAddress(), { assumptions: { "limit.window": window } });
      const [first] = processes as [SandboxProcess];
      const environment = await first.sandbox.openEnvironment({ rateLimit: 120 });
      const { partner: key } = environment.keys;
      for (let round = 1; round <= 2; round++) {
        expect(counts(await callInTurn(processes, key, 300))).toEqual({ 200: 120, 429: 180 });
        for (const each of await on(processes, environment.id)) expect(await each.requests.count()).toBe(300 * round);
        await environment.clock.advance("61s");
      }
      expect(counts(await callInTurn(processes, key, 50))).toEqual({ 200: 50 });
      await environment.clock.advance("30s");
      expect(counts(await callInTurn(processes, key, 100))).toEqual({ 200: 70, 429: 30 });
      expectNoFailures(processes);
    },
  );

  test("a fault of 50 times applies to 50 of 200 requests at once", async () => {
    const processes = await startProcesses(2, use.cluster.newAddress());
    const [first, second] = processes as [SandboxProcess, SandboxProcess];
    const environment = await first.sandbox.openEnvironment();
    const { partner: key } = environment.keys;
    const [, there] = (await on(processes, environment.id)) as [Environment, Environment];
    await environment.faults.add({ respond: { status: 503 }, times: 50 });
    expect(counts(await callInTurn(processes, key, 200))).toEqual({ 200: 150, 503: 50 });
    expect(await there.faults.list()).toMatchObject([{ used: 50, active: false }]);
    expect((await call(second, key)).status).toBe(200);
  });

  test("reads that a step waits for are counted together", async () => {
    const processes = await startProcesses(2, use.cluster.newAddress());
    const [first] = processes as [SandboxProcess];
    const environment = await first.sandbox.openEnvironment({ scenarios: [] });
    const { partner: key } = environment.keys;
    const steps = [{ after_reads: 7, investment: { status: "CLOSED" } }];
    const run = await environment.play({ offering: known.aurora, investment: { amount: 100 }, steps });
    const [investment] = run.investment_ids;
    const statuses: string[] = [];
    for (let nth = 0; nth < 10; nth++) {
      const response = await call(processes[nth % 2] as SandboxProcess, key, `/investments/${investment}`);
      statuses.push(response.json.data.attributes.status);
    }
    expect(statuses.indexOf("CLOSED")).toBe(await closedAt(steps));
    expect(counts(statuses)["CLOSED"]).toBe(10 - statuses.indexOf("CLOSED"));
  });

  /** The number of the read that first shows a change, in a single process. */
  async function closedAt(steps: readonly { after_reads: number; investment: { status: string } }[]): Promise<number> {
    const alone = await startSandbox({ fixture: knownFixture, scenarios: [] });
    try {
      const { investment_ids } = await alone.play({ offering: known.aurora, investment: { amount: 100 }, steps });
      for (let nth = 0; ; nth++) {
        const headers = { authorization: `Bearer ${known.keys.partner}` };
        const response = await fetch(`${alone.baseUrl}/investments/${investment_ids[0]}`, { headers });
        const { data } = (await response.json()) as TestResponse["json"];
        if (data.attributes.status === "CLOSED") return nth;
      }
    } finally {
      await alone.close();
    }
  }

  test("a command is visible in every process once it has its response", async () => {
    const processes = await startProcesses(3, use.cluster.newAddress());
    const [first] = processes as [SandboxProcess];
    const { id } = await first.sandbox.openEnvironment();
    const environments = await on(processes, id);
    const stale: object[] = [];
    for (let nth = 0; nth < 200 * rounds; nth++) {
      const [here, there] = [
        environments[nth % 3] as Environment,
        environments[(nth + 1 + (nth % 2)) % 3] as Environment,
      ];
      const { now } = await here.clock.advance("1h");
      const read = await there.clock.get();
      if (read.now !== now) stale.push({ nth, now, read: read.now });
    }
    expect(stale).toEqual([]);
    const refused: number[] = [];
    for (let nth = 0; nth < 50; nth++) {
      const { key } = await (environments[nth % 3] as Environment).keys.issue({
        type: "partner",
        offering_id: known.aurora,
      });
      const { status } = await call(processes[(nth + 1) % 3] as SandboxProcess, key);
      if (status !== 200) refused.push(status);
    }
    expect(refused).toEqual([]);
    expectNoFailures(processes);
  });

  test("random calls over three processes get the same responses as over one process", async () => {
    const processes = await startProcesses(3, use.cluster.newAddress());
    const models = await Promise.all(Array.from({ length: 12 }, (_, nth) => Model.open(processes, nth)));
    await Promise.all(models.map((model) => model.performAny(100 * rounds)));
    expectNoFailures(processes);
  });

  test("a transfer changes no response", async () => {
    const processes = await startProcesses(2, use.cluster.newAddress(), { scenarios: [] });
    const [first] = processes as [SandboxProcess];
    const { id, keys } = await first.sandbox.openEnvironment();
    const environments = await on(processes, id);
    const alone = await startSandbox({ fixture: knownFixture, scenarios: [], rateLimit: 0, clock: "fixture" });
    try {
      let { journal, revision } = await (environments[0] as Environment).pulse();
      let began = 0;
      for (let nth = 0; nth < 50; nth++) {
        const here = environments[nth % 2] as Environment;
        await both(processes[nth % 2] as SandboxProcess, keys.partner, alone, nth);
        if (nth % 5 === 4) for (const each of [here, alone]) await each.clock.advance("1h");
        const next = await here.pulse({ after: journal.last, revision });
        if (journal.last > 0 && next.journal.after === 0) began += 1;
        expect(next.journal.data).toHaveLength(1);
        if (nth % 5 < 4) expect(next.revision).toBe(revision);
        ({ journal, revision } = next);
      }
      expect(began).toBe(0);
      const last = environments[0] as Environment;
      const { data } = await last.requests.list();
      expect(data).toHaveLength(50);
      const elapsed = data.map(({ elapsed_ms }) => elapsed_ms);
      expect(elapsed).toEqual(elapsed.toSorted((left, right) => left - right));
      expect(await last.replay()).toMatchObject({ same: 50, different: 0 });
      expect(countsIn(await last.coverage())).toEqual(countsIn(await alone.coverage()));
    } finally {
      await alone.close();
    }
  });

  /** Sends one request to a process, and to a sandbox that is alone. */
  async function both(server: SandboxProcess, key: string, alone: Sandbox, nth: number): Promise<void> {
    const paths = [`/investments/${known.whole}`, `/offerings/${known.aurora}/investments?page=1`, "/nowhere"];
    const path = paths[nth % paths.length] ?? "";
    await call(server, key, path);
    await call({ ...server, url: new URL(alone.baseUrl).origin }, known.keys.partner, path);
  }

  /** Returns the counts of a report. Ids of examples and numbers of connections differ. */
  function countsIn({ covered, total, requests, behaviors }: CoverageReport): object {
    return { covered, total, requests, behaviors: behaviors.map((each) => [each.id, each.count]) };
  }

  test("a running clock never goes backwards over transfers", async () => {
    const processes = await startProcesses(2, use.cluster.newAddress());
    const [first] = processes as [SandboxProcess];
    const { id } = await first.sandbox.openEnvironment({ speed: 3600, scenarios: [] });
    const environments = await on(processes, id);
    const begin = {
      real: performance.now(),
      clock: Date.parse((await (environments[0] as Environment).clock.get()).now),
    };
    let last = begin.clock;
    for (let nth = 0; nth < 30; nth++) {
      // Any command claims the environment.
      const response = await admin(processes[nth % 2] as SandboxProcess, id, "/limits", undefined, {
        method: "DELETE",
      });
      expect(response.status).toBeLessThan(300);
      const now = Date.parse((await (environments[nth % 2] as Environment).clock.get()).now);
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
    }
    // The clock is right to within two seconds of real time after all transfers.
    const away = (last - begin.clock) / 3600 - (performance.now() - begin.real);
    expect(Math.abs(away)).toBeLessThan(2000);
  });
});
