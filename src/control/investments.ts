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
import { groupChanges } from "../model/summaries.ts";
import { amended } from "../scenario/amend.ts";
import type { BodyValue } from "./bodies.ts";
import type { Handlers } from "./call.ts";
import { move, addUndoStep, readClock } from "./clock.ts";
import { formatSubject } from "./move-summary.ts";

/** The handlers of operations that change investments, at the clock's present. They load with the first body. */
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
      seedPath: environment.nextSeedPath,
      offeringId: offering.id,
      date: now,
      statuses: environment.assumptions["investment.statuses"],
    },
    environment.internals.history,
  );
  environment.record([{ kind: "new_investment", investment, written: content, date: investment.create_date }]);
  return { ...getInvestment(environment, investment.id) };
}

/** Changes an investment, and adds the step that undoes the change. */
function changeInvestment(environment: Environment, id: string, changes: Changes): InvestmentRecord {
  const before = getInvestment(environment, id);
  amendInvestment(environment, before.id, changes);
  addUndoStep(environment, { last: before.id, values: createInverse(changes, before) });
  return { ...getInvestment(environment, before.id) };
}

/** Changes attributes of an investment, and of its children in `changes`. Throws ValidationError with every error. */
function amendInvestment(environment: Environment, id: string, changes: Changes): void {
  const { investors = [], signing_parties = [], payments = [], ...attributes } = changes;
  const before = getInvestment(environment, id);
  const { now: date } = environment.read();
  refuseFuture(attributes, date);
  refuseAll([
    ...findIdErrors("investor", "investors", investors, before),
    ...findIdErrors("signing party", "signing_parties", signing_parties, before),
    ...findIdErrors("payment", "payments", payments, before),
  ]);
  const common = { investment_id: before.id, date };
  const childEffects = [
    ...investors.map((child) => ({ kind: "investor", ...common, ...childEffectOf(child) }) as const),
    ...signing_parties.map((child) => ({ kind: "signing_party", ...common, ...childEffectOf(child) }) as const),
    ...payments.map((child) => ({ kind: "payment", ...common, ...childEffectOf(child) }) as const),
  ].filter((effect) => Object.keys(effect.attributes).length > 0);
  const hasOwnEffect = childEffects.length === 0 || Object.keys(attributes).length > 0;
  // The investment's own attributes come last: a `paid_amount` among them wins over the sum of the payments.
  const effects: DatedEffect<InvestmentEffect["kind"]>[] = hasOwnEffect
    ? [...childEffects, { kind: "investment", ...common, attributes }]
    : childEffects;
  const after = { ...effects.reduce<Investment>(amended, before), modify_date: attributes.modify_date ?? date };
  const statuses = attributes.status === undefined ? "any" : environment.assumptions["investment.statuses"];
  refuseNewErrors(environment, movePaymentsFirst(before, payments), movePaymentsFirst(after, payments), statuses);
  environment.record(effects);
}

/** Returns the members of `before` that `change` has too. */
function valuesBefore(change: object, before: object): object {
  return Object.fromEntries(Object.entries(before).filter(([name]) => name in change));
}

/** Returns the change that reverts `changes`. */
function createInverse(changes: Changes, before: Investment): Changes {
  const childrenBefore = (list: "investors" | "signing_parties" | "payments") =>
    before[list].flatMap((child) => {
      const change = changes[list]?.find(({ id }) => id === child.id);
      return change ? valuesBefore(change, child) : [];
    });
  const lists = (["investors", "signing_parties", "payments"] as const).map((list) => [list, childrenBefore(list)]);
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
  const moveClock = (clock: EnvironmentClock): ClockReading => {
    const reading = isMove ? clock.set(step.clock) : readClock(clock);
    if (!isMove) amendInvestment(environment, step.last, step.values);
    undoSteps.pop();
    return reading;
  };
  const clockMove = await move(environment, subject, moveClock, { isUndoable: false });
  if (isMove) return clockMove;
  const summaries = groupChanges(clockMove.applied).flatMap((group) => group.summaries);
  const name = formatSubject(environment, { investment: step.last });
  return { ...clockMove, summary: `${name}: ${summaries.join(" · ")} again. The history has both changes.` };
}

type ChildChange<Child> = Partial<Omit<Child, "id">> & { readonly id: string };

type Changes = Partial<Omit<Investment, "id" | "investors" | "signing_parties" | "payments">> & {
  readonly investors?: readonly ChildChange<Investor>[];
  readonly signing_parties?: readonly ChildChange<SigningParty>[];
  readonly payments?: readonly ChildChange<Payment>[];
};

/** Returns the members of an effect on a child: its id, and its changed attributes. */
function childEffectOf<Change extends { readonly id: string }>({ id, ...attributes }: Change) {
  return { id, attributes };
}

/** Finds repeated ids, and ids that no child of the investment has. */
function findIdErrors(
  noun: string,
  list: "investors" | "signing_parties" | "payments",
  changes: readonly { readonly id: string }[],
  investment: Investment,
): Issue[] {
  const ids = investment[list].map(({ id }) => id);
  return changes.flatMap(({ id }, index) => {
    const path = [list, index, "id"];
    const first = changes.findIndex((change) => change.id === id);
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

/** Moves the payments of a body to the front, in the order of the body, so that paths of errors match the body. */
function movePaymentsFirst(investment: Investment, namedPayments: readonly { readonly id: string }[]): Investment {
  const indexes = new Map(namedPayments.map(({ id }, index) => [id, index]));
  const indexOf = ({ id }: Payment): number => indexes.get(id) ?? indexes.size;
  return { ...investment, payments: investment.payments.toSorted((left, right) => indexOf(left) - indexOf(right)) };
}

function recordEvent(environment: Environment, id: string, newEvent: NewEvent): EventRecord {
  const { event, action, description = null } = newEvent;
  const investment = getInvestment(environment, id);
  const { now: create_date } = environment.read();
  const eventRecord = { id: environment.nextSeedPath.id, event, action, description, create_date };
  refuseNewErrors(environment, investment, { ...investment, events: [...investment.events, eventRecord] });
  environment.record([{ kind: "event", investment_id: investment.id, event: eventRecord, date: create_date }]);
  return eventRecord;
}

/** Throws ValidationError for a creation in the future, because the investment would not exist yet. */
function refuseFuture({ create_date: date }: { readonly create_date?: Instant | undefined }, now: Instant): void {
  if (date === undefined || date <= now) return;
  throw new ValidationError(`create_date is after the clock's present, ${now}; expected an instant up to it.`);
}

/** Throws ValidationError with the errors that a change has added to an investment. */
function refuseNewErrors(
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

function getInvestment(environment: Environment, id: string): Investment {
  return orNotFound(() => findInvestment(environment.internals.history, id));
}
