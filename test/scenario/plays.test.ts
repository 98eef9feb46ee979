import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Environment } from "../../src/public/control.ts";
import { shippedScenarios } from "../../src/scenario/load.ts";
import { writtenForm } from "../../src/scenario/scenario.ts";
import { caseCount } from "../support/case-count.ts";
import { openSandbox } from "../support/sandbox.ts";
import { read } from "../support/sandboxes.ts";

const emails = ["ada@example.com", "bob@example.com", "issuer@example.com"] as const;
const email = fc.constantFrom(...emails);
const flag = fc.boolean();

/** An object with some of the members. */
function some<Model extends object>(model: { [Name in keyof Model]: fc.Arbitrary<Model[Name]> }) {
  return fc.record(model, { requiredKeys: [] });
}

const person = some({ email, is_signer: flag });
const party = some({ email, signed: flag, countersigner: flag });
const money = fc.constantFrom(0.01, 10, 2500, 5000, 1_000_000);
const paymentStatus = fc.constantFrom("succeeded", "pending", "failed");

const investment = some({
  amount: money,
  price: fc.constantFrom(0.5, 10, 100),
  quantity: fc.constantFrom(0, 1, 12.5, 1000),
  status: fc.constantFrom("PENDING", "CLOSED"),
  step: fc.constantFrom(null, "SIGNERS"),
  investors: fc.array(person, { maxLength: 3 }),
  signing_parties: fc.array(party, { maxLength: 3 }),
  payments: fc.array(some({ amount: money, status: paymentStatus }), { maxLength: 2 }),
});

const duration = fc.constantFrom("0s", "1m", "2h", "1d", "30d", "1h..3d");
const trigger = fc.oneof(
  { weight: 4, arbitrary: fc.record({ after: duration }) },
  fc.record({
    at: fc.oneof(duration, fc.constantFrom("2026-01-15T12:30:00Z", "2026-01-16..2026-01-18", "2020-01-01")),
  }),
  fc.record({ after_reads: fc.integer({ min: 1, max: 2 }) }),
  fc.constant({ next: true }),
);

const effectModel = {
  sign: fc.oneof(
    fc.constantFrom("all", "investors", "countersigners"),
    email,
    fc.integer({ min: 1, max: 3 }),
    fc.array(fc.oneof(email, fc.integer({ min: 1, max: 2 })), { minLength: 1, maxLength: 3 }),
  ),
  event: fc.constantFrom("PROFILE SUBMITTED", "PAYMENT APPROVED", ["SUBSCRIPTION SUBMITTED", "PAYMENT SUBMITTED"]),
  investment: some({
    status: fc.constantFrom("PENDING", "CLOSED"),
    quantity: fc.constant(7),
    investment_number: fc.constant(90),
  }),
  payment: some({
    alias: fc.constantFrom("wire", "card"),
    number: fc.integer({ min: 1, max: 2 }),
    amount: money,
    status: paymentStatus,
  }),
  investor: some({ email, is_kyc: flag }),
  offering: fc.record({ status: fc.constantFrom("ACTIVE", "CLOSED") }),
  key: fc.oneof(
    fc.record({
      issue: fc.record({ type: fc.constantFrom("marketing", "partner"), label: fc.constantFrom("new", "other") }),
    }),
    fc.record({ revoke: fc.constantFrom("marketing", "new") }),
  ),
  fault: fc.record({
    delay: fc.constantFrom(0, "1ms"),
    times: fc.constant(1),
    match: some({ key_id: fc.constantFrom("new", "other"), method: fc.constant("OPTIONS") }),
  }),
};

/** One effect of a step. */
const effect = fc.oneof(
  ...Object.entries(effectModel).map(([name, arbitrary]) =>
    (arbitrary as fc.Arbitrary<unknown>).map((value) => ({ [name]: value })),
  ),
);

const scenario = fc.record(
  {
    investment,
    repeat: some({ count: fc.integer({ min: 2, max: 6 }), every: duration, jitter: fc.constant("90m") }),
    steps: fc.array(
      fc.tuple(trigger, effect, effect).map((parts): object => Object.assign({}, ...parts)),
      { minLength: 1, maxLength: 5 },
    ),
  },
  { requiredKeys: ["steps"] },
);

const fixture = (seed: number) => ({
  seed,
  now: "2026-01-15T12:00:00.000Z",
  offerings: [{ alias: "aurora", create_date: "2025-01-01", investments: [{}, {}, { amount: 77 }] }],
});

/** Plays a scenario to its end, with reads and commands for the steps that wait. */
async function playOut(environment: Environment, document: object) {
  const { id } = await environment.play(document);
  for (;;) {
    await environment.clock.advance("4000d");
    const { status, investment_ids: ids } = await environment.runs.get(id);
    if (status !== "waiting" && status !== "running") break;
    for (const investmentId of ids) await read(environment, `/investments/${investmentId}`, environment.keys.partner);
    const { status: then } = await environment.runs.get(id);
    if (then === "waiting") await environment.runs.next(id);
  }
  return environment.runs.get(id);
}

const seeds = [1, 2];

/** Whether a scenario names keys only by their type, or by its own labels: the sandbox has no other keys. */
function namesItsKeys({ steps }: { readonly steps?: readonly WrittenStep[] }): boolean {
  const labels: (string | undefined)[] = [undefined, "marketing"];
  return (steps ?? []).every(({ key, fault }) => {
    labels.push(key?.issue?.label);
    return labels.includes(key?.revoke) && labels.includes(fault?.match?.key_id);
  });
}

interface WrittenStep {
  readonly key?: { readonly issue?: { readonly label?: string }; readonly revoke?: string };
  readonly fault?: { readonly match?: { readonly key_id?: string } };
}

test("a scenario without errors plays to its end under every seed and in every repetition", async () => {
  const { sandbox } = await openSandbox();
  const shipped = (await shippedScenarios())
    .filter(({ name }) => name !== "live-demo")
    .map((shippedScenario) => [writtenForm(shippedScenario)]);
  let played = 0;
  await fc.assert(
    fc.asyncProperty(scenario as fc.Arbitrary<object>, async (document) => {
      const { valid } = await sandbox.scenarios.check(document);
      fc.pre(valid && namesItsKeys(document));
      for (const seed of seeds) {
        const environment = await sandbox.openEnvironment({ fixture: fixture(seed) });
        const run = await playOut(environment, document);
        expect(run).toMatchObject({ status: "finished", problem: null });
        await environment.close();
      }
      played++;
    }),
    { numRuns: caseCount(75), examples: shipped as [object][] },
  );
  expect(played).toBeGreaterThan(200);
});
