import { visitInvestment, investmentErrors } from "../fixture/validation/resources.ts";
import { day, formatDuration, readDuration, readSpan } from "../time/duration.ts";
import { createIssueAt, type Issue, createIssue, type Path, pathText } from "../validation/errors.ts";
import { formatInstant, lastInstant } from "../time/instant.ts";
import { isMembers, type Members } from "../validation/members.ts";
import { either } from "../text/text.ts";
import { effects, readMoment, triggers } from "./schema.ts";

/** Finds errors between members of the right shape. Skips values of the wrong shape. */
export function stepRelationErrors(content: unknown): Issue[] {
  if (!isMembers(content)) return [];
  const steps: readonly unknown[] = Array.isArray(content["steps"]) ? content["steps"] : [];
  const written = steps.map((step) => (isMembers(step) ? step : {}));
  return [
    ...repeatErrors(content, written),
    ...steps.flatMap((step, index) => (isMembers(step) ? [...stepErrors(step, index)] : [])),
    ...orderErrors(written),
    ...newInvestmentErrors(content["investment"], written[0]),
  ];
}

/** The maximum number of steps in all repetitions: enough for a busy week, and played in seconds. */
const maxSteps = 50_000;

/**
 * Finds steps that may be earlier than the step before, or after the last instant. A waiting step may take any time,
 * even none. A span may begin earlier than the step before if it ends later.
 */
function* orderErrors(steps: readonly Members[]): Generator<Issue> {
  let since = 0;
  let instant: number | undefined;
  let isSampled = false;
  for (const [index, { after, at, fault }] of steps.entries()) {
    const [minimum, maximum] = readSpan(after) ?? [0, 0];
    isSampled ||= minimum < maximum;
    since += maximum;
    if (instant !== undefined) instant += maximum;
    const moment = readMoment(at);
    const tooEarly = (earliest: string): Issue =>
      createIssueAt(
        ["steps", index, "at"],
        `${isSampled ? "may be" : "is"} earlier than the step before it; expected ${earliest} or later.`,
      );
    if (moment && "since" in moment) {
      const [first, last] = moment.since;
      if (last < since) yield tooEarly(formatDuration(since));
      since = Math.max(since, last);
      isSampled ||= first < last;
    } else if (moment) {
      const [first, last] = moment.instants;
      const date = Date.parse(last);
      if (instant !== undefined && date < instant) yield tooEarly(formatInstant(instant));
      instant = Math.max(instant ?? date, date);
      isSampled ||= first < last;
    }
    const lasting = isMembers(fault) ? (readSpan(fault["for"])?.[1] ?? 0) : 0;
    if (instant === undefined || instant + lasting <= lastInstant) continue;
    yield createIssueAt(["steps", index], "continues after the year 9999; expected its dates to be earlier.");
    return;
  }
}

const investmentPath: Path = ["investment"];

/**
 * Finds the errors of a new investment as in a fixture, except in its status: only an environment knows the allowed
 * statuses. Unless the investment states another date, its first step creates it, not before an instant of that step.
 */
function newInvestmentErrors(investment: unknown, first: Members = {}): Issue[] {
  if (!isMembers(investment)) return [];
  const moment = readMoment(first["at"]);
  const earliest = moment && "instants" in moment ? { create_date: moment.instants[0] } : {};
  return investmentErrors({ ...earliest, ...investment }, { path: investmentPath, statuses: "any" });
}

/** Finds repetitions that do not each have a new investment, or that have too many steps together. */
function* repeatErrors({ repeat, investment }: Members, steps: readonly Members[]): Generator<Issue> {
  if (repeat === undefined) return;
  const count = isMembers(repeat) && typeof repeat["count"] === "number" ? repeat["count"] : 1;
  if (count * steps.length > maxSteps) {
    const max = Math.floor(maxSteps / steps.length);
    yield createIssueAt(["repeat", "count"], `is ${count}; expected ${max} at most, with ${steps.length} steps each.`);
  }
  if (isMembers(repeat)) yield* dayErrors(repeat);
  if (typeof investment === "string") {
    const message = "creates new investments, but investment names an existing one; expected only one of the two.";
    yield createIssueAt(["repeat"], message);
  } else {
    const same: Path[] = [];
    const created = isMembers(investment) ? investment : {};
    visitInvestment(created, { path: investmentPath }, (resource) => {
      const names = resource.members === created ? ["id", "alias", "investment_number"] : ["id"];
      for (const name of names) if (resource.members[name] !== undefined) same.push([...resource.path, name]);
    });
    for (const [index, { investment: set }] of steps.entries()) {
      if (isMembers(set) && set["investment_number"] !== undefined)
        same.push(["steps", index, "investment", "investment_number"]);
    }
    for (const path of same) yield createIssueAt(path, "would be the same in each repetition; expected none.");
  }
}

function* dayErrors({ every, per_day: perDay }: Members): Generator<Issue> {
  const distance = readDuration(every);
  if (typeof distance !== "number" || typeof perDay !== "number" || perDay * distance <= day) return;
  const max = Math.floor(day / distance);
  yield createIssueAt(
    ["repeat", "per_day"],
    `is ${perDay}; expected ${max} at most, with one every ${formatDuration(distance)}.`,
  );
}

const isTrigger = (name: string): boolean => Object.hasOwn(triggers.shape, name);
const writtenEffectNames = Object.keys(effects.shape);

/** Finds several triggers in a step, or no effect. */
function* stepErrors(step: Members, index: number): Generator<Issue> {
  const path = ["steps", index];
  const [first, ...otherTriggers] = Object.keys(step).filter(isTrigger);
  for (const trigger of otherTriggers) {
    const message = `${pathText(path)} has the triggers ${first} and ${trigger}; expected one trigger.`;
    yield createIssue([...path, trigger], "name", () => message);
  }
  // A misspelled effect is an error already.
  if (Object.keys(step).every(isTrigger)) {
    yield createIssueAt(path, `does nothing; expected an effect: ${either(writtenEffectNames)}.`);
  }
}
