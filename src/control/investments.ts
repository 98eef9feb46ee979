import type { AssumptionValue } from "../assumptions/catalog.ts";
import type { ClockMove, ClockReading, NewEvent, EventRecord, InvestmentRecord } from "../public/control.ts";
import type { EnvironmentClock } from "../environment/clock.ts";
import type { Environment } from "../environment/environment.ts";
import { newInvestment, refuseAll } from "../environment/new-investment.ts";
import { findInvestment, findOffering, formatMissing } from "../environment/references.ts";
import { orNotFound, ControlError } from "../errors/control-error.ts";
import { investmentErrors, uniqueExpected } from "../fixture/validation/resources.ts";
import type { Instant } from "../time/instant.ts";
import { ValidationError, createIssueAt, type Issue, createIssue, pathText } from "../validation/errors.ts";
import type { Investment, Investor, Payment, SigningParty, DatedEffect, InvestmentEffect } from "../model/resources.ts";
import { happeningsOf } from "../model/words.ts";
import { amended } from "../scenario/amend.ts";
import type { BodyValue } from "./bodies.ts";
import type { Handlers } from "./call.ts";
import { move, noteUndo, stay } from "./clock.ts";
import { subjectName } from "./move-summary.ts";

/**
 * The handlers of the operations that change investments by hand, at the clock's present. Loaded with the first call
 * that has a body.
 */
export const editHandlers = {
  createInvestment: ({ environment, body }) => createInvestment(environment, body),
  changeInvestment: ({ environment, id, body }) => changeInvestment(environment, id, body as Changes),
  recordEvent: ({ environment, id, body }) => recordEvent(environment, id, body),
  undo: ({ environment, body }) => undo(environment, body),
} satisfies Partial<Handlers>;

/** Creates an investment from sparse content, and completes the rest. Throws ValidationError with every error. */
function createInvestment(environment: Environment, body: BodyValue<"NewInvestment">): InvestmentRecord {
  const { now } = environment.read();
  const { offering_id: reference, ...content } = body;
  const offering = findOffering(environment.offerings, reference);
  refuseFuture(content, now);
  const investment = newInvestment(
    {
      written: content,
      path: [],
      place: environment.nextSeedPath,
      offeringId: offering.id,
      date: now,
      statuses: environment.assumptions["investment.statuses"],
    },
    environment.internals.history,
  );
  environment.record([{ kind: "new_investment", investment, written: content, date: investment.create_date }]);
  return { ...find(environment, investment.id) };
}

/** Changes an investment, and notes how to undo it. */
function changeInvestment(environment: Environment, id: string, changes: Changes): InvestmentRecord {
  const before = find(environment, id);
  amendInvestment(environment, before.id, changes);
  noteUndo(environment, { last: before.id, values: inverseOf(changes, before) });
  return { ...find(environment, before.id) };
}

/** Changes the attributes of an investment, and of the named parts. Throws ValidationError with every error. */
function amendInvestment(environment: Environment, id: string, changes: Changes): void {
  const { investors = [], signing_parties = [], payments = [], ...attributes } = changes;
  const before = find(environment, id);
  const { now: date } = environment.read();
  refuseFuture(attributes, date);
  refuseAll([
    ...idErrors("investor", "investors", investors, before),
    ...idErrors("signing party", "signing_parties", signing_parties, before),
    ...idErrors("payment", "payments", payments, before),
  ]);
  const changed = { investment_id: before.id, date };
  const parts = [
    ...investors.map((part) => ({ kind: "investor", ...changed, ...changeOf(part) }) as const),
    ...signing_parties.map((part) => ({ kind: "signing_party", ...changed, ...changeOf(part) }) as const),
    ...payments.map((part) => ({ kind: "payment", ...changed, ...changeOf(part) }) as const),
  ].filter((part) => Object.keys(part.attributes).length > 0);
  const isOwn = parts.length === 0 || Object.keys(attributes).length > 0;
  // The investment's own attributes come last: a `paid_amount` among them wins over the sum of the payments.
  const effects: DatedEffect<InvestmentEffect["kind"]>[] = isOwn
    ? [...parts, { kind: "investment", ...changed, attributes }]
    : parts;
  const after = { ...effects.reduce<Investment>(amended, before), modify_date: attributes.modify_date ?? date };
  const statuses = attributes.status === undefined ? "any" : environment.assumptions["investment.statuses"];
  refuseNew(environment, asNamed(before, payments), asNamed(after, payments), statuses);
  environment.record(effects);
}

/** Returns the members of an object that another one has too. */
function valuesBefore(change: object, before: object): object {
  return Object.fromEntries(Object.entries(before).filter(([name]) => name in change));
}

/** Returns the change that takes another one back. */
function inverseOf(changes: Changes, before: Investment): Changes {
  const partsBefore = (list: "investors" | "signing_parties" | "payments") =>
    before[list].flatMap((part) => {
      const change = changes[list]?.find(({ id }) => id === part.id);
      return change ? valuesBefore(change, part) : [];
    });
  const lists = (["investors", "signing_parties", "payments"] as const).map((list) => [list, partsBefore(list)]);
  return { ...valuesBefore(changes, before), ...Object.fromEntries(lists) } as Changes;
}

/** Undoes the last move of the clock, or the last change of an investment. */
async function undo(environment: Environment, { last, ...subject }: BodyValue<"UndoOptions">): Promise<ClockMove> {
  const { undoSteps } = environment.internals;
  const step = undoSteps.at(-1);
  if (!step && last === undefined) throw new ControlError("conflict", "There is nothing to undo.");
  if (!step || step.last !== (last ?? step.last))
    throw new ControlError("conflict", "The last action cannot be undone.");
  const isMove = "clock" in step;
  const go = (clock: EnvironmentClock): ClockReading => {
    const reading = isMove ? clock.set(step.clock) : stay(clock);
    if (!isMove) amendInvestment(environment, step.last, step.values);
    undoSteps.pop();
    return reading;
  };
  const moved = await move(environment, subject, go, { isUndoable: false });
  if (isMove) return moved;
  const words = happeningsOf(moved.applied).flatMap((happening) => happening.words);
  const name = subjectName(environment, { investment: step.last });
  return { ...moved, summary: `${name}: ${words.join(" · ")} again. The history keeps both changes.` };
}

type PartChange<Part> = Partial<Omit<Part, "id">> & { readonly id: string };

type Changes = Partial<Omit<Investment, "id" | "investors" | "signing_parties" | "payments">> & {
  readonly investors?: readonly PartChange<Investor>[];
  readonly signing_parties?: readonly PartChange<SigningParty>[];
  readonly payments?: readonly PartChange<Payment>[];
};

/** Returns the members of an effect on a part: its id, and its changed attributes. */
function changeOf<Change extends { readonly id: string }>({ id, ...attributes }: Change) {
  return { id, attributes };
}

/** Finds ids that no part of the investment has, and repeated ones. */
function idErrors(
  noun: string,
  list: "investors" | "signing_parties" | "payments",
  changes: readonly { readonly id: string }[],
  investment: Investment,
): Issue[] {
  const ids = investment[list].map(({ id }) => id);
  return changes.flatMap(({ id }, index) => {
    const path = [list, index, "id"];
    const first = changes.findIndex((other) => other.id === id);
    if (first < index)
      return createIssueAt(path, `is the same as that of ${pathText([list, first])}; ${uniqueExpected}.`);
    if (ids.includes(id)) return [];
    return createIssue(
      path,
      "value",
      () => `${pathText(path)}: ${formatMissing(noun, id, ids).replace(/^There/, "there")}`,
    );
  });
}

/** Moves the payments that a body names to the front, in its order, so that paths of errors match the body. */
function asNamed(investment: Investment, named: readonly { readonly id: string }[]): Investment {
  const places = new Map(named.map(({ id }, index) => [id, index]));
  const place = ({ id }: Payment): number => places.get(id) ?? places.size;
  return { ...investment, payments: investment.payments.toSorted((left, right) => place(left) - place(right)) };
}

function recordEvent(environment: Environment, id: string, newEvent: NewEvent): EventRecord {
  const { event, action, description = null } = newEvent;
  for (const [name, value] of Object.entries({ event, action })) {
    if (value !== "") continue;
    throw new ControlError("invalid", `${name} is a word such as ${name === "event" ? "PAYMENT" : "APPROVED"}.`);
  }
  const investment = find(environment, id);
  const { now: create_date } = environment.read();
  const recorded = { id: environment.nextSeedPath.id, event, action, description, create_date };
  refuseNew(environment, investment, { ...investment, events: [...investment.events, recorded] });
  environment.record([{ kind: "event", investment_id: investment.id, event: recorded, date: create_date }]);
  return recorded;
}

/** Throws ValidationError for a creation after the clock's present, because the investment would not exist yet. */
function refuseFuture({ create_date: date }: { readonly create_date?: Instant | undefined }, now: Instant): void {
  if (date === undefined || date <= now) return;
  throw new ValidationError(`create_date is after the clock's present, ${now}; expected one up to it.`);
}

/** Throws ValidationError with the errors that a change has added to an investment. */
function refuseNew(
  environment: Environment,
  before: Investment,
  after: Investment,
  statuses: AssumptionValue<"investment.statuses"> = "any",
): void {
  const offering = environment.read().state.offering(before.offering_id);
  const errorsIn = (investment: Investment): Issue[] =>
    investmentErrors({ ...investment }, { path: [], offering, statuses });
  const messages = new Set(errorsIn(before).map(({ message }) => message));
  refuseAll(errorsIn(after).filter(({ message }) => !messages.has(message)));
}

function find(environment: Environment, id: string): Investment {
  return orNotFound(() => findInvestment(environment.internals.history, id));
}
