import { stateContradictions, unseenEvent, unseenState } from "../fixture/mistakes/contradictions.ts";
import { matchesPath } from "../model/fault.ts";
import { about, type Finding, type Path, unseen } from "../model/finding.ts";
import { operations } from "../model/operations.ts";
import { didYouMean } from "../model/text.ts";
import type { ScenarioEffect } from "./effects.ts";
import { type Progress, progressOf } from "./progress.ts";
import type { Scenario, Step } from "./scenario.ts";

/** Finds contradictions, step by step, as far as the scenario alone shows them. */
export function* contradictions(scenario: Scenario): Generator<Finding> {
  const states = progressOf(scenario);
  for (const [index, step] of scenario.steps.entries()) {
    const [before, after] = [states[index], states[index + 1]];
    if (!before || !after) continue;
    for (const [members, message] of contradictionsIn(step, before, after))
      yield about(["steps", index, ...members], message);
  }
}

type Contradiction = readonly [members: readonly string[], message: string];

function* contradictionsIn({ effects }: Step, before: Progress, after: Progress): Generator<Contradiction> {
  const sets = effects.find((effect) => effect.kind === "investment")?.attributes ?? {};
  const { paid, amount, signed, approved } = after;
  const state = {
    ...after,
    unsigned: signed && signed !== "everybody",
    approved: paid === undefined ? undefined : approved > 0,
  };
  for (const [member, message] of stateContradictions(state)) {
    if (sets[member] === after[member]) yield [["investment", member], message];
  }
  if (paid !== undefined && amount !== undefined && paid > amount && paid !== before.paid) {
    const member = sets.paid_amount === undefined ? ["payment"] : ["investment", "paid_amount"];
    yield [member, `raises the paid amount to ${paid}, more than the amount of ${amount}.`];
  }
  if (paid !== undefined) yield* payments(before, after);
}

function* payments(before: Progress, after: Progress): Generator<Contradiction> {
  const succeeded = after.payments.filter(({ status }) => status === "succeeded").length;
  if (after.approved > before.approved && after.approved > succeeded) {
    yield [["event"], "is PAYMENT APPROVED without a payment that succeeded."];
  }
  if (after.submitted > before.submitted && after.submitted > after.payments.length) {
    yield [["event"], "is PAYMENT SUBMITTED without a payment."];
  }
}

/** Finds dates before a stated creation. */
export function* dateWarnings({ investment, steps }: Scenario): Generator<Finding> {
  let created = typeof investment === "string" ? undefined : investment.create_date;
  for (const [index, { trigger, effects }] of steps.entries()) {
    if (trigger.kind === "at" && "instant" in trigger) yield* early(["steps", index, "at"], trigger.instant, created);
    for (const effect of effects) {
      if (effect.kind === "investment") created = effect.attributes.create_date ?? created;
      yield* earlyDates(effect, ["steps", index, effect.kind], created);
    }
  }
}

function* earlyDates(effect: ScenarioEffect, path: Path, created: string | undefined): Generator<Finding> {
  if (effect.kind !== "investment" && effect.kind !== "payment" && effect.kind !== "offering") return;
  const { create_date, modify_date } = effect.attributes;
  const since = effect.kind === "offering" ? undefined : created;
  yield* early([...path, "create_date"], create_date, effect.kind === "payment" ? created : undefined);
  yield* early([...path, "modify_date"], modify_date, create_date ?? since);
}

function* early(path: Path, date: string | undefined, created: string | undefined): Generator<Finding> {
  if (date === undefined || created === undefined || date >= created) return;
  yield about(path, `is before the creation, ${created}.`);
}

const operationPaths = operations.map(({ path }) => path);

/** Finds faults whose path matches no operation of the service. */
export function* faultWarnings({ steps }: Scenario): Generator<Finding> {
  for (const [index, { effects }] of steps.entries()) {
    for (const effect of effects) {
      if (effect.kind !== "fault") continue;
      const path = effect.fault.match?.path;
      if (path === undefined || operationPaths.some((operation) => couldBe(path, operation))) continue;
      const hint = didYouMean(path, operationPaths);
      const message = `is ${JSON.stringify(path)}, which matches no operation.${hint}`;
      yield about(["steps", index, "fault", "match", "path"], message);
    }
  }
}

/** True if a pattern may match a path of the operation. In place of the id, tries every word of the pattern. */
function couldBe(pattern: string, operation: string): boolean {
  const id = operation.split("/").indexOf(":id");
  const words = new Set(pattern.split("/"));
  return [...words, "…"].some((word) => matchesPath(pattern, operation.split("/").with(id, word).join("/")));
}

/** Finds statuses, steps and events that the specification does not show (sections 3 and 6). */
export function* unseenValues({ investment, steps }: Scenario): Generator<Finding> {
  if (typeof investment !== "string") {
    yield* unseenState(investment, ["investment"]);
    for (const [index, { event, action }] of (investment.events ?? []).entries()) {
      yield* unseenEvent({ event, action }, ["investment", "events", index]);
    }
  }
  for (const [index, { effects }] of steps.entries()) {
    for (const effect of effects) yield* unseenInEffect(effect, ["steps", index, effect.kind]);
  }
}

function* unseenInEffect(effect: ScenarioEffect, path: Path): Generator<Finding> {
  if (effect.kind === "investment") yield* unseenState(effect.attributes, path);
  if (effect.kind === "offering" && effect.attributes.status !== undefined && effect.attributes.status !== "ACTIVE") {
    yield unseen([...path, "status"], effect.attributes.status, "ACTIVE");
  }
  if (effect.kind === "event") {
    yield* unseenEvent(effect, path);
    if (effect.description !== null) yield unseen(path, effect.description, "a description of null");
  }
}
