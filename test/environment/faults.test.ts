import fc from "fast-check";
import { expect, test } from "vitest";
import { FaultUses } from "../../src/environment/faults.ts";
import type { Fault } from "../../src/model/change.ts";
import { formatInstant } from "../../src/model/instant.ts";
import { present } from "../support/small-dataset.ts";

test("the fault that a request meets is the first in force that is not used up, in whatever order time passes", () => {
  const at = (seconds: number): string => formatInstant(Date.parse(present) + seconds * 1000);
  const faults = fc.array(
    fc.record({ from: fc.nat(6), length: fc.option(fc.nat(4)), times: fc.option(fc.integer({ min: 1, max: 2 })) }),
    { maxLength: 4 },
  );
  const acts = fc.array(fc.record({ second: fc.nat(10), forget: fc.option(fc.nat(3), { freq: 9 }) }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(faults, acts, (given, taken) => {
      const state = {
        faultRevision: 0,
        faults: given.map(({ from, length, times }, index): Fault => ({
          id: `fault-${index}`,
          rule: { delay: "1s", ...(times === null ? {} : { times }) },
          from: at(from),
          until: length === null ? null : at(from + length),
        })),
      };
      const uses = new FaultUses(1);
      const left = given.map(({ times }) => times ?? Infinity);
      for (const { second, forget } of taken) {
        if (forget !== null) {
          // As on removal: without the fault, and with another revision.
          uses.forget(`fault-${forget}`);
          state.faultRevision += 1;
          left[forget] = given[forget]?.times ?? Infinity;
        }
        const isActive = given.map(({ from, length }, index) => {
          return from <= second && second < from + (length ?? Infinity) && (left[index] ?? 0) > 0;
        });
        expect(state.faults.map((fault) => uses.isActive(fault, at(second)))).toEqual(isActive);
        const met = uses.meet({ path: "/", method: "GET", key_id: null }, { now: at(second), state } as never);
        const expected = isActive.indexOf(true);
        expect(met?.fault.id).toBe(expected < 0 ? undefined : `fault-${expected}`);
        if (expected >= 0) left[expected] = (left[expected] ?? 0) - 1;
      }
    }),
  );
});
