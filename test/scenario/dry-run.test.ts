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

function parseIfValid(document: object): Scenario | undefined {
  try {
    return checkScenario(document);
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}

/** Two investors share an address, which completion gives to the party without an address too. */
const sameAddress: [SparseInvestment, object[]] = [
  {
    investors: [{ email: "bob@example.com" }, { email: "bob@example.com" }],
    signing_parties: [{ status: "signed" }, { email: "bob@example.com" }],
  },
  [{ sign: "bob@example.com" }],
];

test("the last state in a dry run of a new investment is that of every play", async () => {
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
        // Each play samples what a payment omits.
        for (const payment of investment.payments ?? [])
          Object.assign(payment, { amount: 5, status: "pending", ...payment });
        // A scenario with a signature of an unknown person is refused.
        const scenario = parseIfValid({ investment, steps });
        if (!scenario) return fc.pre(false);
        // The second play samples other values.
        for (let play = 0; play < 2; play++) {
          const run = await sandbox.play({ investment, steps }).catch(() => undefined);
          fc.pre(run !== undefined);
          const id = run?.investment_ids[0] ?? "";
          const playedInvestment = (await sandbox.investments.change(id, {
            expedited: true,
          })) as unknown as CompletedInvestment;
          const signed = playedInvestment.signing_parties.filter((party) => party.signed).length;
          expect(dryRun(scenario).states.at(-1)).toEqual({
            status: playedInvestment.status,
            step: String(playedInvestment.step),
            paid: String(playedInvestment.paid_amount),
            signed:
              signed === playedInvestment.signing_parties.length ? "everybody" : signed > 0 ? "somebody" : "nobody",
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

test("a dry run on an existing investment knows only the values that its steps set", () => {
  const steps = [
    { investment: { status: "PENDING", paid_amount: 10 }, sign: "investors" },
    { payment: { amount: 5, status: "succeeded" }, sign: [1, 2], offering: { status: "ACTIVE" } },
    { sign: "all", investment: { step: null } },
  ];
  const initialState = { status: null, step: null, paid: null, signed: null, offering: null };
  const secondState = { ...initialState, status: "PENDING", offering: "ACTIVE" };
  expect(dryRun(checkScenario({ investment: "whole", steps })).states).toEqual([
    initialState,
    { ...initialState, status: "PENDING", paid: "10" },
    secondState,
    { ...secondState, step: "null", signed: "everybody" },
  ]);
});
