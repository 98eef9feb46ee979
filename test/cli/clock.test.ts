import { expect, test } from "vitest";
import type { ClockAdvance } from "../../src/control.ts";
import { openToAsk } from "./cli.ts";

test("clock show, set and advance", async () => {
  const { ask, json } = await openToAsk();
  expect((await ask("clock show")).stdout).toBe("2026-01-15T12:00:00.000Z, frozen\n");
  expect((await ask("clock advance 1d12h")).stdout).toBe("2026-01-17T00:00:00.000Z, frozen\n");
  expect((await ask("clock advance --to 2026-02-01")).stdout).toBe("2026-02-01T00:00:00.000Z, frozen\n");
  expect((await ask("clock set 2026-01-01T10:00:00+02:00")).stdout).toBe("2026-01-01T08:00:00.000Z, frozen\n");
  expect(await json("clock show")).toEqual({ now: "2026-01-01T08:00:00.000Z", speed: 0 });
  expect((await ask("clock set --speed 60")).stdout).toMatch(/^2026-01-01T08:\S+Z, 60 times real time\n$/);
});

test("clock advance prints the changes on the way", async () => {
  const { ask, json } = await openToAsk({ scenarios: ["closing"] });
  const lines = (await ask("clock advance 2m")).stdout.trimEnd().split("\n");
  expect(lines).toEqual([
    "2026-01-15T12:02:00.000Z, frozen",
    expect.stringMatching(/^ {2}2026-01-15T12:02:00\.000Z {2}event PROFILE SUBMITTED {2}[\da-f-]{36}$/),
  ]);
  const { now, applied } = (await json("clock advance 2d")) as ClockAdvance;
  expect(now).toBe("2026-01-17T12:02:00.000Z");
  expect(applied.at(-1)).toMatchObject({ kind: "investment", attributes: { status: "CLOSED" }, run: "run-1" });
});

test("clock advance refuses an instant before the clock's", async () => {
  const { ask } = await openToAsk();
  const { code, stderr } = await ask("clock advance --to 2026-01-01");
  expect(stderr).toMatch(/^The clock is past that already; .*\n$/);
  expect(code).toBe(1);
});

test("clock advance --to next goes to the next change, and clock set previous undoes the last one", async () => {
  const { ask } = await openToAsk({ scenarios: ["closing"] });
  const forth = (await ask("clock advance --to next")).stdout.trimEnd().split("\n");
  expect(forth[0]).toBe("2026-01-15T12:02:00.000Z, frozen");
  const back = (await ask("clock set previous")).stdout.trimEnd().split("\n");
  expect(back).toEqual(["2026-01-15T12:00:00.000Z, frozen", "  taken back:", ...forth.slice(1)]);
  const { stdout } = await ask("timeline --from 2026-01-15T12:00:01Z --run run-1 --limit 1");
  expect(stdout.trimEnd()).toBe(forth[1]?.trim());
  expect((await ask("timeline --from 2027-01-01")).stdout).toBe("No changes.\n");
  expect((await ask("timeline --run run-7")).stderr).toContain('There is no run "run-7"');
  expect((await ask("clock set prevous")).stderr).toContain('Did you mean "previous"?');
});

test("between its repetitions, a scenario goes on: clock show, runs list and timeline say when", async () => {
  const { ask } = await openToAsk({ scenarios: ["live-demo"] });
  const first = "2026-01-15T12:00:08.000Z";
  expect((await ask("clock show")).stdout).toBe(`2026-01-15T12:00:00.000Z, frozen\n  next change ${first}\n`);
  expect((await ask("timeline")).stdout).toBe(`${first}  live-demo (run-1) goes on\n`);
  expect((await ask("timeline --to 2026-01-16")).stdout).toBe("No changes.\n");
  expect((await ask("runs list")).stdout).toMatch(
    /\nrun-1 +live-demo +running +0 of 720 repetitions +0 of 0 steps +2026-01-15T12:00:08/,
  );
  await ask("clock advance 5h");
  const tomorrow = /2026-01-16T12:00:\d\d\.\d{3}Z/;
  expect((await ask("runs list")).stdout).toMatch(/ 24 of 720 repetitions +168 of 168 steps +2026-01-16T12:00:/);
  expect((await ask("clock show")).stdout).toMatch(tomorrow);
  expect((await ask("timeline --from 2026-01-15T17:00:00Z --run run-1")).stdout).toMatch(tomorrow);
});
