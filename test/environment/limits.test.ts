import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Limits } from "../../src/environment/limits.ts";

describe("a limit", () => {
  test("sliding: a request costs the same for any limit, and a window has at most 1,000 moments", () => {
    const limits = new Limits(1_000_000, "sliding");
    limits.set("key", 999_000);
    // Counting every request of the window each time would take minutes.
    const over: number[] = [];
    for (let request = 1; request <= 200_000; request++) {
      if (limits.hit("key", Math.floor(request / 3)).used > 1_000_000) over.push(request);
    }
    expect([over[0], over.at(-1), over.length]).toEqual([1001, 179_999, 178_999]);
    expect(limits.uses(66_666)[0]?.requests.length).toBe(60);
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
          if (act === "set") for (const windows of [copied, limits]) windows.set("key", wait % 5);
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
