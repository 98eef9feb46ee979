import fc from "fast-check";
import type { FaultRule } from "../../src/public/control.ts";
import { known } from "../support/sandbox.ts";
import { addMinutes, people, start } from "./model.ts";

/** A scenario in the form of its file; durations are whole minutes, such as "5m". */
export interface Scenario {
  readonly offering?: string;
  readonly investment: string | object;
  readonly repeat?: { readonly count: number; readonly every: string };
  readonly steps: readonly Step[];
}

export interface Step {
  readonly after?: string;
  readonly at?: string;
  readonly next?: true;
  readonly after_reads?: number;
  readonly event?: string;
  readonly investment?: object;
  readonly payment?: { readonly alias: string; readonly amount?: number; readonly status?: string };
  readonly sign?: string;
  readonly offering?: { readonly name: string };
  readonly key?: { readonly revoke: string };
  readonly fault?: FaultRule & { readonly for: string };
}

/** Samples an index for `pickId`. */
export const anyIndex = fc.nat(5);

/** Picks an id by an index. Returns an unknown id for index 5 and for an empty list. */
export function pickId(ids: readonly string[], index: number): string {
  return (index === 5 ? undefined : ids[index % ids.length]) ?? known.unknown;
}

export const instant = fc.constantFrom(-60, 0, 10, 20, 60, 90, 180).map((minutes) => addMinutes(start, minutes));
export const minute = fc.constantFrom(0, 1, 5, 10, 20, 60);
export const attributes = fc.constantFrom({ status: "CLOSED" }, { step: "SIGNERS" }, { step: null });

const paths = ["/investments/:id", "/offerings/**", "/investments/:id/events"];
const rule: fc.Arbitrary<FaultRule> = fc.record(
  {
    match: fc.constantFrom({}, ...paths.map((path) => ({ path }))),
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

const payment = fc.record(
  {
    alias: fc.constantFrom("card", "constructor"),
    amount: fc.constantFrom(10, 0.1),
    status: fc.constantFrom("succeeded", "failed"),
  },
  { requiredKeys: ["alias", "amount"], noNullPrototype: true },
);
const trigger: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: minute.map((after) => ({ after: `${after}m` })) },
  { weight: 1, arbitrary: fc.constantFrom({ at: "60m" }, { at: "90m" }) },
  { weight: 3, arbitrary: fc.constant({ next: true as const }) },
  { weight: 3, arbitrary: fc.constantFrom({ after_reads: 1 }, { after_reads: 2 }) },
);
const effect: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ event: "PAYMENT SUBMITTED" }) },
  { weight: 3, arbitrary: attributes.map((investment) => ({ investment })) },
  { weight: 3, arbitrary: payment.map((value) => ({ payment: value })) },
  { weight: 2, arbitrary: fc.constant({ sign: "all" }) },
  { weight: 2, arbitrary: fc.constantFrom("One", "Other").map((name) => ({ offering: { name } })) },
  { weight: 1, arbitrary: fc.constantFrom("partner", "marketing", "mine").map((revoke) => ({ key: { revoke } })) },
  { weight: 1, arbitrary: rule.map((value) => ({ fault: { ...value, for: "10m" } })) },
);
const step = fc
  .tuple(trigger, fc.array(effect, { minLength: 1, maxLength: 3 }))
  .map(([when, effects]): Step => Object.assign({}, when, ...effects));

export const steps = fc.array(step, { minLength: 1, maxLength: 4 });

/** A scenario with new investments. */
export const scenario: fc.Arbitrary<Scenario> = fc.record(
  {
    steps,
    investment: fc.constant({ amount: 100, ...people }),
    offering: fc.constantFrom(known.aurora, known.borealis),
    repeat: fc.integer({ min: 2, max: 3 }).map((count) => ({ count, every: "10m" })),
  },
  { requiredKeys: ["steps", "investment"], noNullPrototype: true },
);
