import { about, type Finding } from "../../model/finding.ts";
import type { Scenario, Step } from "../scenario.ts";
import { standings, type Standing } from "../standing.ts";

/** Finds where what a scenario says does not agree with itself, step by step, as far as that can be known beforehand. */
export function* contradictions(scenario: Scenario): Generator<Finding> {
  const stands = standings(scenario);
  for (const [index, step] of scenario.steps.entries()) {
    const [before, after] = [stands[index], stands[index + 1]];
    if (!before || !after) continue;
    for (const [members, message] of disagreements(step, before, after))
      yield about(["steps", index, ...members], message);
  }
}

type Disagreement = readonly [members: readonly string[], message: string];

function* disagreements({ effects }: Step, before: Standing, after: Standing): Generator<Disagreement> {
  const sets = effects.find((effect) => effect.kind === "investment")?.attributes ?? {};
  if (sets.status === "CLOSED") yield* closing(after);
  if (sets.step === "SIGNERS" && after.signed === "everybody") {
    yield [["investment", "step"], "is SIGNERS although everybody has signed."];
  }
  const { paid, amount } = after;
  if (paid !== undefined && amount !== undefined && paid > amount && paid !== before.paid) {
    const member = sets.paid_amount === undefined ? ["payment"] : ["investment", "paid_amount"];
    yield [member, `brings what is paid to ${paid}; the investment is of ${amount}.`];
  }
  if (after.paid !== undefined) yield* payments(before, after);
}

function* closing({ amount, paid, signed, step, approved }: Standing): Generator<Disagreement> {
  const status = ["investment", "status"];
  if (paid !== undefined && (paid === 0 || paid < (amount ?? 0))) {
    yield [
      status,
      `is CLOSED with money outstanding: ${paid} of ${amount ?? "an amount that is not written"} is paid.`,
    ];
  }
  if (signed !== undefined && signed !== "everybody") yield [status, "is CLOSED although somebody has not signed."];
  if (step !== undefined && step !== null) yield [status, `is CLOSED in the step ${step}; null is expected.`];
  if (paid !== undefined && approved === 0) yield [status, "is CLOSED although no payment was approved."];
}

function* payments(before: Standing, after: Standing): Generator<Disagreement> {
  const succeeded = after.payments.filter(({ status }) => status === "succeeded").length;
  if (after.approved > before.approved && after.approved > succeeded) {
    yield [["event"], "is PAYMENT APPROVED without a payment that succeeded."];
  }
  if (after.submitted > before.submitted && after.submitted > after.payments.length) {
    yield [["event"], "is PAYMENT SUBMITTED without a payment."];
  }
}
