import { inputLimits } from "../bounds/bounds.ts";
import type { Instant } from "../time/instant.ts";
import type { Investment, DatedEffect, Effect, EffectKind, InvestmentEffect } from "../model/resources.ts";
import { prefixLength } from "../model/order.ts";
import { formatFault } from "../model/fault.ts";
import { formatMembers } from "../text/text.ts";
import { capitalized, formatEvent, formatPayment, personName } from "../model/summaries.ts";
import { amended, modifiedAt } from "../scenario/amend.ts";
import type { AddingKind, CreatedLookup, EffectRow, ResourcesAtDate } from "./effect-row.ts";
import { InvestmentList } from "./investment-list.ts";
import { keyStatus } from "./keys.ts";
import type { StateView } from "./state.ts";

/** Everything about each kind of effect but its type, which is in `model/resources.ts`. */
const effectRows: { readonly [Kind in EffectKind]: EffectRow<Kind> } = {
  offering: {
    apply(state, { offering_id, date, attributes }) {
      const offering = state.offering(offering_id);
      if (offering) state.putOffering({ ...offering, modify_date: modifiedAt(offering, date), ...attributes });
    },
    refusal: ({ offering_id }, { dataset }) => formatAbsence("offering", offering_id, dataset.offering(offering_id)),
    summary: ({ offering_id, attributes }) => [offering_id, `Offering: ${formatMembers(attributes)}`],
  },

  new_investment: {
    apply: (state, { investment }) => state.putInvestment(investment),
    creates: ({ investment: { id, alias, offering_id, investors, signing_parties, payments, events } }) => ({
      name: id,
      ids: [{ id }, ...investors, ...signing_parties, ...payments, ...events].map((resource) => resource.id),
      alias,
      offering_id,
    }),
    number: ({ investment }) => investment.investment_number,
    refusal({ investment }, resources) {
      const { id, offering_id, alias } = investment;
      const { dataset, created } = resources;
      const aliasOwner = alias && (dataset.idOfAlias(offering_id, alias) ?? created.idByAlias(offering_id, alias));
      return (
        formatAbsence("offering", offering_id, dataset.offering(offering_id)) ??
        formatCollision("investment", id, dataset.investment(id) !== undefined || created.has(id)) ??
        (aliasOwner ? `alias ${sameAsAnother}` : undefined) ??
        formatTakenNumber(investment.investment_number, investment, resources)
      );
    },
    summary: ({ investment: { id, amount } }) => [id, `New investment of ${amount.toLocaleString("en")}`],
  },

  investment: investmentRow<"investment">({
    number: ({ attributes }) => attributes.investment_number,
    refusal: (effect, investment, resources) =>
      formatTakenNumber(effect.attributes.investment_number, investment, resources),
    summary: ({ attributes }) => capitalized(formatMembers(attributes)),
  }),

  investor: investmentRow<"investor">({
    refusal: ({ id }, { investors }) => formatAbsence("investor", id, investors.find(hasId(id))),
    summary: ({ id, attributes }, investment) =>
      `${personNameIn(investment, "investors", id) ?? "Investor"}: ${formatMembers(attributes)}`,
  }),

  signing_party: investmentRow<"signing_party">({
    refusal: ({ id }, { signing_parties }) => formatAbsence("signing party", id, signing_parties.find(hasId(id))),
    summary: ({ id, attributes }, investment) => {
      const name = personNameIn(investment, "signing_parties", id) ?? "Signing party";
      return attributes.signed === true ? `${name} signed` : `${name}: ${formatMembers(attributes)}`;
    },
  }),

  payment: investmentRow<"payment">({
    refusal: ({ investment_id, id, date }, { payments }, { created }) =>
      formatAbsence("payment", id, payments.some(hasId(id)) || created.has(childName(investment_id, id), date)),
    summary: ({ id, attributes }, investment) =>
      formatPayment({ amount: investment?.payments.find(hasId(id))?.amount, ...attributes }),
  }),

  new_payment: investmentRow<"new_payment">({
    creates: ({ investment_id, payment: { id } }) => ({ name: childName(investment_id, id), ids: [id] }),
    refusal: ({ investment_id, payment: { id } }, { payments }, { created }) =>
      formatCollision("payment", id, payments.some(hasId(id)) || created.has(childName(investment_id, id))) ??
      formatExcess("new_payment", investment_id, created),
    summary: ({ payment: { amount, status } }) => formatPayment({ amount, status }),
  }),

  event: investmentRow<"event">({
    creates: ({ investment_id, event: { id } }) => ({ name: childName(investment_id, id), ids: [id] }),
    refusal: ({ investment_id, event: { id } }, { events }, { created }) =>
      formatCollision("event", id, events.some(hasId(id)) || created.has(childName(investment_id, id))) ??
      formatExcess("event", investment_id, created),
    summary: ({ event }) => formatEvent(event),
  }),

  new_key: {
    apply: (state, { key }) => state.putKey(key),
    creates: ({ key: { id } }) => ({ name: id, ids: [id] }),
    refusal: ({ key: { id, offering_id, key } }, { dataset, keys, created, isForeign }) =>
      formatAbsence("offering", offering_id, dataset.offering(offering_id)) ??
      formatCollision("key", id, keys.some(hasId(id)) || created.has(id)) ??
      (isForeign(key) ? `the key ${id} has the secret of a key of another environment` : undefined),
    summary: ({ key: { id, type } }) => [id, capitalized(`${type} key issued`)],
  },

  key: {
    apply(state, { key_id, attributes, date }) {
      const key = state.key(key_id);
      // A key is revoked only once. A later revocation does not change its date.
      if (key && keyStatus(key, date) === "active") state.putKey({ ...key, ...attributes });
    },
    refusal: ({ key_id, date }, { keys, created }) =>
      formatAbsence("key", key_id, keys.some(hasId(key_id)) || created.has(key_id, date)),
    summary: ({ key_id }) => [key_id, "Key revoked"],
  },

  new_fault: {
    apply: (state, { fault }) => state.putFault(fault),
    creates: ({ fault }) => ({ name: fault.id, ids: [] }),
    refusal: ({ fault: { id } }, { created }) => formatCollision("fault", id, created.has(id)),
    summary: ({ fault }) => [fault.id, formatFault(fault.rule).replace(/^fault/, "Fault begins")],
  },
};

export function rowOf<Kind extends EffectKind>(effect: Effect<Kind>): EffectRow<Kind> {
  return effectRows[effect.kind];
}

/**
 * Summarizes an effect, like in `Status PENDING, step SIGNERS`, with the id of its investment, offering, key or
 * fault. With a state that has its investment, also names the changed people and payments.
 */
export function summaryOf(effect: Effect, state?: StateView) {
  const investment = "investment_id" in effect ? state?.investment(effect.investment_id) : undefined;
  const [subject_id, summary] = rowOf(effect).summary(effect, investment);
  return { subject_id, summary };
}

/** Returns the name of a person, or the email address of one without a name; undefined if no person has the id. */
function personNameIn(investment: Investment | undefined, role: "investors" | "signing_parties", id: string) {
  const person = investment?.[role].find(hasId(id));
  const namesake = investment?.investors.find(({ email }) => email === person?.email);
  return person && (personName(person) || personName(namesake ?? {}) || person.email);
}

/** Returns the unique name of a payment or event, whose id is unique only within the investment. */
function childName(investmentId: string, id: string): string {
  return `${investmentId} ${id}`;
}

/** Creates the row of an effect on an investment. `refusal` gets the investment in its initial form. */
function investmentRow<Kind extends InvestmentEffect["kind"]>({
  refusal,
  summary,
  ...row
}: Pick<EffectRow<Kind>, "creates" | "number"> & {
  refusal?: (effect: DatedEffect<Kind>, investment: Investment, resources: ResourcesAtDate) => string | undefined;
  summary: (effect: Effect<Kind>, investment?: Investment) => string;
}): EffectRow<Kind> {
  return {
    ...row,
    apply(state, effect) {
      const investment = state.investment(effect.investment_id);
      if (investment) state.putInvestment(amended(investment, effect));
    },
    refusal(effect, resources) {
      const investment = investmentOf(effect, resources);
      return investment ? refusal?.(effect, investment, resources) : formatAbsence("investment", effect.investment_id);
    },
    summary: (effect, investment) => [effect.investment_id, summary(effect, investment)],
  };
}

/** Returns the investment of a change, in its initial form; undefined if the change is about none. */
export function investmentOf(
  { investment, investment_id: id, date }: { date: Instant; investment?: Investment; investment_id?: string },
  { dataset, created }: Pick<ResourcesAtDate, "dataset" | "created">,
): Investment | undefined {
  return investment ?? (id === undefined ? undefined : (dataset.investment(id) ?? created.investment(id, date)));
}

/**
 * Returns why an investment cannot have a number; undefined if it can, or if there is none. A number is taken at
 * all times, both before the change that sets it and after a change that replaces it: once the changes of a stopped run
 * are removed, the investment has its earlier number again.
 */
function formatTakenNumber(number: number | undefined, { id, offering_id }: Investment, resources: ResourcesAtDate) {
  if (number === undefined) return undefined;
  const { byNumber } = InvestmentList.of(resources.dataset.investmentsOf(offering_id));
  const atOrAfter = byNumber[prefixLength(byNumber, (investment) => investment.investment_number < number)];
  const isTaken =
    (atOrAfter?.investment_number === number && atOrAfter.id !== id) ||
    Array.from(resources.created.idsByNumber(offering_id, number)).some((investmentId) => investmentId !== id);
  return isTaken ? `investment_number ${sameAsAnother}` : undefined;
}

const sameAsAnother = "is the same as that of another investment; expected a unique one";

function formatAbsence(noun: string, id: string | undefined, resource?: object | boolean): string | undefined {
  if (resource) return undefined;
  return id === undefined ? `it names no ${noun}` : `there is no ${noun} ${id}`;
}

/** Returns why no more children of a kind can be added to an investment; undefined if they can. */
function formatExcess(kind: AddingKind, investmentId: string, created: CreatedLookup): string | undefined {
  const max = inputLimits.added[kind];
  if (created.countOf(kind, investmentId) < max) return undefined;
  return `the investment has ${max.toLocaleString("en")} such changes, the most`;
}

function formatCollision(noun: string, id: string, isTaken: boolean): string | undefined {
  return isTaken ? `another ${noun} has the id ${id}` : undefined;
}

function hasId(id: string): (resource: { readonly id: string }) => boolean {
  return (resource) => resource.id === id;
}
