import { describe, expect, test } from "vitest";
import type { Pulse, Sandbox } from "../../src/public/control.ts";
import { startSandbox } from "../../src/index.ts";
import { newFile } from "../storage/databases.ts";
import { known, openSandbox } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";

const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const present = "2026-01-15T12:00:00.000Z";

const scenario = {
  steps: [
    { after: "1h", event: "PAYMENT SUBMITTED" },
    { after: "1h", event: "PAYMENT APPROVED" },
    { after_reads: 2, event: "SIGNING SUBMITTED" },
    { next: true, event: "SIGNING APPROVED" },
  ],
};

const subject = { investment_id: known.whole };

describe("pulse", () => {
  test("a pulse has the requests and revisions since the last one", async () => {
    const sandbox = await openControl();
    const first = await sandbox.pulse();
    expect(first).toEqual({
      revision: expect.any(String),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      clock: { now: present, speed: 0 },
      real_time: expect.stringMatching(isoInstant),
      previous: null,
      next: null,
      journal: { data: [], dropped: 0, last: 0, after: 0 },
    });
    for (let count = 0; count < 3; count++) await read(sandbox, `/investments/${known.whole}`);
    const second = await sandbox.pulse({ after: first.journal.last, revision: first.revision });
    expect(second).toMatchObject({ revision: first.revision, journal: { last: 3, after: 0 } });
    expect(second.journal.data).toEqual((await sandbox.requests.list()).data);
    const since = { after: 2, revision: second.revision };
    expect((await sandbox.pulse(since)).journal).toMatchObject({ data: [{ id: 3 }], after: 2 });
    await sandbox.play(scenario, subject);
    expect(await sandbox.pulse()).toMatchObject({ previous: null, next: "2026-01-15T13:00:00.000Z" });
    await sandbox.clock.advance("90m");
    const nextDates = { previous: "2026-01-15T13:00:00.000Z", next: "2026-01-15T14:00:00.000Z" };
    expect(await sandbox.pulse(since)).toMatchObject({ ...nextDates, journal: { data: [{ id: 3 }], after: 2 } });
    // After a clear the entries are new, so the caller's `after` is not used.
    await sandbox.requests.clear();
    expect((await sandbox.pulse(since)).journal).toEqual({ data: [], dropped: 0, last: 3, after: 0 });
    await sandbox.reset();
    expect((await sandbox.pulse({ after: 9 })).journal).toMatchObject({ after: 0 });
    expect(await sandbox.requests.list()).toEqual({ data: [], dropped: 0, waiting: [] });
  });

  test("the revision changes with each command, even one without another visible effect, and not with reads", async () => {
    const sandbox = await openControl();
    const revisions = new Set<string>();
    const readRevision = async (): Promise<string> => (await sandbox.pulse()).revision;
    const snapshot = await sandbox.snapshot();
    for (const command of [
      () => sandbox.limits.clear(),
      () => sandbox.clock.set({}),
      () => sandbox.clock.set({ speed: 0.001 }),
      () => sandbox.requests.clear(),
      () => sandbox.restore(snapshot),
      () => sandbox.reset(),
      () => sandbox.reset(),
    ]) {
      await command();
      const revision = await readRevision();
      expect(revisions.has(revision), String(command)).toBe(false);
      revisions.add(revision);
      await sandbox.timeline();
      await read(sandbox, `/investments/${known.whole}`);
      expect(await readRevision(), `reading after ${String(command)}`).toBe(revision);
    }
  });
});

test("a pulse has at most the newest 200 requests, and differs between processes and environments", async () => {
  const db = newFile();
  const pulseAfter = async (sandbox: Sandbox, count: number): Promise<Pulse> => {
    for (let index = 0; index < count; index++) await read(sandbox, "/nowhere", sandbox.keys.partner);
    return sandbox.pulse();
  };
  const firstSandbox = await startSandbox({ fixture: "minimal", db });
  const pulseBefore = await pulseAfter(firstSandbox, 3);
  await firstSandbox.close();
  await using restartedSandbox = await startSandbox({ fixture: "minimal", db });
  expect((await pulseAfter(restartedSandbox, 5)).revision).not.toBe(pulseBefore.revision);
  const { journal } = await restartedSandbox.pulse({ after: pulseBefore.journal.last, revision: pulseBefore.revision });
  expect([journal.after, journal.data.length]).toEqual([0, 5]);
  const { sandbox } = await openSandbox({ rateLimit: 0 });
  const pulse = await pulseAfter(sandbox, 203);
  expect(pulse.journal).toMatchObject({ last: 203, dropped: 0, after: 0 });
  expect(pulse.journal.data.map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, index) => index + 4));
  const environment = await sandbox.openEnvironment({ id: "mine" });
  const { revision } = await environment.pulse();
  await environment.close();
  expect((await (await sandbox.openEnvironment({ id: "mine" })).pulse()).revision).not.toBe(revision);
});
