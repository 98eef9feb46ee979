import { basename, extname } from "node:path";
import { stringify } from "yaml";
import type { ScenarioDetail } from "../public/control.ts";
import { unseenEvent, unseenIn, unseenOfferingStatus, unseenState } from "../fixture/mistakes/unseen.ts";
import { pickDefined } from "../fixture/complete/pick-defined.ts";
import { inputLimits } from "../bounds/bounds.ts";
import { type Duration, readDuration, readSpan } from "../time/duration.ts";
import { jsonMistakes } from "../files/located/json.ts";
import { YamlText } from "../files/located/yaml.ts";
import {
  andMore,
  type FileMistake,
  FileMistakes,
  type Finding,
  findingAt,
  listed,
  Mistake,
  notInSpecification,
  type Path,
} from "../mistakes/mistakes.ts";
import { doubtfulMember } from "../model/fault.ts";
import { readShape } from "../mistakes/shape-mistakes.ts";
import { parsedJson } from "../text/json-text.ts";
import { asLabel } from "../text/text.ts";
import { effectsOf, type ScenarioEffect } from "./step-effects.ts";
import { stepRelationMistakes } from "./mistakes.ts";
import { outlineOf } from "./outline.ts";
import { rehearse } from "./rehearsal.ts";
import { type Scenario, type Step, type Trigger, writtenForm } from "./scenario.ts";
import { readMoment, type WrittenScenario, writtenScenario } from "./schema.ts";

/**
 * Parses the text of a scenario file, YAML or JSON. Warns of values that the specification does not show, paths that
 * match no operation and suspicious durations. Throws FileMistakes with every mistake.
 */
export function parseScenario(
  text: string,
  fileName: string,
): { readonly scenario: Scenario; readonly warnings: readonly FileMistake[] } {
  const read = readScenarioText(text, fileName);
  const { scenario, mistakes, warnings } = readDocument(read.value, asLabel(basename(fileName, extname(fileName))));
  if (!scenario || read.mistakes.length > 0) {
    throw new FileMistakes([...read.mistakes, ...read.locate(mistakes)]);
  }
  const located = read.locate(warnings());
  sources.set(scenario, { text, warnings: located });
  return { scenario, warnings: located };
}

/** Reads the text of a scenario file without checking it. Throws FileMistakes for text that is not YAML or JSON. */
export function readScenarioText(text: string, file: string): YamlText {
  const content = text.replace(/^\uFEFF/, "");
  const read = new YamlText(content, file, "a scenario", inputLimits.scenarioText);
  if (/\.json$/i.test(file) && parsedJson(content) === undefined) throw new FileMistakes(jsonMistakes(content, file));
  if (read.value === undefined) throw new FileMistakes(read.mistakes);
  if (read.value === null) throw new FileMistakes([{ file, line: 1, column: 1, message: emptyText }]);
  return read;
}

const emptyText = "This is empty; expected at least one step: steps: [{ event: PAYMENT SUBMITTED }].";

interface ScenarioSource {
  readonly text: string;
  readonly warnings: readonly FileMistake[];
}

/** The sources of scenarios that were read from a text. A copy has none. */
const sources = new WeakMap<Scenario, ScenarioSource>();

/** Describes a scenario, with the text that it was read from, or else one of the same content. */
export function scenarioDetail(scenario: Scenario): ScenarioDetail {
  const { name, title, description } = scenario;
  const { text, warnings } = sources.get(scenario) ?? {
    text: stringify(writtenForm(scenario)),
    // Each duration in this text has a unit.
    warnings: [...effectWarnings(scenario)],
  };
  return { name, title, description, ...outlineOf(scenario), text, warnings: remarks(warnings) };
}

/** Checks a scenario that is not in a file. Throws Mistake with a line for each mistake. */
export function checkScenario(document: unknown): Scenario {
  const { scenario, mistakes } = readDocument(document, "inline");
  if (!scenario) throw new Mistake(listed(mistakes, ({ message }) => message));
  return scenario;
}

/** A mistake or warning, and its place. Lines and columns count from 1, and are 1 in a document. */
export type Remark = Pick<FileMistake, "line" | "column" | "message">;

/** Finds the mistakes or, without mistakes, the warnings of a scenario in a text or a document. */
export function examineScenario(
  given: unknown,
  file = "inline",
): {
  /** Undefined with mistakes. */
  readonly scenario: Scenario | undefined;
  readonly mistakes: readonly Remark[];
  readonly warnings: readonly Remark[];
} {
  if (typeof given !== "string") {
    const { scenario, mistakes, warnings } = readDocument(given, "inline");
    return { scenario, mistakes: remarks(mistakes), warnings: remarks(scenario ? warnings() : []) };
  }
  try {
    const { scenario, warnings } = parseScenario(given, file);
    return { scenario, mistakes: [], warnings: remarks(warnings) };
  } catch (error) {
    if (!(error instanceof FileMistakes)) throw error;
    return { scenario: undefined, mistakes: remarks(error.mistakes), warnings: [] };
  }
}

/** Lists the first hundred findings, and a remark that counts the others. */
export function remarks(findings: readonly Parameters<typeof remark>[0][]): Remark[] {
  const first = findings.slice(0, inputLimits.mistakes).map(remark);
  const more = findings.length - first.length;
  return more > 0 ? [...first, remark({ ...first.at(-1), message: andMore(more) })] : first;
}

function remark({ line = 1, column = 1, message }: Partial<Remark> & Pick<Remark, "message">): Remark {
  return { line, column, message };
}

/** Finds every mistake at once. Returns the scenario only without mistakes. */
function readDocument(content: unknown, name: string) {
  const { value, mistakes: found } = readShape(writtenScenario, content, "the scenario");
  const mistakes = [...found, ...stepRelationMistakes(content)];
  if (!value) return { mistakes };
  const scenario = checkedForm(value, name);
  // A rehearsal on a wrong investment would report mistakes that only follow from it.
  if (mistakes.every(({ path }) => path[0] !== "investment")) mistakes.push(...rehearse(scenario).mistakes);
  if (mistakes.length > 0) return { mistakes };
  return { scenario, mistakes, warnings: () => [...numberWarnings(value), ...effectWarnings(scenario)] };
}

function checkedForm(written: WrittenScenario, name: string): Scenario {
  const { name: own = name, title = own, description = "", offering = null, investment = {}, repeat, steps } = written;
  return {
    name: own,
    title,
    description: description.trim(),
    offering,
    investment,
    repeat: repeat
      ? {
          count: repeat.count,
          every: milliseconds(repeat.every),
          jitter: milliseconds(repeat.jitter ?? 0),
          ...pickDefined(repeat, ["per_day"]),
        }
      : null,
    steps: steps.map((step): Step => ({ trigger: triggerOf(step), effects: effectsOf(step) })),
  };
}

function triggerOf({ after = 0, at, after_reads, next }: WrittenScenario["steps"][number]): Trigger {
  if (next) return { kind: "next" };
  if (after_reads !== undefined) return { kind: "after_reads", reads: after_reads };
  const moment = readMoment(at);
  if (moment && "instants" in moment) {
    const [instant, until] = moment.instants;
    return { kind: "at", instant, ...(until > instant && { until }) };
  }
  const [least, most] = moment?.since ?? readSpan(after) ?? [0, 0];
  return {
    ...(moment ? { kind: "at", since: least } : { kind: "after", by: least }),
    ...(most > least && { most }),
  };
}

function milliseconds(duration: Duration): number {
  return readDuration(duration) ?? 0;
}

/** The longest duration in milliseconds that may be meant in another unit. */
const suspiciouslyShort = 999;

/** Finds durations that are a small number without a unit, which means milliseconds. */
function* numberWarnings({ repeat, steps }: WrittenScenario): Generator<Finding> {
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
function* effectWarnings({ investment, steps }: Scenario): Generator<Finding> {
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
