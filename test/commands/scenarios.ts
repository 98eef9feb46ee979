import fc from "fast-check";
import type { FaultRule } from "../../src/control.ts";
import { known } from "../support/sandbox.ts";
import { place } from "./command.ts";
import type { Investment } from "./model.ts";

/** A scenario as a test writes it; durations are whole minutes, as "5m". */
export interface Scenario {
  readonly offering?: string;
  readonly investment: string | { readonly amount: number; readonly [member: string]: unknown };
  readonly repeat?: { readonly count: number; readonly every: string };
  readonly steps: readonly Step[];
}

export interface Step {
  readonly after?: string;
  readonly at?: string;
  readonly next?: true;
  readonly after_reads?: number;
  readonly event?: string;
  readonly investment?: Partial<Pick<Investment, "status" | "step">>;
  readonly payment?: { readonly alias: string; readonly amount?: number; readonly status?: string };
  readonly sign?: string;
  readonly offering?: { readonly name: string };
  readonly key?: { readonly revoke: string };
  readonly fault?: FaultRule & { readonly for: string };
}

export const investors = [{ email: "ada@example.com", tax_id: "666-12-3456" }];
export const signing_parties = [{ email: "ada@example.com" }, { email: "bob@example.org" }];

/** The persons of each investment that is made here. */
export const persons = { investors, signing_parties };

export const minute = fc.constantFrom(0, 1, 5, 10, 20, 60);

const rule: fc.Arbitrary<FaultRule> = fc.record(
  {
    match: fc.constantFrom(
      {},
      { path: "/investments/:id" },
      { path: "/offerings/**" },
      { path: "/investments/:id/events" },
    ),
    times: fc.integer({ min: 1, max: 2 }),
    respond: fc.constantFrom({ status: 503 }, { status: 200, body: "no document" }),
  },
  { requiredKeys: ["match", "respond"], noNullPrototype: true },
);
export const fault = fc.oneof(
  { weight: 3, arbitrary: rule },
  fc.constantFrom<FaultRule>(
    { connection: "reset", times: 1 },
    { connection: "empty", times: 1 },
    { delay: "1ms", times: 2 },
  ),
);

const trigger = fc.oneof(
  { weight: 3, arbitrary: minute.map((after) => ({ after: `${after}m` })) },
  { weight: 1, arbitrary: fc.constantFrom({ at: "60m" }, { at: "90m" }) },
  { weight: 3, arbitrary: fc.constant({ next: true as const }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 2 }).map((after_reads) => ({ after_reads })) },
);
const investment = fc.constantFrom({ status: "CLOSED" }, { step: "SIGNERS" }, { step: null });
const payment = fc.record(
  {
    alias: fc.constantFrom("card", "constructor"),
    amount: fc.constantFrom(10, 0.1),
    status: fc.constantFrom("succeeded", "failed"),
  },
  { requiredKeys: ["alias", "amount"], noNullPrototype: true },
);
const effect: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ event: "PAYMENT SUBMITTED" }) },
  { weight: 3, arbitrary: investment.map((attributes) => ({ investment: attributes })) },
  { weight: 3, arbitrary: payment.map((attributes) => ({ payment: attributes })) },
  { weight: 2, arbitrary: fc.constant({ sign: "all" }) },
  { weight: 2, arbitrary: fc.constantFrom({ offering: { name: "One" } }, { offering: { name: "Other" } }) },
  { weight: 1, arbitrary: fc.constantFrom("partner", "marketing", "mine").map((revoke) => ({ key: { revoke } })) },
  { weight: 1, arbitrary: rule.map((one) => ({ fault: { ...one, for: "10m" } })) },
);
const step = fc
  .tuple(trigger, fc.array(effect, { minLength: 1, maxLength: 3 }))
  .map(([when, effects]): Step => Object.assign({}, when, ...effects));
const steps = fc.array(step, { minLength: 1, maxLength: 4 });

export const scenario = fc.record(
  {
    steps,
    offering: fc.constantFrom(known.aurora, known.borealis),
    count: fc.integer({ min: 2, max: 3 }),
    existing: place,
  },
  { requiredKeys: ["steps"], noNullPrototype: true },
);
