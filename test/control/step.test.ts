import { beforeEach, describe, expect, test } from "vitest";
import type { ChangeDescription } from "../../src/public/control.ts";
import { stopMachineTime } from "../support/machine-time.ts";
import { known } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";

const present = "2026-01-15T12:00:00.000Z";

const scenario = {
  name: "story",
  steps: [
    { after: "1h", event: "PAYMENT SUBMITTED" },
    { after: "1h", event: "PAYMENT APPROVED" },
    { after_reads: 1, event: "SIGNING SUBMITTED" },
    { next: true, event: "SIGNING APPROVED" },
  ],
};

// On a busy machine two steps could be seconds apart and count as separate.
beforeEach(() => void stopMachineTime(1));

const subject = { investment_id: known.whole };

const path = `/investments/${known.whole}/events`;

describe("step", () => {
  test("the clock steps to the next and the previous change, past waiting steps", async () => {
    const sandbox = await openControl();
    const { clock } = sandbox;
    const noChange = { code: "conflict", message: "No upcoming change." };
    await expect(clock.next()).rejects.toMatchObject(noChange);
    await expect(clock.previous()).rejects.toMatchObject({
      code: "conflict",
      message: "There is no change to undo.",
    });
    expect(await clock.get()).toEqual({ now: present, speed: 0 });
    await sandbox.play(scenario, subject);
    const texts = [(await read(sandbox, path)).text];
    for (const now of ["2026-01-15T13:00:00.000Z", "2026-01-15T14:00:00.000Z"]) {
      expect(await clock.next()).toEqual({
        now,
        speed: 0,
        applied: [expect.objectContaining({ date: now })],
        applied_count: 1,
        undone: [],
        undone_count: 0,
        stopped: [],
        summary: "1 change happened.",
      });
      texts.push((await read(sandbox, path)).text);
    }
    await expect(clock.next()).rejects.toMatchObject({
      code: "conflict",
      message: "No upcoming change. Steps wait for reads, or to be played: see run-1.",
    });
    await read(sandbox, `/investments/${known.whole}`);
    await sandbox.runs.next("run-1");
    // Both changes have this instant, so one step undoes both.
    expect(await clock.previous()).toMatchObject({ now: "2026-01-15T13:00:00.000Z", undone_count: 3 });
    expect((await read(sandbox, path)).text).toBe(texts[1]);
    const move = await clock.previous();
    expect(move).toMatchObject({
      now: "2026-01-15T12:59:59.999Z",
      speed: 0,
      applied: [],
      undone: [expect.objectContaining({ kind: "event", run: "run-1" })],
      undone_count: 1,
    });
    expect((await read(sandbox, path)).text).toBe(texts[0]);
    await expect(clock.previous()).rejects.toMatchObject({ code: "conflict" });
    expect((await clock.advanceTo("next")).applied).toEqual(move.undone);
    expect(await clock.advanceTo("next")).toMatchObject({ now: "2026-01-15T14:00:00.000Z", applied_count: 3 });
    expect(await clock.set("previous")).toMatchObject({ now: "2026-01-15T13:00:00.000Z", undone_count: 3 });
    expect(await clock.set({ now: "previous", speed: 0.5 })).toMatchObject({ speed: 0.5, undone_count: 1 });
    await clock.set({ now: "2026-01-15T14:00:00Z", speed: 0 });
    const reset = await clock.set("fixture");
    expect(reset).toMatchObject({ undone: [{ kind: "event" }, {}, {}, {}], undone_count: 4 });
    expect((await clock.advanceTo("2026-01-15T14:00:00Z")).applied).toEqual(reset.undone);
  });

  test("the clock steps along the changes of one investment, offering or run", async () => {
    const sandbox = await openControl();
    const { clock } = sandbox;
    const minutely = (name: string): object => ({
      steps: [1, 2, 3].map((step) => ({ after: "1m", event: `${name}${step} SUBMITTED` })),
    });
    await sandbox.play(minutely("A"), subject);
    await clock.advance("30s");
    await sandbox.play(minutely("B"), { investment_id: "elsewhere" });
    const clockAt = (time: string): object => ({ now: `2026-01-15T${time}.000Z` });
    // Changes of other subjects on the way happen too.
    for (const [subjectOfStep, now, changes] of [
      [{ investment_id: "elsewhere" }, "12:01:30", 2],
      [{ run: "run-1" }, "12:02:00", 1],
      [{ offering_id: "borealis" }, "12:02:30", 1],
      [{ investment_id: "elsewhere" }, "12:03:30", 2],
    ] as const) {
      expect(await clock.next(subjectOfStep), JSON.stringify(subjectOfStep)).toMatchObject({
        ...clockAt(now),
        applied_count: changes,
      });
    }
    await expect(clock.next({ run: "run-2" })).rejects.toMatchObject({ code: "conflict" });
    expect(await clock.previous(subject)).toMatchObject({ ...clockAt("12:02:00"), undone_count: 3 });
    expect(await clock.previous({ run: "run-2" })).toMatchObject({ now: "2026-01-15T12:01:29.999Z" });
    await expect(clock.previous({ offering_id: "borealis" })).rejects.toMatchObject({ code: "conflict" });
    await expect(clock.next({ run: "run-3" })).rejects.toThrow('There is no run "run-3". Did you mean "run-1"?');
    await expect(clock.set({ now: present, run: "run-3" })).rejects.toThrow('There is no run "run-3".');
  });

  test("simultaneous steps run one after the other, each with its own instant", async () => {
    const sandbox = await openControl();
    const { clock } = sandbox;
    await sandbox.play(
      { steps: ["A", "B", "C", "D", "E", "F"].map((name) => ({ after: "1m", event: `${name} SUBMITTED` })) },
      subject,
    );
    const thirdDate = "2026-01-15T12:03:00.000Z";
    for (const otherMoves of [
      () => [clock.previous()],
      () => [clock.set("2026-01-15T12:00:30Z")],
      () => [clock.set("2026-01-15T13:00:00Z")],
      () => [clock.advance("1m"), clock.previous()],
    ]) {
      await clock.set(thirdDate);
      const outcomes = await Promise.allSettled([clock.next(), ...otherMoves(), clock.next()]);
      for (const outcome of [outcomes[0], outcomes.at(-1)]) {
        if (outcome?.status === "rejected") expect(outcome.reason).toMatchObject({ code: "conflict" });
        else expect(outcome?.value).toMatchObject({ applied_count: 1, applied: [{ date: outcome?.value.now }] });
      }
    }
  });

  test("on a running clock, set returns its own instant, and no step goes before the first instant", async () => {
    const sandbox = await openControl();
    const { clock } = sandbox;
    const first = "0000-01-01T00:00:00.000Z";
    await clock.set(first);
    await sandbox.keys.issue({ type: "partner" });
    await clock.set({ now: present, speed: 100_000 });
    await sandbox.play(
      {
        steps: [
          { after: "1h", event: "A SUBMITTED" },
          { after: "1h", event: "B SUBMITTED" },
        ],
      },
      subject,
    );
    expect(await clock.set("2026-01-20")).toMatchObject({ now: "2026-01-20T00:00:00.000Z" });
    await clock.previous();
    const { now, undone, speed } = await clock.previous();
    expect([now, undone.length, speed]).toEqual([first, 1, 100_000]);
    await expect(sandbox.clock.previous()).rejects.toMatchObject({
      code: "conflict",
      message: `1ms before ${first} is before the year 0000`,
    });
    await clock.set({ now: first, speed: 0 });
    await expect(clock.previous()).rejects.toMatchObject({ code: "conflict" });
    expect(await clock.get()).toEqual({ now: first, speed: 0 });
  });

  test("the timeline is filtered by time, investment and run, and limited to the changes nearest to an instant", async () => {
    const sandbox = await openControl();
    await sandbox.play(scenario, subject);
    await sandbox.play({ steps: [{ after: "90m", event: "PROFILE SUBMITTED" }] }, { investment_id: known.closed });
    const investment = await sandbox.investments.create({ alias: "fresh", amount: 50, price: 5 });
    const allChanges = await sandbox.timeline();
    const dates = (changes: readonly ChangeDescription[]): string[] => changes.map(({ date }) => date.slice(11, 16));
    expect(dates(allChanges)).toEqual(["12:00", "13:00", "13:30", "14:00"]);
    const instantAt = (time: string): string => `2026-01-15T${time}:00Z`;
    for (const [filter, expectedIndexes] of [
      [{}, [0, 1, 2, 3]],
      [{ from: instantAt("13:00") }, [1, 2, 3]],
      [{ to: instantAt("13:30") }, [0, 1, 2]],
      [{ from: instantAt("13:00"), to: instantAt("13:59") }, [1, 2]],
      [{ from: instantAt("15:00") }, []],
      [{ limit: 1 }, [0]],
      [{ limit: 0 }, []],
      [{ from: instantAt("12:30"), limit: 1 }, [1]],
      [{ to: instantAt("13:45"), limit: 2 }, [1, 2]],
      [{ to: instantAt("13:45"), limit: 0 }, []],
      [{ from: instantAt("12:30"), to: instantAt("13:45"), limit: 1 }, [1]],
      [{ investment_id: known.whole.toUpperCase() }, [1, 3]],
      [{ investment_id: known.closed }, [2]],
      [{ investment_id: "fresh" }, [0]],
      [{ offering_id: "aurora" }, [0, 1, 2, 3]],
      [{ offering_id: known.borealis }, []],
      [{ run: "run-2" }, [2]],
      [{ run: "run-1", to: instantAt("13:00") }, [1]],
    ] as const) {
      expect(await sandbox.timeline(filter), JSON.stringify(filter)).toEqual(
        expectedIndexes.map((index) => allChanges[index]),
      );
    }
    // Changes of an investment are listed even at an instant before its creation.
    await sandbox.clock.set("2026-01-01");
    for (const investment_id of ["fresh", investment.id]) {
      expect(await sandbox.timeline({ investment_id })).toMatchObject([{ kind: "new_investment" }]);
    }
    await expect(sandbox.timeline({ run: "run-9" })).rejects.toThrow('There is no run "run-9". Did you mean "run-1"?');
    await expect(sandbox.timeline({ investment_id: "unknown" })).rejects.toThrow('There is no investment "unknown".');
    await expect(sandbox.timeline({ offering_id: "auora" })).rejects.toThrow('Did you mean "aurora"?');
    await sandbox.clock.set("2026-01-15T15:00:00Z");
    const { id } = await sandbox.keys.issue({ type: "partner", offering_id: "borealis" });
    await sandbox.clock.advance("1h");
    await sandbox.keys.revoke(id);
    await sandbox.investments.change("elsewhere", { step: null });
    const kinds = (await sandbox.timeline({ offering_id: "borealis" })).map(({ kind }) => kind);
    expect(kinds).toEqual(["new_key", "key", "investment"]);
    expect(await sandbox.histogram({ offering_id: "borealis" })).toMatchObject({ total: 3, applied: 3, next: null });
    await expect(sandbox.timeline({ form: present } as object)).rejects.toThrow('Did you mean "from"?');
    await expect(sandbox.histogram({ buckets: 0 })).rejects.toThrow("buckets: expected an integer from 1 to 1000");
  });
});
