import { about, type Finding } from "../../model/finding.ts";
import type { Members } from "../../model/members.ts";
import { effects } from "../schema/effects.ts";
import { step as stepSchema, triggers } from "../schema/step.ts";

const triggerNames = Object.keys(triggers.shape);
const effectNames = Object.keys(effects.shape);
const memberNames = Object.keys(stepSchema.shape);

/** Finds that a step has more than one trigger, or that it does nothing. */
export function* stepMistakes(step: Members, index: number): Generator<Finding> {
  const path = ["steps", index];
  const [first, ...others] = Object.keys(step).filter((name) => triggerNames.includes(name));
  for (const other of others) {
    yield {
      ...about(path, `has the triggers ${first} and ${other}; expected one trigger.`),
      path: [...path, other],
      at: "name",
    };
  }
  // A misspelt effect is said to be one already.
  const names = Object.keys(step);
  if (names.every((name) => memberNames.includes(name) && !effectNames.includes(name))) {
    yield about(
      path,
      `does nothing; expected an effect: ${new Intl.ListFormat("en", { type: "disjunction" }).format(effectNames)}.`,
    );
  }
}
