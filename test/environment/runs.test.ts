import { describe, expect, test } from "vitest";
import { Environment } from "../../src/environment/environment.ts";
import { formatInstant } from "../../src/time/instant.ts";
import type { Step } from "../../src/scenario/scenario.ts";
import { stopMachineTime } from "../support/machine-time.ts";
import { configOf, present, smallDataset } from "../support/small-dataset.ts";

const dataset = smallDataset(3);

describe("runs", () => {
  test("never let a repetition begin before the previous one, however large the jitter", async () => {
    const environment = new Environment(configOf(dataset));
    const { runs } = environment.internals;
    await runs.prepare();
    const trigger = { kind: "after", by: 0 } as const;
    const run = runs.play(
      {
        name: "jittery",
        title: "jittery",
        description: "",
        offering: null,
        investment: {},
        repeat: { count: 50, every: 10, jitter: 5000 },
        steps: [{ trigger, effects: [{ kind: "offering", attributes: { status: "ACTIVE" } }] }],
      },
      {},
    );
    environment.internals.clock.set({ now: formatInstant(Date.parse(present) + 20_000) });
    await environment.whenCaughtUp(() => undefined);
    const starts = run.repetitions.map((repetition) => repetition.start);
    expect(starts).toHaveLength(50);
    expect(starts).toEqual(starts.toSorted());
  });

  test("yield to other work while thousands of repetitions begin, but not after each, and begin each once", async () => {
    stopMachineTime(0.1);
    const environment = new Environment(configOf(dataset));
    const { runs, clock } = environment.internals;
    await runs.prepare();
    const recording: Step = {
      trigger: { kind: "after", by: 0 },
      effects: [{ kind: "event", event: "A", action: "B", description: null }],
    };
    const [name, description, offering] = ["many", "", null];
    const repeat = { count: 1000, every: 1, jitter: 0 };
    const run = runs.play({ name, title: name, description, offering, investment: {}, repeat, steps: [recording] }, {});
    clock.advance(1000);
    const [trackCounts, counts]: [Set<number>, number[]] = [new Set(), []];
    const whole = Promise.all(
      [1, 2].map(() => environment.whenCaughtUp(() => trackCounts.add(run.repetitions.length))),
    );
    for (let isPending = true; isPending;) {
      counts.push(run.repetitions.length);
      environment.read();
      expect(run.repetitions).toHaveLength(counts.at(-1) ?? 0);
      isPending = await Promise.race([whole.then(() => false), new Promise<true>((turn) => setImmediate(turn, true))]);
    }
    const largestBatch = Math.max(...counts.map((count, at) => count - (counts[at - 1] ?? 0)));
    expect(counts.length).toBeGreaterThan(3);
    expect(counts.length).toBeLessThan(500);
    expect(largestBatch).toBeLessThan(300);
    expect([...trackCounts]).toEqual([1000]);
    expect(new Set(run.repetitions.map((repetition) => repetition.investment_id)).size).toBe(1000);
  });
});
