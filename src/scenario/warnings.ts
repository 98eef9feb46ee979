import { unseenEvent, unseenIn, unseenOfferingStatus, unseenState } from "../fixture/mistakes/unseen.ts";
import { doubtfulMember } from "../model/fault.ts";
import { findingAt, type Finding, type Path, notInSpecification } from "../mistakes/mistakes.ts";
import type { Scenario } from "./scenario.ts";
import type { WrittenScenario } from "./schema.ts";
import type { ScenarioEffect } from "./step-effects.ts";

/** The longest duration in milliseconds that may be meant in another unit. */
const suspiciouslyShort = 999;

/** Finds durations that are a small number without a unit, which means milliseconds. */
export function* numberWarnings({ repeat, steps }: WrittenScenario): Generator<Finding> {
  const places: readonly (readonly [Path, unknown])[] = [
    [["repeat", "every"], repeat?.every],
    ...steps.flatMap(({ after, at, fault }, index): [Path, unknown][] => [
      [["steps", index, "after"], after],
      [["steps", index, "at"], at],
      [["steps", index, "fault", "for"], fault?.for],
    ]),
  ];
  for (const [path, value] of places) {
    const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
    if (typeof number === "number" && number > 0 && number <= suspiciouslyShort)
      yield findingAt(
        path,
        `is ${number} milliseconds; write ${number}ms if so, or another unit: ${number}s, ${number}m.`,
      );
  }
}

/** Finds faults that apply to no request, and values that the specification does not show (sections 3 and 6). */
export function* effectWarnings({ investment, steps }: Scenario): Generator<Finding> {
  if (typeof investment !== "string") yield* unseenIn(investment, ["investment"]);
  for (const [index, { effects }] of steps.entries()) {
    for (const effect of effects) yield* warningsOf(effect, ["steps", index, effect.kind]);
  }
}

function* warningsOf(effect: ScenarioEffect, path: Path): Generator<Finding> {
  if (effect.kind === "investment") yield* unseenState(effect.attributes, path);
  if (effect.kind === "offering" && effect.attributes.status !== undefined)
    yield* unseenOfferingStatus(effect.attributes.status, [...path, "status"]);
  if (effect.kind === "event") {
    yield* unseenEvent(effect, path);
    if (effect.description !== null) yield notInSpecification(path, effect.description, ["a description of null"]);
  }
  if (effect.kind === "fault") {
    const [name, reason] = doubtfulMember(effect.fault) ?? [];
    if (name !== undefined && reason !== undefined) yield findingAt([...path, ...name.split(".")], reason);
  }
}
