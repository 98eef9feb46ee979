import fc from "fast-check";
import { expect, test } from "vitest";
import { FaultUses } from "../../src/environment/faults.ts";
import type { Fault } from "../../src/model/change.ts";
import { formatInstant } from "../../src/model/instant.ts";
import { present } from "../support/small-dataset.ts";

test("a request meets the first fault in force with remaining uses, whatever the order of instants", () => {
  const at = (seconds: number): string => formatInstant(Date.parse(present) + seconds * 1000);
  const faults = fc.array(
    fc.record({ from: fc.nat(6), length: fc.option(fc.nat(4)), times: fc.option(fc.integer({ min: 1, max: 2 })) }),
    { maxLength: 4 },
  );
  const acts = fc.array(fc.record({ second: fc.nat(10), forget: fc.option(fc.nat(3), { freq: 9 }) }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(faults, acts, (rules, steps) => {
      const state = {
        faultRevision: 0,
        faults: rules.map(({ from, length, times }, index): Fault => ({
          id: `fault-${index}`,
          rule: { delay: "1s", ...(times === null ? {} : { times }) },
          from: at(from),
          until: length === null ? null : at(from + length),
        })),
      };
      const uses = new FaultUses(1);
      const remaining = rules.map(({ times }) => times ?? Infinity);
      for (const { second, forget } of steps) {
        if (forget !== null) {
          // Removes the fault's uses and changes the revision, as a removal does.
          uses.forget(`fault-${forget}`);
          state.faultRevision += 1;
          remaining[forget] = rules[forget]?.times ?? Infinity;
        }
        const isActive = rules.map(({ from, length }, index) => {
          return from <= second && second < from + (length ?? Infinity) && (remaining[index] ?? 0) > 0;
        });
        expect(state.faults.map((fault) => uses.isActive(fault, at(second)))).toEqual(isActive);
        const met = uses.meet({ path: "/", method: "GET", key_id: null }, { now: at(second), state } as never);
        const expectedIndex = isActive.indexOf(true);
        expect(met?.fault.id).toBe(expectedIndex < 0 ? undefined : `fault-${expectedIndex}`);
        if (expectedIndex >= 0) remaining[expectedIndex] = (remaining[expectedIndex] ?? 0) - 1;
      }
    }),
  );
});
