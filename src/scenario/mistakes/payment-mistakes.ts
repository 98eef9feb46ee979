import { about, type Finding } from "../../model/finding.ts";
import { isMembers, type Members } from "../../model/members.ts";
import { didYouMean } from "../../model/nearest.ts";

/**
 * Finds payments that are new and have no amount. A payment is new when no earlier step has one of its alias; so a misspelt
 * alias is found, as long as what it is misspelt in only changes a payment.
 */
export function* paymentMistakes(steps: readonly Members[]): Generator<Finding> {
  const known = new Set<string>();
  for (const [index, { payment }] of steps.entries()) {
    if (!isMembers(payment)) continue;
    const { alias, amount } = payment;
    const path = ["steps", index, "payment"];
    if (typeof alias === "string") {
      if (!known.has(alias) && amount === undefined) {
        const hint = didYouMean(alias, known);
        const named = JSON.stringify(alias.slice(0, 64));
        yield about(
          [...path, "alias"],
          `is ${named}, which no step before has; expected one that a step has, or an amount for a new payment.${hint}`,
        );
      }
      known.add(alias);
    } else if (amount === undefined) {
      yield about(path, "is new and has no amount; expected an amount, or the alias of a payment of a step before.");
    }
  }
}
