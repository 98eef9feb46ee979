import fc from "fast-check";
import { expect, test } from "vitest";
import { InvestmentList } from "../../src/environment/investment-list.ts";
import { compareByCreation, compareText } from "../../src/model/order.ts";
import type { InvestmentFields } from "../../src/model/resources.ts";
import { caseCount } from "../support/case-count.ts";

/** A head of which nothing but the order matters; several have the same dates. */
function head(number: number, created: number, modified = created): InvestmentFields {
  const [create_date, modify_date] = [`2026-01-${10 + created}`, `2026-02-${10 + modified}`];
  return { id: `id-${number}`, investment_number: number, create_date, modify_date } as InvestmentFields;
}

const edit = fc.record({
  kind: fc.constantFrom("add", "change", "read"),
  count: fc.constantFrom(1, 3, 700),
  modified: fc.nat(19),
});

test("each order has each investment once after any edits, and those of the dataset stay", () => {
  const byModification = (left: InvestmentFields, right: InvestmentFields): number =>
    compareText(left.modify_date, right.modify_date);
  fc.assert(
    fc.property(fc.nat(1500), fc.array(edit, { minLength: 1, maxLength: 10 }), (length, edits) => {
      const dataset = Array.from({ length }, (_, at) => head(at, (at * 7919) % 20));
      const list = InvestmentList.of(dataset).copy();
      const expected = new Map(dataset.map((investment) => [investment.id, investment]));
      const expectOrders = (): void => {
        const all = [...expected.values()].toSorted(compareByCreation);
        expect(list.length).toBe(all.length);
        expect(list.latest).toEqual(all.at(-1));
        expect(list.byCreation).toEqual(all);
        expect(list.inOrder("modify_date", byModification)).toEqual(all.toSorted(byModification));
      };
      let next = length;
      for (const { kind, count, modified } of edits) {
        for (const investment of kind === "change" ? [...expected.values()].slice(-count) : []) {
          const after = { ...investment, modify_date: head(0, 0, modified).modify_date };
          list.put(after, false);
          expected.set(investment.id, after);
        }
        const added = Array.from({ length: kind === "add" ? count : 0 }, () => head(next++, modified));
        for (const investment of added) {
          list.put(investment, true);
          expected.set(investment.id, investment);
        }
        if (kind === "read") expectOrders();
      }
      expectOrders();
      expect(InvestmentList.of(dataset).byCreation).toEqual(dataset.toSorted(compareByCreation));
    }),
    { numRuns: caseCount(8) },
  );
});
