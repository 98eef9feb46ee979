import { pickDefined } from "../validation/members.ts";
import { basename, extname } from "node:path";
import { parseDocument, stringify } from "yaml";
import type { Diagnostic, ScenarioDetail } from "../public/control.ts";
import {
  unspecifiedEvent,
  unspecifiedInInvestment,
  unspecifiedOfferingStatus,
  unspecifiedState,
} from "../fixture/validation/unspecified.ts";
import { inputLimits } from "../bounds/bounds.ts";
import { type Duration, readDuration, readSpan } from "../time/duration.ts";
import { jsonErrors } from "../files/located/json.ts";
import { YamlText } from "../files/located/yaml.ts";
import {
  andMore,
  type FileDiagnostic,
  FileValidationError,
  type Issue,
  createIssueAt,
  formatErrors,
  ValidationError,
  notInSpecification,
  type Path,
} from "../validation/errors.ts";
import { doubtfulMember } from "../model/fault.ts";
import { readShape } from "../validation/shape-errors.ts";
import { parsedJson } from "../text/json-text.ts";
import { asLabel } from "../text/text.ts";
import { effectsOf, type ScenarioEffect } from "./step-effects.ts";
import { stepRelationErrors } from "./errors.ts";
import { outlineOf } from "./outline.ts";
import { dryRun } from "./dry-run.ts";
import { type SavedScenario, type Scenario, type Step, type Trigger, writtenForm } from "./scenario.ts";
import { readMoment, type WrittenScenario, writtenScenario } from "./schema.ts";

/**
 * Parses the text of a scenario file, YAML or JSON. Warns of values that the specification does not show, paths that
 * match no operation and suspicious durations. Throws FileValidationError with every error.
 */
export function parseScenario(
  text: string,
  fileName: string,
  findMore: (scenario: Scenario) => readonly Issue[] = () => [],
): { readonly scenario: Scenario; readonly warnings: readonly FileDiagnostic[] } {
  const read = readScenarioText(text, fileName);
  const { scenario, errors, warnings } = readDocument(read.value, asLabel(basename(fileName, extname(fileName))));
  if (!scenario || read.errors.length > 0) {
    throw new FileValidationError([...read.errors, ...read.locate(errors)]);
  }
  const located = read.locate([...warnings(), ...findMore(scenario)]);
  sources.set(scenario, { text, warnings: located });
  return { scenario, warnings: located };
}

/** Reads a scenario file without checking it. Throws FileValidationError for text that is not YAML or JSON. */
export function readScenarioText(text: string, file: string): YamlText {
  const content = text.replace(/^\uFEFF/, "");
  const read = new YamlText(content, file, "a scenario", inputLimits.scenarioText);
  if (/\.json$/i.test(file) && parsedJson(content) === undefined)
    throw new FileValidationError(jsonErrors(content, file));
  if (read.value === undefined) throw new FileValidationError(read.errors);
  if (read.value === null) throw new FileValidationError([{ file, line: 1, column: 1, message: emptyText }]);
  return read;
}

const emptyText = "This is empty; expected at least one step: steps: [{ event: PAYMENT SUBMITTED }].";

interface ScenarioSource {
  readonly text: string;
  readonly warnings: readonly FileDiagnostic[];
}

/** The sources of scenarios that were read from a file's content. A copy has no source. */
const sources = new WeakMap<Scenario, ScenarioSource>();

/** Describes a scenario, with the text that it was read from, or else one of the same content. */
export function scenarioDetail(scenario: Scenario): ScenarioDetail {
  const { name, title, description } = scenario;
  const { text, warnings } = sources.get(scenario) ?? {
    text: stringify(writtenForm(scenario)),
    // Each duration in this text has a unit.
    warnings: [...effectWarnings(scenario)],
  };
  return { name, title, description, ...outlineOf(scenario), text, warnings: diagnostics(warnings) };
}

/** Checks a scenario that is not in a file. Throws ValidationError with a line for each error. */
export function checkScenario(document: unknown): Scenario {
  const { scenario, errors } = readDocument(document, "inline");
  if (!scenario) throw new ValidationError(formatErrors(errors, ({ message }) => message));
  return scenario;
}

/** Reads a scenario to save: a document, or the text of a file. Throws ValidationError and FileValidationError. */
export function readSaved(source: unknown): SavedScenario {
  const text = typeof source === "string" ? source : stringify(writtenForm(checkScenario(source)));
  const { scenario } = parseScenario(text, "inline");
  if (scenario.name !== "inline") return Object.assign(scenario, { text });
  throw new ValidationError("The scenario has no name under which to save it; expected one, such as name: mine.");
}

/** Returns the text of a scenario file with its comments and, if it has no `name`, with that of the file. */
export function addFileName(text: string, file: string): string {
  const { name } = parseScenario(text, file).scenario;
  const document = parseDocument(text.replace(/^\uFEFF/, ""));
  if (document.has("name")) return text;
  document.set("name", name);
  return String(document);
}

/** Finds the errors or, without errors, the warnings of a scenario in a string or a document; `findMore` adds some. */
export function examineScenario(
  source: unknown,
  file = "inline",
  findMore: (scenario: Scenario) => readonly Issue[] = () => [],
): {
  /** Undefined with errors. */
  readonly scenario: Scenario | undefined;
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
} {
  if (typeof source !== "string") {
    const { scenario, errors, warnings } = readDocument(source, "inline");
    const all = scenario ? [...warnings(), ...findMore(scenario)] : [];
    return { scenario, errors: diagnostics(errors), warnings: diagnostics(all) };
  }
  try {
    const { scenario, warnings } = parseScenario(source, file, findMore);
    return { scenario, errors: [], warnings: diagnostics(warnings) };
  } catch (error) {
    if (!(error instanceof FileValidationError)) throw error;
    return { scenario: undefined, errors: diagnostics(error.errors), warnings: [] };
  }
}

/** Lists the first hundred issues, and a diagnostic that counts the others. The position is 1:1 in a document. */
export function diagnostics(issues: readonly Parameters<typeof diagnostic>[0][]): Diagnostic[] {
  const first = issues.slice(0, inputLimits.errors).map(diagnostic);
  const more = issues.length - first.length;
  return more > 0 ? [...first, diagnostic({ ...first.at(-1), message: andMore(more) })] : first;
}

function diagnostic({ line = 1, column = 1, message }: Partial<Diagnostic> & Pick<Diagnostic, "message">): Diagnostic {
  return { line, column, message };
}

/** Finds every error at once. Returns the scenario only without errors. */
function readDocument(content: unknown, name: string) {
  const { value, errors: found } = readShape(writtenScenario, content, "the scenario");
  const errors = [...found, ...stepRelationErrors(content)];
  if (!value) return { errors };
  const scenario = checkedForm(value, name);
  // A dry run on a wrong investment would report errors that only follow from it.
  if (errors.every(({ path }) => path[0] !== "investment")) errors.push(...dryRun(scenario).errors);
  if (errors.length > 0) return { errors };
  return { scenario, errors, warnings: () => [...numberWarnings(value), ...effectWarnings(scenario)] };
}

function checkedForm(written: WrittenScenario, name: string): Scenario {
  const {
    name: scenarioName = name,
    title = scenarioName,
    description = "",
    offering = null,
    investment = {},
    repeat,
    steps,
  } = written;
  return {
    name: scenarioName,
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
function* numberWarnings({ repeat, steps }: WrittenScenario): Generator<Issue> {
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
      yield createIssueAt(
        path,
        `is ${number} milliseconds; write ${number}ms if so, or another unit: ${number}s, ${number}m.`,
      );
  }
}

/** Finds faults that apply to no request, and values that the specification does not show (sections 3 and 6). */
function* effectWarnings({ investment, steps }: Scenario): Generator<Issue> {
  if (typeof investment !== "string") yield* unspecifiedInInvestment(investment, ["investment"]);
  for (const [index, { effects }] of steps.entries()) {
    for (const effect of effects) yield* warningsOf(effect, ["steps", index, effect.kind]);
  }
}

function* warningsOf(effect: ScenarioEffect, path: Path): Generator<Issue> {
  if (effect.kind === "investment") yield* unspecifiedState(effect.attributes, path);
  if (effect.kind === "offering" && effect.attributes.status !== undefined)
    yield* unspecifiedOfferingStatus(effect.attributes.status, [...path, "status"]);
  if (effect.kind === "event") {
    yield* unspecifiedEvent(effect, path);
    if (effect.description !== null) yield notInSpecification(path, effect.description, ["a description of null"]);
  }
  if (effect.kind === "fault") {
    const [name, reason] = doubtfulMember(effect.fault) ?? [];
    if (name !== undefined && reason !== undefined) yield createIssueAt([...path, ...name.split(".")], reason);
  }
}
