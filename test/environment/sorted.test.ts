import fc from "fast-check";
import { expect, test } from "vitest";
import { Sorted } from "../../src/environment/sorted.ts";

/** Items are ordered by rank, then by their unique number. */
interface Item {
  readonly rank: number;
  readonly number: number;
  readonly version?: number;
}

const compare = (one: Item, other: Item): number => one.rank - other.rank || one.number - other.number;

const edit = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("add"), rank: fc.nat(20), count: fc.constantFrom(1, 100, 600) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("remove"), rank: fc.nat(20), count: fc.constantFrom(1, 100, 600) }),
  },
  fc.record({ kind: fc.constantFrom("move", "amend"), rank: fc.nat(20), count: fc.constantFrom(1, 300) }),
  fc.record({ kind: fc.constant("copy"), rank: fc.nat(1), count: fc.constant(0) }),
);

test("a list stays in order with each item once after any edits, and its copies do not change", () => {
  fc.assert(
    fc.property(fc.nat(1500), fc.array(edit, { minLength: 1, maxLength: 12 }), (length, edits) => {
      let next = 0;
      const item = (rank: number): Item => ({ rank, number: next++ });
      let items = Array.from({ length }, () => item((next * 7919) % 20));
      let sorted = Sorted.of(items, compare);
      const copies: [Sorted<Item>, readonly Item[]][] = [];
      for (const { kind, rank, count } of edits) {
        const selection =
          kind === "add"
            ? Array.from({ length: count }, () => item(rank))
            : items.filter((one) => one.rank >= rank).slice(0, count);
        if (kind === "copy") {
          const copy = sorted.copy();
          copies.push([rank === 0 ? sorted : copy, items]);
          if (rank === 0) sorted = copy;
        } else {
          const after = (one: Item): Item => ({ ...one, rank: kind === "move" ? 20 - one.rank : one.rank, version: 1 });
          const isChosen = new Set(selection);
          const others = items.filter((one) => !isChosen.has(one));
          const [before, put] = [
            kind === "add" ? [] : selection,
            kind === "remove" ? [] : kind === "add" ? selection : selection.map(after),
          ];
          for (let at = 0; at < selection.length; at++) sorted.replace(before[at], put[at]);
          items = [...others, ...put];
        }
      }
      for (const [list, expectedItems] of [...copies, [sorted, items] as const]) {
        const inOrder = expectedItems.toSorted(compare);
        expect(list.slice(0, Infinity)).toEqual(inOrder);
        expect([list.length, list.last]).toEqual([inOrder.length, inOrder.at(-1)]);
        for (const at of [0, 1, 255, 256, 257, 512, 700, inOrder.length]) {
          expect(list.slice(at, at + 300)).toEqual(inOrder.slice(at, at + 300));
          expect(list.position((one) => one.rank < at % 21)).toBe(inOrder.filter((one) => one.rank < at % 21).length);
        }
        expect(list.ordered(inOrder.toReversed())).toEqual(inOrder);
      }
    }),
    { numRuns: 15 },
  );
});
