import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Limits } from "../../src/environment/limits.ts";

describe("a limit", () => {
  test.each(["fixed", "sliding"] as const)("%s: a request after the announced wait is within the limit", (kind) => {
    const gaps = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(gaps, (waits) => {
        const limits = new Limits(5, kind);
        let time = 0;
        for (const wait of waits) {
          time += wait;
          const { used, resetsIn } = limits.hit("key", time);
          if (used <= 5) continue;
          expect(resetsIn).toBeGreaterThan(0);
          time += resetsIn;
          expect(limits.hit("key", time).used).toBeLessThanOrEqual(5);
        }
      }),
    );
  });

  test("sliding: a request is over the limit exactly when the last minute has that many requests", () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(gaps, (waits) => {
        const limits = new Limits(3, "sliding");
        const times: number[] = [];
        let time = 0;
        for (const wait of waits) {
          time += wait;
          const recent = times.filter((before) => before > time - 60_000).length;
          expect(limits.hit("key", time).used > 3).toBe(recent >= 3);
          times.push(time);
        }
      }),
    );
  });

  test("sliding: a request costs the same for any limit, and a window keeps at most one entry a millisecond", () => {
    const limits = new Limits(1_000_000, "sliding");
    limits.set("key", 999_000);
    // Counting every request of the window each time would take minutes.
    const over: number[] = [];
    for (let request = 1; request <= 200_000; request++) {
      if (limits.hit("key", Math.floor(request / 3)).used > 1_000_000) over.push(request);
    }
    expect([over[0], over.at(-1), over.length]).toEqual([1001, 179_999, 178_999]);
    expect(limits.uses(66_666)[0]?.requests.length).toBe(60_000);
  });

  test.each(["fixed", "sliding"] as const)("%s: continues unchanged from its plain data", (kind) => {
    const steps = fc.array(fc.tuple(fc.nat(40_000), fc.constantFrom("hit", "set", "copy")), { maxLength: 40 });
    fc.assert(
      fc.property(steps, (acts) => {
        let [copied, time, moved] = [new Limits(3, kind), 0, 0];
        const limits = new Limits(3, kind);
        for (const [wait, act] of acts) {
          time += wait;
          if (act === "hit") expect(copied.hit("key", time + moved)).toEqual(limits.hit("key", time));
          if (act === "set") for (const one of [copied, limits]) one.set("key", wait % 5);
          if (act !== "copy") continue;
          const uses = copied.uses(time + moved);
          moved += 1_000_000;
          copied = new Limits(3, kind, uses, time + moved);
          expect(copied.uses(time + moved)).toEqual(uses);
          expect(copied.read("key", time + moved)).toEqual(limits.read("key", time));
        }
      }),
    );
  });
});
