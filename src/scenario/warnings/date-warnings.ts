import { about, type Finding, type Path } from "../../model/finding.ts";
import type { Scenario, ScenarioEffect } from "../scenario.ts";

/** Finds dates before the creation of what they belong to, where that is written. */
export function* dateWarnings({ investment, steps }: Scenario): Generator<Finding> {
  let created = typeof investment === "string" ? undefined : investment.create_date;
  for (const [index, { trigger, effects }] of steps.entries()) {
    if (trigger.kind === "at" && "instant" in trigger) yield* early(["steps", index, "at"], trigger.instant, created);
    for (const effect of effects) {
      if (effect.kind === "investment") created = effect.attributes.create_date ?? created;
      yield* inEffect(effect, ["steps", index, effect.kind], created);
    }
  }
}

function* inEffect(effect: ScenarioEffect, path: Path, created: string | undefined): Generator<Finding> {
  if (effect.kind !== "investment" && effect.kind !== "payment" && effect.kind !== "offering") return;
  const { create_date, modify_date } = effect.attributes;
  const around = effect.kind === "payment" ? created : undefined;
  yield* early([...path, "create_date"], create_date, around);
  yield* early(
    [...path, "modify_date"],
    modify_date,
    create_date ?? (effect.kind === "offering" ? undefined : created),
  );
}

function* early(path: Path, date: string | undefined, created: string | undefined): Generator<Finding> {
  if (date === undefined || created === undefined || date >= created) return;
  yield about(path, `is before the creation, ${created}.`);
}
