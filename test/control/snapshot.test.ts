import { describe, expect, test } from "vitest";
import type { Environment, Snapshot } from "../../src/control.ts";
import { known } from "../support/sandbox.ts";
import { openControl, read, ways } from "./sandboxes.ts";

/** Does something with every command that changes anything. */
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

/** Everything that can be seen of an environment. */
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

describe.each(ways)("%s", (way) => {
  test("a reset takes everything back to how the environment was opened, and its keys stay valid", async () => {
    const sandbox = await openControl(way, { rateLimit: 120 });
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

  test("a snapshot brings back what was, whatever happened since", async () => {
    const sandbox = await openControl(way, { rateLimit: 120 });
    await disturb(sandbox);
    await sandbox.faults.remove();
    const snapshot = await sandbox.snapshot();
    const { description, timeline, runs, assumptions } = { ...(await everything(sandbox)) } as Record<string, unknown>;
    const list = `/offerings/${known.aurora}/investments?size=100`;
    const answer = (await read(sandbox, list)).text;
    for (const happen of [() => sandbox.reset(), () => disturb(sandbox)]) {
      await happen();
      await sandbox.restore(snapshot);
      expect(await everything(sandbox)).toMatchObject({ description, timeline, runs, assumptions });
      expect((await read(sandbox, list)).text).toBe(answer);
    }
    expect(await sandbox.snapshot()).toEqual(snapshot);
  });

  test("a run goes on where a snapshot left it", async () => {
    const sandbox = await openControl(way);
    const run = await sandbox.play("closing");
    const snapshot = JSON.parse(JSON.stringify(await sandbox.snapshot())) as Snapshot;
    await sandbox.clock.advance("3d");
    const finished = await sandbox.runs.list();
    expect(finished).toMatchObject([{ id: run.id, status: "finished" }]);
    await sandbox.restore(snapshot);
    expect(await sandbox.runs.list()).toEqual([run]);
    await sandbox.clock.advance("3d");
    expect(await sandbox.runs.list()).toEqual(finished);
  });

  test("a timeline has the changes of runs and commands, past and future", async () => {
    const sandbox = await openControl(way);
    const run = await sandbox.play("closing");
    await sandbox.investments.change(known.whole, { status: "CLOSED" });
    const changes = await sandbox.timeline();
    expect(new Set(changes.map((change) => change.run))).toEqual(new Set([run.id, null]));
    expect(changes.filter((change) => change.run === null)).toMatchObject([
      { kind: "investment", date: "2026-01-15T12:00:00.000Z", investment_id: known.whole },
    ]);
    expect(changes.some(({ date }) => date > "2026-01-15T12:00:00.000Z")).toBe(true);
    expect(changes.map(({ date }) => date)).toEqual(changes.map(({ date }) => date).toSorted());
  });
});
