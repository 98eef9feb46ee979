import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CompletedInvestment, SparseInvestment } from "../../src/fixture/schema.ts";
import { ValidationError } from "../../src/validation/errors.ts";
import { checkScenario } from "../../src/scenario/parse.ts";
import { dryRun } from "../../src/scenario/dry-run.ts";
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
    return checkScenario(document);
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
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

test("the states foretold for a new investment are those of every play", async () => {
  const { sandbox } = await openSandbox();
  let comparisons = 0;
  await fc.assert(
    fc.asyncProperty(
      contradictoryInvestments as fc.Arbitrary<SparseInvestment>,
      fc.array(step as fc.Arbitrary<object>, { minLength: 1, maxLength: 3 }),
      async (sparse, steps) => {
        const { create_date: _, modify_date: __, ...investment } = JSON.parse(JSON.stringify(sparse));
        const dated = [...(investment.payments ?? []), ...(investment.events ?? [])];
        for (const resource of dated) for (const name of ["create_date", "modify_date"]) delete resource[name];
        // What a payment omits is drawn in each play.
        for (const payment of investment.payments ?? [])
          Object.assign(payment, { amount: 5, status: "pending", ...payment });
        // A scenario with a signature of an unknown person is refused.
        const scenario = checked({ investment, steps });
        if (!scenario) return fc.pre(false);
        // The second play draws other random values.
        for (let time = 0; time < 2; time++) {
          const run = await sandbox.play({ investment, steps }).catch(() => undefined);
          fc.pre(run !== undefined);
          const id = run?.investment_ids[0] ?? "";
          const now = (await sandbox.investments.change(id, { expedited: true })) as unknown as CompletedInvestment;
          const signed = now.signing_parties.filter((party) => party.signed).length;
          expect(dryRun(scenario).states.at(-1)).toEqual({
            status: now.status,
            step: String(now.step),
            paid: String(now.paid_amount),
            signed: signed === now.signing_parties.length ? "everybody" : signed > 0 ? "somebody" : "nobody",
            offering: null,
          });
          comparisons++;
        }
      },
    ),
    { numRuns: 40, examples: [sameAddress] },
  );
  expect(comparisons).toBeGreaterThan(60);
});

test("of an existing investment, only what a step sets is foretold", () => {
  const steps = [
    { investment: { status: "PENDING", paid_amount: 10 }, sign: "investors" },
    { payment: { amount: 5, status: "succeeded" }, sign: [1, 2], offering: { status: "ACTIVE" } },
    { sign: "all", investment: { step: null } },
  ];
  const before = { status: null, step: null, paid: null, signed: null, offering: null };
  const second = { ...before, status: "PENDING", offering: "ACTIVE" };
  expect(dryRun(checkScenario({ investment: "whole", steps })).states).toEqual([
    before,
    { ...before, status: "PENDING", paid: "10" },
    second,
    { ...second, step: "null", signed: "everybody" },
  ]);
});
