import { expect, test } from "vitest";
import { inputLimits, megabyte } from "../../src/bounds/bounds.ts";
import { known, openSandbox } from "../support/sandbox.ts";

test("an advance lists its first thousand changes, and counts all", async () => {
  const { sandbox } = await openSandbox();
  const steps = Array.from({ length: 1000 }, () => ({ after: "1s", event: "A B" }));
  for (let run = 0; run < 2; run++) await sandbox.play({ investment: known.whole, steps });
  const { applied, applied_count } = await sandbox.clock.advance("2h");
  const all = await sandbox.timeline();
  expect([applied_count, applied.length, all.length]).toEqual([2000, inputLimits.applied, 2000]);
  expect(applied).toEqual(all.slice(0, inputLimits.applied));
});

test("a scenario with too many steps in total is refused", async () => {
  const { sandbox } = await openSandbox();
  const steps = Array.from({ length: 1000 }, () => ({ event: "REGISTRATION COMPLETED" }));
  const endless = { repeat: { count: 10_000, every: "0s" }, steps };
  await expect(sandbox.play(endless)).rejects.toThrow(
    "repeat.count is 10000; expected 50 at most, with 1000 steps each",
  );
});

test("an environment begins with a hundred scenarios at most, and its fixture names no more", async () => {
  const { sandbox } = await openSandbox();
  const scenarios = Array.from({ length: 101 }, () => "closing");
  for (const options of [{ scenarios }, { fixture: { scenarios } }]) {
    await expect(sandbox.openEnvironment(options)).rejects.toThrow("scenarios: expected 100 at most, not 101.");
  }
  const { runs } = await sandbox.openEnvironment({ scenarios: scenarios.slice(1) });
  expect(await runs.list()).toHaveLength(100);
});

test("the repetitions of an environment's runs are limited, and the refusal names the limit", async () => {
  const { sandbox } = await openSandbox();
  const many = { name: "many", repeat: { count: 9_999, every: "1h" }, steps: [{ event: "A B" }] };
  for (let run = 0; run < 2; run++) await sandbox.play(many);
  await expect(sandbox.play(many)).rejects.toMatchObject({
    code: "conflict",
    message:
      "Scenario many would add 9,999 repetitions to the 19,998 of the environment; the limit is 20,000. Stop unfinished runs, reset the environment, or open another.",
  });
  await sandbox.runs.stop("run-1");
  expect(await sandbox.play(many)).toMatchObject({ id: "run-3" });
  await expect(sandbox.openEnvironment({ scenarios: [many, many, many] })).rejects.toThrow("the limit is 20,000");
});

test("an environment is full before its snapshot is too large to restore, and a long advance then stops its run", async () => {
  const { sandbox } = await openSandbox();
  // Some ten megabytes, as each letter has two bytes.
  const event = { event: "A", action: "B", description: "ü".repeat(inputLimits.text) };
  const many = Array.from({ length: 260 }, () => event);
  const create = (): Promise<unknown> => sandbox.investments.create({ amount: 100, events: many });
  for (let count = 0; count < 4; count++) await create();
  const changes = await sandbox.timeline();
  await expect(create()).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringMatching(/: the 5 changes of the environment would exceed the 48 MB/),
  });
  expect(await sandbox.timeline()).toEqual(changes);
  await sandbox.play({
    repeat: { count: 100, every: "1h" },
    investment: { events: many.slice(0, 9) },
    steps: [{ event: "A B" }],
  });
  await sandbox.clock.advance("100h");
  const [run] = await sandbox.runs.list();
  expect(run).toMatchObject({ status: "stopped", problem: expect.stringMatching(/would exceed the 48 MB/) });
  expect(Buffer.byteLength(JSON.stringify(await sandbox.snapshot()))).toBeLessThan(
    (inputLimits.timeline + 1) * megabyte,
  );
});
