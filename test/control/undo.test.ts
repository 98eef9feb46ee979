import { expect, test } from "vitest";
import { openAdmin } from "../admin/admin.ts";
import { known } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";

const present = "2026-01-15T12:00:00.000Z";
const subject = { investment_id: known.whole };
const scenario = {
  name: "story",
  steps: [
    { after: "1h", event: "PAYMENT SUBMITTED" },
    { after: "1h", investment: { status: "CLOSED" } },
  ],
};

test("the summary of every move of the clock has its changes, those of the named subject first", async () => {
  const sandbox = await openControl();
  const { clock, investments } = sandbox;
  await sandbox.play(scenario, subject);
  await sandbox.play({ steps: [{ after: "90m", event: "OTHER DONE" }] }, { investment_id: "elsewhere" });
  const { investment_number: number } = await investments.get(known.whole);
  const name = new RegExp(`^#${String(number)} [^:]+`);
  const summaryOf = async (pendingMove: Promise<{ readonly summary: string }>): Promise<string> =>
    (await pendingMove).summary.replace(name, "#1 Ada");
  expect(await summaryOf(clock.advance("1m", subject))).toBe("No changes.");
  expect(await summaryOf(clock.next(subject))).toBe("#1 Ada: Payment submitted.");
  expect(await summaryOf(clock.next())).toBe("1 change happened.");
  expect(await summaryOf(clock.set({ now: "2026-01-15T13:10:00Z", ...subject }))).toBe(
    "Undone: 1 change. It stays on the timeline.",
  );
  expect(await summaryOf(clock.set({ now: "2026-01-15T13:45:00Z", ...subject }))).toMatch(
    /^1 change happened, but not to #/,
  );
  expect(await clock.set({ now: "2026-01-15T14:00:00Z", run: "run-1" })).toMatchObject({
    applied: [{ kind: "investment" }],
    applied_count: 1,
    undone_count: 0,
    summary: expect.stringMatching(/^story on #.+: Status CLOSED\.$/),
  });
  expect((await clock.previous(subject)).summary).toMatch(/^#\d+ .+ is back at \w+ in step SIGNERS, [\d,.]+ paid\.$/);
});

test("undo takes back moves of the clock and changes of an investment, the newest first", async () => {
  const sandbox = await openControl();
  const { clock, investments } = sandbox;
  const { amount } = await investments.get(known.whole);
  const path = `/investments/${known.whole}`;
  const { text } = await read(sandbox, path);
  await clock.advance("1h");
  await clock.set({ now: "2026-01-20T00:00:00Z", speed: 60 });
  await clock.set({ speed: 0 });
  const { now } = await clock.get();
  await investments.change(known.whole, { amount: 4321, investors: [] });
  expect(await clock.undo()).toMatchObject({
    now,
    applied_count: 1,
    summary: expect.stringMatching(/^#.+: Amount .+ again\. The history has both changes\.$/),
  });
  expect(await investments.get(known.whole)).toMatchObject({ amount });
  expect(await clock.undo()).toMatchObject({ now: "2026-01-15T13:00:00.000Z", speed: 0, undone_count: 2 });
  expect(await clock.undo()).toMatchObject({ now: present });
  expect((await read(sandbox, path)).text).toBe(text);
  await expect(clock.undo()).rejects.toMatchObject({ code: "conflict", message: "There is nothing to undo." });
});

test("undo takes back ten moves, no other command, and nothing if the caller names an older move than the last", async () => {
  const { clock, keys } = await openControl();
  for (let step = 0; step < 12; step++) await clock.advance("1h");
  for (let step = 0; step < 10; step++) await clock.undo();
  await expect(clock.undo()).rejects.toThrow("There is nothing to undo.");
  expect(await clock.get()).toMatchObject({ now: "2026-01-15T14:00:00.000Z" });

  const { now } = await clock.advance("1h");
  await clock.advance("1h");
  await expect(clock.undo({ last: now })).rejects.toMatchObject({
    code: "conflict",
    message: "The last action cannot be undone.",
  });
  await clock.undo();
  await keys.issue({ type: "partner" });
  await expect(clock.undo({ last: now })).rejects.toMatchObject({ code: "conflict" });
  expect(await clock.get()).toMatchObject({ now });
});

test("a step without a change to step to adds nothing to undo, in either direction", async () => {
  const { admin, sandbox } = await openAdmin({ scenarios: [] });
  const { now } = await sandbox.clock.get();
  await sandbox.clock.advance("1h");
  for (const [call, body] of [
    ["PUT /clock", { now: "previous", investment_id: known.whole, if_any: true }],
    ["POST /clock/advance", { to: "next", investment_id: known.whole, if_any: true }],
  ] as const)
    expect((await admin(call, body)).json).toMatchObject({ applied_count: 0, undone_count: 0 });
  expect(await sandbox.clock.undo()).toMatchObject({ now });
  await expect(sandbox.clock.undo()).rejects.toThrow("There is nothing to undo.");
});
