import * as fc from "fast-check";
import { expect, test } from "vitest";
import { completeFile } from "../../src/fixture/check.ts";
import { contradictions, unseenValues } from "../../src/fixture/mistakes/contradictions.ts";
import type { SparseInvestment } from "../../src/fixture/schema.ts";
import { FileMistakes } from "../../src/model/mistakes.ts";
import { checkScenario, examineScenario } from "../../src/scenario/parse.ts";
import { contradictoryInvestments, sparseInvestments } from "../fixture/sparse-fixtures.ts";

// Each mistake and each warning stands in `test/mistakes/scenarios`.

test("a document without lines has mistakes with paths of members", () => {
  const message =
    'steps[2].after is "soon"; expected a duration such as 90s, 1h30m or 2d, or a span such as 1d..3d, the shorter one first.';
  const document = { steps: [{ event: "A B" }, { sign: "all" }, { after: "soon", event: "A B" }] };
  expect(() => checkScenario(document)).toThrow(message);
  expect(examineScenario(document)).toEqual({ mistakes: [{ line: 1, column: 1, message }], warnings: [] });
  expect(checkScenario({ steps: [{ event: "PAYMENT SUBMITTED" }] }).scenario.name).toBe("inline");
});

/** Warnings without the investment's place, and without an amount that may be random. */
function withoutPlace(warnings: Iterable<{ readonly message: string }>): string[] {
  return Array.from(warnings, ({ message }) =>
    message
      .replace(/^(?:offerings\[0\]\.investments\[0\]|investment)\./, "")
      .replace(/(?<=outstanding: ).* of .*(?= is paid)/, "some"),
  ).toSorted();
}

/** The warnings of a fixture with the investment, at a present after every date; undefined if it is refused. */
async function warnedOfInFixture(investment: SparseInvestment): Promise<string[] | undefined> {
  const begins = { create_date: "2001-01-02T00:00:00.000Z", status: "PENDING", step: null, payments: [], events: [] };
  const offering = { create_date: "2001-01-01T00:00:00.000Z", investments: [{ ...begins, ...investment }] };
  const text = JSON.stringify({ now: "2040-01-01T00:00:00.000Z", offerings: [offering] });
  const file = { name: "one", path: "one.json", shipped: false };
  try {
    const content: unknown = JSON.parse(text);
    const fixture = await completeFile(file, { text, content }, { investmentStatuses: "any" });
    return withoutPlace([...contradictions(fixture), ...unseenValues(fixture)]);
  } catch (error) {
    if (!(error instanceof FileMistakes)) throw error;
    return undefined;
  }
}

/** Whether warnings depend on random values: a random date beside contradictory ones, or a random amount paid in full. */
function dependsOnChance({ payments = [], events = [], ...stated }: SparseInvestment): boolean {
  const { modify_date, status, paid_amount, amount, price } = stated;
  const dates = [
    ...payments.flatMap((one) => [one.create_date, one.modify_date]),
    ...events.map((one) => one.create_date),
  ];
  const isLate = dates.some((date) => date !== undefined && modify_date !== undefined && date > modify_date);
  const isPaid = status === "CLOSED" && paid_amount !== undefined && (amount ?? price) === undefined;
  return (isLate && dates.includes(undefined)) || isPaid;
}

test("a scenario has the same warnings for an investment as a fixture", async () => {
  const counts = { warned: 0, fine: 0 };
  await fc.assert(
    fc.asyncProperty(fc.oneof(contradictoryInvestments, sparseInvestments), async (sparse) => {
      const investment = JSON.parse(JSON.stringify(sparse)) as SparseInvestment;
      fc.pre(!dependsOnChance(investment));
      const fixtureWarnings = await warnedOfInFixture(investment);
      fc.pre(fixtureWarnings !== undefined);
      const { warnings } = checkScenario({ investment, steps: [{ offering: { name: "Aurora" } }] });
      expect(withoutPlace(warnings)).toEqual(fixtureWarnings);
      counts[warnings.length > 0 ? "warned" : "fine"]++;
    }),
    { numRuns: 80 },
  );
  expect(Math.min(counts.warned, counts.fine)).toBeGreaterThan(10);
});
