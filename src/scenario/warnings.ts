import {
  contradictionsIn,
  eventContradictions,
  stateContradictions,
  unseenEvent,
  unseenIn,
  unseenOfferingStatus,
  unseenState,
} from "../fixture/mistakes/contradictions.ts";
import { matchesPath } from "../model/fault.ts";
import { about, type Finding, type Path, pathText, unseen } from "../model/finding.ts";
import { never } from "../model/instant.ts";
import { operations } from "../model/operations.ts";
import type { Investment } from "../model/resources.ts";
import { didYouMean, quoted } from "../model/text.ts";
import type { EffectName, ScenarioEffect } from "./step-effects.ts";
import { exampleOf, progressOf } from "./progress.ts";
import type { Scenario, Step } from "./scenario.ts";
import type { WrittenScenario } from "./schema.ts";

/**
 * Finds contradictions as in a fixture: in the new investment, in the values set by each step, and in the state after the
 * last one, as far as the scenario alone shows them.
 */
export function* contradictions(scenario: Scenario): Generator<Finding> {
  const { steps } = scenario;
  const [first = {}, ...states] = progressOf(scenario);
  const example = exampleOf(scenario);
  const found = new Set<string>();
  const tell = (path: Path, at: Path, message: string): Finding => {
    found.add(pathText(at));
    return about(path, message);
  };
  for (const [at, message] of example?.[0] ? contradictionsIn(example[0], never, first) : []) {
    yield tell(["investment", ...at], at, message);
  }
  let before = first;
  for (const [index, step] of steps.entries()) {
    const after = states[index] ?? before;
    for (const [at, message] of stateContradictions(after)) {
      if (sets(step, at)) yield tell(["steps", index, "investment", ...at], at, message);
      else if (pathText(at) === "paid_amount" && after.paid !== before.paid)
        yield tell(["steps", index, "payment"], at, `goes too far: ${pathText(at)} ${message}`);
    }
    before = after;
  }
  for (const [at, message] of stateContradictions(before)) {
    if (!found.has(pathText(at)))
      yield about(["steps", steps.length - 1], `is the last, and ${pathText(at)} ${message}`);
  }
  if (example) yield* contradictoryEvents(steps, example);
}

function sets({ effects }: Step, [member = ""]: Path): boolean {
  const investment = effects.find((effect) => effect.kind === "investment");
  return investment !== undefined && Object.hasOwn(investment.attributes, member);
}

/** Finds the events of steps in contradiction to earlier ones, or to the payments in the end. */
function* contradictoryEvents(steps: readonly Step[], example: readonly Investment[]): Generator<Finding> {
  const [begun, ended] = [example[0], example.at(-1)];
  if (!begun || !ended) return;
  const stepOfEvent = steps.flatMap(({ effects }, step) =>
    effects.flatMap(({ kind }) => (kind === "event" ? step : [])),
  );
  for (const [[, index], message] of eventContradictions(ended)) {
    const step = stepOfEvent[Number(index) - begun.events.length];
    if (step !== undefined) yield about(["steps", step, "event"], message);
  }
}

/** The longest duration without a unit that may be meant in another one. */
const suspiciouslyShort = 999;

/** Finds durations that are a small number, which is milliseconds. */
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
      yield about(path, `is ${number} milliseconds; write ${number}ms if so, or another unit: ${number}s, ${number}m.`);
  }
}

/** Finds faults whose path matches no operation, and values missing in the specification (sections 3 and 6). */
export function* effectWarnings({ investment, steps }: Scenario): Generator<Finding> {
  if (typeof investment !== "string") yield* unseenIn(investment, ["investment"]);
  for (const [index, { effects }] of steps.entries()) {
    for (const effect of effects) yield* warningsOfEffect(effect, ["steps", index, effect.kind]);
  }
}

function warningsOfEffect<Name extends EffectName>(effect: ScenarioEffect<Name>, path: Path): Iterable<Finding> {
  return warnings[effect.kind](effect, path);
}

const none = (): Iterable<Finding> => [];

/** The warnings about a single effect, by kind. */
const warnings: {
  readonly [Name in EffectName]: (effect: ScenarioEffect<Name>, path: Path) => Iterable<Finding>;
} = {
  investment: ({ attributes }, path) => unseenState(attributes, path),
  *offering({ attributes: { status } }, path) {
    if (status !== undefined) yield* unseenOfferingStatus(status, [...path, "status"]);
  },
  *event(effect, path) {
    yield* unseenEvent(effect, path);
    if (effect.description !== null) yield unseen(path, effect.description, ["a description of null"]);
  },
  *fault({ fault }, place) {
    const path = fault.match?.path;
    if (path === undefined || operationPaths.some((operation) => couldBe(path, operation))) return;
    const hint = didYouMean(path, operationPaths);
    yield about([...place, "match", "path"], `is ${quoted(path)}, which matches no operation.${hint}`);
  },
  payment: none,
  sign: none,
  investor: none,
  key: none,
};

const operationPaths = operations.map(({ path }) => path);

/** True if a pattern may match a path of the operation. In place of the id, tries every word of the pattern. */
function couldBe(pattern: string, operation: string): boolean {
  const id = operation.split("/").indexOf(":id");
  const words = new Set(pattern.split("/"));
  return [...words, "…"].some((word) => matchesPath(pattern, operation.split("/").with(id, word).join("/")));
}
