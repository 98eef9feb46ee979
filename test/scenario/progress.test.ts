import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CompletedInvestment, SparseInvestment } from "../../src/fixture/schema.ts";
import { Mistake } from "../../src/model/mistakes.ts";
import { cost, sum } from "../../src/model/money.ts";
import { checkScenario } from "../../src/scenario/parse.ts";
import { progressOf } from "../../src/scenario/progress.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { contradictoryInvestments } from "../fixture/sparse-fixtures.ts";
import { openSandbox } from "../support/sandbox.ts";

const step = fc
  .record(
    {
      sign: fc.constantFrom("all", "ada@example.com", "bob@example.com"),
      payment: fc.record({
        amount: fc.constantFrom(5, 10),
        status: fc.constantFrom("succeeded", "pending"),
        alias: fc.constantFrom("card", "wire"),
      }),
      event: fc.constantFrom("PAYMENT SUBMITTED", "PAYMENT APPROVED"),
      investment: fc.record(
        { status: fc.constantFrom("PENDING", "CLOSED"), step: fc.constant(null), amount: fc.constantFrom(10, 20) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  )
  .map((effects) => (Object.keys(effects).length > 0 ? effects : { event: "PROFILE SUBMITTED" }));

function checked(document: object): Scenario | undefined {
  try {
    return checkScenario(document).scenario;
  } catch (error) {
    if (error instanceof Mistake) return undefined;
    throw error;
  }
}

/** Two investors share an address, which completion also gives to the party without one. */
const sameAddress: [SparseInvestment, object[]] = [
  {
    investors: [{ email: "bob@example.com" }, { email: "bob@example.com" }],
    signing_parties: [{ status: "signed" }, { email: "bob@example.com" }],
  },
  [{ sign: "bob@example.com" }],
];

test("the predicted progress of a scenario holds when it is played", async () => {
  const { sandbox } = await openSandbox();
  let comparisons = 0;
  await fc.assert(
    fc.asyncProperty(
      contradictoryInvestments as fc.Arbitrary<SparseInvestment>,
      fc.array(step as fc.Arbitrary<object>, { minLength: 1, maxLength: 3 }),
      async (sparse, steps) => {
        const { create_date: _, modify_date: __, ...investment } = JSON.parse(JSON.stringify(sparse));
        const dated = [...(investment.payments ?? []), ...(investment.events ?? [])];
        for (const one of dated) for (const name of ["create_date", "modify_date"]) delete one[name];
        // A scenario with a signature of an unknown person is refused.
        const scenario = checked({ investment, steps });
        if (!scenario) return fc.pre(false);
        // The second play draws other random values.
        for (let time = 0; time < 2; time++) {
          const run = await sandbox.play({ investment, steps }).catch(() => undefined);
          fc.pre(run !== undefined);
          const id = run?.investment_ids[0] ?? "";
          const now = (await sandbox.investments.change(id, { expedited: true })) as unknown as CompletedInvestment;
          const real: Readonly<Record<string, unknown>> = {
            status: now.status,
            step: now.step,
            amount: now.amount,
            paid: now.paid_amount,
            product: cost(now.price, now.quantity),
            succeeded: sum(now.payments.map(({ amount, status }) => (status === "succeeded" ? amount : 0))),
            pending: now.payments.some(({ status }) => status === "pending"),
            unsigned: now.signing_parties.some(({ signed }) => !signed),
            approved: now.events.some(({ event, action }) => `${event} ${action}` === "PAYMENT APPROVED"),
          };
          for (const [name, value] of Object.entries(progressOf(scenario).at(-1) ?? {})) {
            if (!(name in real) || value === undefined) continue;
            expect({ [name]: real[name] }).toEqual({ [name]: value });
            comparisons++;
          }
        }
      },
    ),
    { numRuns: 40, examples: [sameAddress] },
  );
  expect(comparisons).toBeGreaterThan(60);
});
