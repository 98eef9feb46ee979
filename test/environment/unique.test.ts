import { expect, test } from "vitest";
import { checksumOf } from "../../src/environment/snapshot.ts";
import { bounds, megabyte } from "../../src/model/bounds.ts";
import { known, openSandbox } from "../support/sandbox.ts";

test("an investment's id, alias and number are unique", async () => {
  const { sandbox } = await openSandbox();
  const { investments } = sandbox;
  const id = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
  const offering_id = known.aurora;
  await investments.create({ id, alias: "mine", offering_id });
  for (const members of [{ id }, { alias: "mine" }, { alias: "whole" }, { investment_number: 1 }]) {
    await expect(investments.create({ offering_id, ...members })).rejects.toMatchObject({ code: "conflict" });
  }
  await expect(investments.change(id, { investment_number: 1 })).rejects.toMatchObject({ code: "conflict" });
  expect(await sandbox.timeline()).toHaveLength(1);
});

test("an investment cannot be created after the clock's present", async () => {
  const { sandbox } = await openSandbox();
  const later = { offering_id: known.aurora, create_date: "2026-02-01T00:00:00.000Z" };
  await expect(sandbox.investments.create(later)).rejects.toMatchObject({ code: "invalid" });
  expect(await sandbox.timeline()).toEqual([]);
});

test("an investment cannot be created with the id of one that a scenario creates later", async () => {
  const { sandbox } = await openSandbox();
  const { investment_ids } = await sandbox.play("closing");
  await sandbox.clock.set({ now: "2026-01-14T00:00:00.000Z" });
  const again = { id: investment_ids[0], offering_id: known.aurora };
  await expect(sandbox.investments.create(again)).rejects.toMatchObject({ code: "conflict" });
});

test("an applied change has the number given to a new investment", async () => {
  const { sandbox } = await openSandbox();
  await sandbox.play({ investment: {}, steps: [{ after: "1h", event: "REGISTRATION COMPLETED" }] });
  const { applied } = await sandbox.clock.advance("2h");
  expect(applied[0]).toMatchObject({ kind: "new_investment", investment: { investment_number: 26 } });
});

test("an advance lists the first thousand changes on the way, and counts all", async () => {
  const { sandbox } = await openSandbox();
  const steps = Array.from({ length: 1000 }, () => ({ after: "1s", event: "A B" }));
  for (let run = 0; run < 2; run++) await sandbox.play({ investment: known.whole, steps });
  const { applied, applied_count } = await sandbox.clock.advance("2h");
  const all = await sandbox.timeline();
  expect([applied_count, applied.length, all.length]).toEqual([2000, bounds.applied, 2000]);
  expect(applied).toEqual(all.slice(0, bounds.applied));
});

test("a scenario with too many steps in total is refused", async () => {
  const { sandbox } = await openSandbox();
  const steps = Array.from({ length: 1000 }, () => ({ event: "REGISTRATION COMPLETED" }));
  const endless = { repeat: { count: 10_000, every: "0s" }, steps };
  await expect(sandbox.play(endless)).rejects.toThrow(
    "repeat.count is 10000; expected 50 at most, with 1000 steps each",
  );
});

test("the repetitions of an environment's runs are limited, and the refusal has the number", async () => {
  const { sandbox } = await openSandbox();
  const many = { name: "many", repeat: { count: 9_999, every: "1h" }, steps: [{ event: "A B" }] };
  for (let run = 0; run < 2; run++) await sandbox.play(many);
  await expect(sandbox.play(many)).rejects.toMatchObject({
    code: "conflict",
    message:
      "Scenario many: the runs of the environment have 19,998 repetitions, and this one adds 9,999; 20,000 are possible. Stop runs that go on, reset the environment, or open another.",
  });
  await sandbox.runs.stop("run-1");
  expect(await sandbox.play(many)).toMatchObject({ id: "run-3" });
  await expect(sandbox.openEnvironment({ scenarios: [many, many, many] })).rejects.toThrow("20,000 are possible");
});

test("an environment is full before its snapshot is too large to restore, and a leap then stops its run", async () => {
  const { sandbox } = await openSandbox();
  // Some ten megabytes, as each letter has two bytes.
  const event = { event: "A", action: "B", description: "ü".repeat((2 ** 20 * 5) / 2 - 2_000) };
  const create = (): Promise<unknown> => sandbox.investments.create({ amount: 100, events: [event] });
  for (let count = 0; count < 4; count++) await create();
  const changes = await sandbox.timeline();
  await expect(create()).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringMatching(/: the 5 changes and the runs of the environment would exceed the 48 MB/),
  });
  expect(await sandbox.timeline()).toEqual(changes);
  const long = { ...event, description: "ü".repeat(90_000) };
  await sandbox.play({
    repeat: { count: 100, every: "1h" },
    investment: { events: [long] },
    steps: [{ event: "A B" }],
  });
  await sandbox.clock.advance("100h");
  const [run] = await sandbox.runs.list();
  expect(run).toMatchObject({ status: "stopped", problem: expect.stringMatching(/would exceed the 48 MB/) });
  expect(Buffer.byteLength(JSON.stringify(await sandbox.snapshot()))).toBeLessThan((bounds.environment + 1) * megabyte);
});

test("an edited snapshot is refused, and changes nothing", async () => {
  const { sandbox, api } = await openSandbox();
  await sandbox.play("polling");
  await sandbox.play("busy-day");
  const whole = await sandbox.snapshot();
  const renamed = { ...whole, fixture_document: { ...(whole["fixture_document"] as object), name: "other" } };
  await expect(sandbox.restore(renamed)).rejects.toMatchObject({ code: "invalid" });
  // The fixture is the greatest part; its checksum suffices.
  const { checksum: _, fixture_document: __, ...body } = whole;
  const snapshot = { ...body, checksum: checksumOf(body) };
  const text = JSON.stringify(snapshot);
  const values = [null, -1, [], {}, "__proto__", 1e308];
  for (const [at, path] of leaves(snapshot).entries()) {
    if (at % 17 !== 0) continue;
    const edited = JSON.parse(text) as typeof snapshot;
    put(edited, path, values[(at / 17) % values.length]);
    if (JSON.stringify(edited) === text) continue;
    await expect(sandbox.restore(edited)).rejects.toMatchObject({ code: "invalid" });
  }
  await sandbox.restore(snapshot);
  expect(await sandbox.snapshot()).toEqual(whole);
  expect((await api(`/investments/${known.whole}`)).status).toBe(200);
});

type Path = (string | number)[];

/** The paths of all scalars in a document. */
function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, member]) => leaves(member, [...path, name]));
}

function put(document: unknown, path: Path, value: unknown): void {
  let holder = document as Record<string | number, unknown>;
  for (const name of path.slice(0, -1)) holder = holder[name] as Record<string | number, unknown>;
  holder[path.at(-1) ?? ""] = value;
}
