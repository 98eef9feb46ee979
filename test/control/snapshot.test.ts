import { describe, expect, test, vi } from "vitest";
import type { Environment, Snapshot } from "../../src/control.ts";
import { known, openSandbox } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";

/** Changes each part of an environment with commands and a request. */
async function disturb(environment: Environment): Promise<void> {
  const { clock, keys, investments, faults, limits, assumptions } = environment;
  await environment.play("closing");
  await clock.advance("2d");
  await clock.set({ speed: 1 });
  const { id } = await keys.issue({ type: "partner", offering_id: known.aurora });
  await limits.set(id, 5);
  await keys.revoke((await keys.list())[0]?.id ?? "");
  await investments.create({ amount: 50, price: 5 });
  await investments.change(known.whole, { status: "CLOSED" });
  await investments.recordEvent(known.whole, { event: "PAYMENT", action: "APPROVED" });
  await assumptions.set({ "errors.body": "empty" });
  await read(environment, `/investments/${known.whole}`, environment.keys.partner);
  await faults.add({ respond: { status: 500 } });
  await clock.set({ speed: 0 });
}

/** The lists and descriptions of an environment. */
async function everything(environment: Environment): Promise<object> {
  const { clock, keys, requests, faults, limits, assumptions, runs } = environment;
  return {
    description: await environment.describe(),
    clock: await clock.get(),
    keys: await keys.list(),
    runs: await runs.list(),
    timeline: await environment.timeline(),
    requests: await requests.list(),
    faults: await faults.list(),
    limits: await limits.list(),
    assumptions: await assumptions.list(),
  };
}

test.each(["polling", "flaky-service", "busy-day"])(
  "a run of %s has the same future after a snapshot is restored",
  async (name) => {
    const { sandbox } = await openSandbox();
    const { clock, runs } = sandbox;
    await clock.set({ speed: 0 });
    const { id } = await sandbox.play(name);
    const snapshot = JSON.parse(JSON.stringify(await sandbox.snapshot())) as Snapshot;
    const future = async (): Promise<object> => {
      for (const duration of ["3h", "1d", "1d", "40d"]) {
        // A fault may end the connection.
        const [investmentId] = (await runs.list())[0]?.investment_ids ?? [];
        await read(sandbox, `/investments/${investmentId}`).catch(() => {});
        await runs.next(id).catch(() => {});
        await clock.advance(duration);
      }
      await sandbox.requests.clear();
      const { limits: _, checksum: __, journal: ___, ...content } = await sandbox.snapshot();
      return { content, runs: await runs.list(), timeline: await sandbox.timeline(), script: await runs.get(id) };
    };
    const first = await future();
    await sandbox.restore(snapshot);
    expect((await sandbox.snapshot())["checksum"]).toBe(snapshot["checksum"]);
    expect(await future()).toEqual(first);
  },
);

describe("snapshot", () => {
  test("a snapshot of a new environment has counted nothing", async () => {
    const none = { changes: [], issued: 0, creations: 0, runs: [], fault_uses: {}, fault_matches: {}, answers: 0 };
    expect(await (await openControl()).snapshot()).toMatchObject({
      ...none,
      journal: { data: [], dropped: 0, last: 0 },
    });
  });

  test("a reset restores the state of the opening, and the keys stay valid", async () => {
    const sandbox = await openControl({ rateLimit: 120 });
    const opened = await sandbox.openEnvironment({ scenarios: ["closing"] });
    for (const environment of [sandbox, opened]) {
      const before = await everything(environment);
      await disturb(environment);
      const disturbed: Readonly<Record<string, unknown>> = { ...(await everything(environment)) };
      for (const [name, value] of Object.entries(before)) expect(disturbed[name]).not.toEqual(value);
      await environment.reset();
      expect(await everything(environment)).toEqual(before);
      for (const key of [environment.keys.marketing, environment.keys.partner]) {
        expect((await read(environment, `/offerings/${known.aurora}`, key)).status).toBe(200);
      }
    }
  });

  test.each(["fixed", "sliding"])("restoring a snapshot at once changes nothing: %s window", async (window) => {
    const time = performance.now();
    const realTime = vi.spyOn(performance, "now").mockReturnValue(time);
    const assumptions = { "limit.window": window };
    const sandbox = await openControl({ rateLimit: 40, delay: [0, 2], assumptions });
    const paths = [`/investments/${known.whole}`, `/investments/${known.unknown}`, "/nowhere"];
    const ask = async (times: number): Promise<number[]> => {
      const statuses: number[] = [];
      for (let request = 0; request < times; request++) {
        statuses.push((await read(sandbox, paths[request % 3] ?? "")).status);
        realTime.mockReturnValue(time + request);
      }
      return statuses;
    };
    await ask(3);
    await sandbox.requests.clear();
    await sandbox.clock.advance("10s");
    await ask(39);
    await disturb(sandbox);
    await sandbox.limits.set((await sandbox.keys.list())[3]?.id ?? "", 33);
    const [before, snapshot] = [await everything(sandbox), await sandbox.snapshot()];
    await sandbox.restore(snapshot);
    expect(await everything(sandbox)).toEqual(before);
    expect(await sandbox.snapshot()).toEqual(snapshot);
    // Later commands and requests have the same effects, even if the snapshot is restored once more.
    const [marketing, partner] = [known.keys.marketing, known.keys.partner];
    const follow = async (): Promise<unknown> => {
      const statuses = await ask(2);
      for (const key of [known.keys.atLimit, marketing, partner])
        statuses.push((await read(sandbox, "/x", key)).status);
      await sandbox.clock.advance(49_999);
      statuses.push(...(await ask(2)));
      await sandbox.clock.advance("1m");
      const { limits, requests } = (await everything(sandbox)) as Record<string, { data?: object[] }>;
      const entries = requests?.data?.map((entry) => ({
        ...entry,
        milliseconds: 0,
        recorded_at: "",
        elapsed_ms: 0,
        sent_after: 0,
        connection_id: 0,
      }));
      return { statuses: [...statuses, ...(await ask(2))], limits, entries };
    };
    const first = await follow();
    await sandbox.restore(snapshot);
    expect(await follow()).toEqual(first);
  });

  test("reads of the service change only the journal; reads of the admin API change nothing", async () => {
    const sandbox = await openControl({ delay: [2, 2] });
    await disturb(sandbox);
    await sandbox.faults.remove();
    const before = await sandbox.snapshot();
    await everything(sandbox);
    expect(await sandbox.snapshot()).toEqual(before);
    for (const path of [`/investments/${known.whole}`, "/nowhere"]) await read(sandbox, path);
    const after = await sandbox.snapshot();
    const { journal, checksum } = before as Snapshot & { journal: object };
    expect(after["journal"]).not.toEqual(journal);
    expect({ ...after, journal, checksum }).toEqual(before);
  });
});
