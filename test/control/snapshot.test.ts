import { describe, expect, test } from "vitest";
import type { Environment, Snapshot } from "../../src/public/control.ts";
import { stopMachineTime } from "../support/machine-time.ts";
import { known } from "../support/sandbox.ts";
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
async function describeAll(environment: Environment): Promise<object> {
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

describe("snapshot", () => {
  test("a snapshot of a new environment has no changes, runs or requests", async () => {
    expect(await (await openControl()).snapshot()).toMatchObject({
      content: { changes: [], issued: 0, creations: 0, runs: [], fault_uses: {}, fault_matches: {} },
      traffic: { responses: 0, journal: { data: [], dropped: 0, last: 0 } },
    });
  });

  test("a reset restores the state of the opening, and the keys stay valid", async () => {
    const sandbox = await openControl({ rateLimit: 120 });
    const openedEnvironment = await sandbox.openEnvironment({ scenarios: ["closing"] });
    for (const environment of [sandbox, openedEnvironment]) {
      const stateBefore = await describeAll(environment);
      await disturb(environment);
      const stateAfter: Readonly<Record<string, unknown>> = { ...(await describeAll(environment)) };
      for (const [name, value] of Object.entries(stateBefore)) expect(stateAfter[name]).not.toEqual(value);
      await environment.reset();
      expect(await describeAll(environment)).toEqual(stateBefore);
      for (const key of [environment.keys.marketing, environment.keys.partner]) {
        expect((await read(environment, `/offerings/${known.aurora}`, key)).status).toBe(200);
      }
    }
  });

  test.each(["fixed", "sliding"])(
    "restoring a snapshot right after it was made changes nothing: %s window",
    async (window) => {
      const passTime = stopMachineTime();
      const sandbox = await openControl({ rateLimit: 40, delay: [0, 2], assumptions: { "limit.window": window } });
      const paths = [`/investments/${known.whole}`, `/investments/${known.unknown}`, "/nowhere"];
      const sendRequests = async (count: number): Promise<void> => {
        for (let request = 0; request < count; request++) {
          await read(sandbox, paths[request % 3] ?? "");
          passTime(1);
        }
      };
      await sendRequests(3);
      await sandbox.requests.clear();
      await sandbox.clock.advance("10s");
      await sendRequests(39);
      await disturb(sandbox);
      await sandbox.limits.set((await sandbox.keys.list())[3]?.id ?? "", 33);
      const [stateBefore, snapshot] = [await describeAll(sandbox), await sandbox.snapshot()];
      await sandbox.restore(snapshot);
      expect(await describeAll(sandbox)).toEqual(stateBefore);
      expect(await sandbox.snapshot()).toEqual(snapshot);
    },
  );

  test("reads of the service change only the journal; reads of the admin API change nothing", async () => {
    const sandbox = await openControl({ delay: [2, 2] });
    await disturb(sandbox);
    await sandbox.faults.remove();
    const snapshotBefore = await sandbox.snapshot();
    await describeAll(sandbox);
    expect(await sandbox.snapshot()).toEqual(snapshotBefore);
    for (const path of [`/investments/${known.whole}`, "/nowhere"]) await read(sandbox, path);
    const snapshotAfter = await sandbox.snapshot();
    const { traffic, checksum } = snapshotBefore as Snapshot & { traffic: { readonly journal: object } };
    const { journal, ...otherMembers } = snapshotAfter["traffic"] as typeof traffic;
    expect(journal).not.toEqual(traffic.journal);
    expect({ ...snapshotAfter, traffic: { ...otherMembers, journal: traffic.journal }, checksum }).toEqual(
      snapshotBefore,
    );
  });
});
