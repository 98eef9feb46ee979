import { eachOf, investmentMistakes, pathOf, tooMuch } from "../fixture/mistakes/resources.ts";
import { day, formatDuration, readDuration, readSpan } from "../model/duration.ts";
import { about, type Finding, finding, type Path, pathText } from "../model/finding.ts";
import { formatInstant, lastInstant } from "../model/instant.ts";
import { isMembers, type Members } from "../model/members.ts";
import { didYouMean, either, quoted } from "../model/text.ts";
import { effects, readMoment, triggers } from "./schema.ts";

/** Finds mistakes between members of the right shape. Skips values of the wrong shape. */
export function relationMistakes(content: unknown): Finding[] {
  if (!isMembers(content)) return [];
  const steps: readonly unknown[] = Array.isArray(content["steps"]) ? content["steps"] : [];
  const written = steps.map((step) => (isMembers(step) ? step : {}));
  return [
    ...repeatMistakes(content, written),
    ...steps.flatMap((step, index) => (isMembers(step) ? [...stepMistakes(step, index)] : [])),
    ...orderMistakes(written),
    ...paymentMistakes(content["investment"], written),
    ...newInvestmentMistakes(content["investment"], written[0]),
    ...moneyMistakes(content["investment"], written),
  ];
}

/** The largest number of steps in all repetitions: enough for a busy week, and done in seconds. */
const maximumSteps = 50_000;

/**
 * Finds steps possibly earlier than the step before, or after the last instant. A waiting step may take any time, even none.
 * A span may begin earlier, if it ends later.
 */
function* orderMistakes(steps: readonly Members[]): Generator<Finding> {
  let since = 0;
  let instant: number | undefined;
  let isDrawn = false;
  for (const [index, { after, at, fault }] of steps.entries()) {
    const [least, most] = readSpan(after) ?? [0, 0];
    isDrawn ||= least < most;
    since += most;
    if (instant !== undefined) instant += most;
    const moment = readMoment(at);
    const tooEarly = (earliest: string): Finding =>
      about(
        ["steps", index, "at"],
        `${isDrawn ? "may be" : "is"} earlier than the step before it; expected ${earliest} or later.`,
      );
    if (moment && "since" in moment) {
      const [first, last] = moment.since;
      if (last < since) yield tooEarly(formatDuration(since));
      since = Math.max(since, last);
      isDrawn ||= first < last;
    } else if (moment) {
      const [first, last] = moment.instants;
      const date = Date.parse(last);
      if (instant !== undefined && date < instant) yield tooEarly(formatInstant(instant));
      instant = Math.max(instant ?? date, date);
      isDrawn ||= first < last;
    }
    const lasting = isMembers(fault) ? (readSpan(fault["for"])?.[1] ?? 0) : 0;
    if (instant === undefined || instant + lasting <= lastInstant) continue;
    yield about(["steps", index], "goes on after the year 9999; expected its dates to be earlier.");
    return;
  }
}

/**
 * Finds new payments without an amount. A payment is new unless it has a number, or an earlier step has its alias, so this
 * finds misspelt aliases too, if the payment has no amount.
 */
function* paymentMistakes(investment: unknown, steps: readonly Members[]): Generator<Finding> {
  const begun = isMembers(investment) && Array.isArray(investment["payments"]) ? investment["payments"].length : 0;
  const most = typeof investment === "string" ? Infinity : begun;
  const known = new Set<string>();
  const order: string[] = [];
  for (const [index, { payment }] of steps.entries()) {
    if (!isMembers(payment)) continue;
    const { alias, number, amount } = payment;
    const path = ["steps", index, "payment"];
    if (number !== undefined) {
      if (alias !== undefined) yield about(path, "has an alias and a number; expected one of the two.");
      if (typeof number === "number" && number > most) {
        const has = ["no payment; expected an alias", "one payment"][most] ?? `${most} payments`;
        yield about([...path, "number"], `is ${number}; the investment begins with ${has}.`);
      }
      continue;
    }
    if (typeof alias === "string") {
      if (!known.has(alias) && amount === undefined) {
        const named = `is ${quoted(alias)}, which no earlier step has`;
        const expected = "expected the alias of an earlier payment, or an amount for a new one";
        const before = order.length;
        const hint = (): string => didYouMean(alias, order.slice(0, before));
        yield about([...path, "alias"], () => `${named}; ${expected}.${hint()}`);
      }
      if (!known.has(alias)) order.push(alias);
      known.add(alias);
    } else if (amount === undefined) {
      yield about(path, "is new and has no amount; expected an amount, or the alias of an earlier payment.");
    }
  }
}

const investmentPath: Path = ["investment"];

/**
 * Finds the mistakes of a fixture with the new investment, except in its status: only an environment knows the allowed ones.
 * Unless it states another date, it is created by its first step, so never before an instant of that.
 */
function newInvestmentMistakes(investment: unknown, first: Members = {}): Finding[] {
  if (!isMembers(investment)) return [];
  const moment = readMoment(first["at"]);
  const earliest = moment && "instants" in moment ? { create_date: moment.instants[0] } : {};
  return investmentMistakes({ ...earliest, ...investment }, { path: investmentPath, statuses: "any" });
}

/** Finds steps with a product or a sum above the largest amount, as far as the scenario alone shows it. */
function* moneyMistakes(investment: unknown, steps: readonly Members[]): Generator<Finding> {
  let { price, quantity, payments: begun }: Members = isMembers(investment) ? investment : {};
  const list: readonly unknown[] = Array.isArray(begun) ? begun : [];
  const payments = new Map(list.map((payment) => [payment, payment]));
  const excess = (): [string, string][] => tooMuch({ price, quantity, payments: [...payments.values()] });
  let before = excess();
  for (const [index, { payment, investment: set }] of steps.entries()) {
    if (isMembers(payment) && payment["amount"] !== undefined) {
      const numbered: unknown = typeof payment["number"] === "number" ? list[payment["number"] - 1] : undefined;
      payments.set(numbered ?? payment["alias"] ?? payment, payment);
    }
    if (isMembers(set)) ({ price = price, quantity = quantity } = set);
    const after = excess();
    for (const [member, message] of after) {
      if (before.some(([known]) => known === member)) continue;
      const path = ["steps", index, member === "payments" ? "payment" : "investment"];
      yield about(path, `goes too far: ${member} ${message}`);
    }
    before = after;
  }
}

/** Finds repetitions without a new investment each, or with too many steps together. */
function* repeatMistakes({ repeat, investment }: Members, steps: readonly Members[]): Generator<Finding> {
  if (repeat === undefined) return;
  const count = isMembers(repeat) && typeof repeat["count"] === "number" ? repeat["count"] : 1;
  if (count * steps.length > maximumSteps) {
    const most = Math.floor(maximumSteps / steps.length);
    yield about(["repeat", "count"], `is ${count}; expected ${most} at most, with ${steps.length} steps each.`);
  }
  if (isMembers(repeat)) yield* dayMistakes(repeat);
  if (typeof investment === "string") {
    const message = "creates new investments, but investment names an existing one; expected only one of the two.";
    yield about(["repeat"], message);
  } else {
    const same: Path[] = [];
    const created = isMembers(investment) ? investment : {};
    eachOf(created, { path: investmentPath }, (resource) => {
      const names = resource.members === created ? ["id", "alias", "investment_number"] : ["id"];
      for (const name of names) if (resource.members[name] !== undefined) same.push(pathOf(resource, name));
    });
    for (const [index, { investment: set }] of steps.entries()) {
      if (isMembers(set) && set["investment_number"] !== undefined)
        same.push(["steps", index, "investment", "investment_number"]);
    }
    for (const path of same) yield about(path, "would be the same in each repetition; expected none.");
  }
}

function* dayMistakes({ every, per_day: perDay }: Members): Generator<Finding> {
  const distance = readDuration(every);
  if (typeof distance !== "number" || typeof perDay !== "number" || perDay * distance <= day) return;
  const most = Math.floor(day / distance);
  yield about(
    ["repeat", "per_day"],
    `is ${perDay}; expected ${most} at most, with one every ${formatDuration(distance)}.`,
  );
}

const isTrigger = (name: string): boolean => Object.hasOwn(triggers.shape, name);
const effectNames = Object.keys(effects.shape);

/** Finds several triggers in a step, or no effect. */
function* stepMistakes(step: Members, index: number): Generator<Finding> {
  const path = ["steps", index];
  const [first, ...others] = Object.keys(step).filter(isTrigger);
  for (const other of others) {
    const message = `${pathText(path)} has the triggers ${first} and ${other}; expected one trigger.`;
    yield finding([...path, other], "name", () => message);
  }
  // A misspelt effect is a mistake already.
  if (Object.keys(step).every(isTrigger)) {
    yield about(path, `does nothing; expected an effect: ${either(effectNames)}.`);
  }
}
