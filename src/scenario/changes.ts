import { newKey, type Place } from "../fixture/complete/place.ts";
import type { Effect } from "../model/change.ts";
import { formatInstant, type Instant } from "../model/instant.ts";
import type { Investment, Key } from "../model/resources.ts";
import type { PaymentEffect, ScenarioEffect } from "./scenario.ts";

/** The step of a run that an effect belongs to. */
export interface StepContext {
  /** The place of the step: its run, repetition and index. */
  readonly place: Place;
  readonly date: Instant;
  readonly environmentId: string;
  readonly offeringId: string;
  readonly investment: Pick<Investment, "id" | "investors" | "signing_parties">;
  /** The ids of the payments that the script has named so far, by alias. Gets an entry for each new one. */
  readonly payments: Record<string, string>;
  /** The keys of the environment issued up to the date of the step. */
  readonly keys: () => readonly Key[];
}

/** Turns an effect of a step into timeline effects. Throws Error for a name that nothing has. `index` is its place in the step. */
export function changesOf(effect: ScenarioEffect, index: number, context: StepContext): Effect[] {
  const { date, offeringId } = context;
  const place = context.place.at(index);
  const investment_id = context.investment.id;
  switch (effect.kind) {
    case "event": {
      const { event, action, description } = effect;
      return [{ kind: "event", investment_id, event: { id: place.id, event, action, description, create_date: date } }];
    }
    case "investment":
      return [{ kind: "investment", investment_id, attributes: effect.attributes }];
    case "offering":
      return [{ kind: "offering", offering_id: offeringId, attributes: effect.attributes }];
    case "payment":
      return [paymentChange(effect, place, context)];
    case "sign":
      return signers(effect.who, context).map((id) => ({
        kind: "signing_party",
        investment_id,
        id,
        attributes: { signed: true, status: "signed" },
      }));
    case "investor":
      return [
        { kind: "investor", investment_id, id: investorId(effect.email, context), attributes: effect.attributes },
      ];
    case "key":
      return keyChanges(effect, place, context);
    case "fault": {
      const until = effect.for === null ? null : formatInstant(Date.parse(date) + effect.for);
      return [{ kind: "new_fault", fault: { id: place.id, rule: effect.fault, from: date, until } }];
    }
  }
}

function paymentChange(
  { alias, attributes }: PaymentEffect,
  place: Place,
  { investment, payments, date }: StepContext,
): Effect {
  const investment_id = investment.id;
  const known = alias === null ? undefined : payments[alias];
  if (known !== undefined) return { kind: "payment", investment_id, id: known, attributes };
  if (attributes.amount === undefined) {
    throw new Error(
      alias === null
        ? "a new payment needs an amount"
        : `there is no payment "${alias}" yet, and a new one needs an amount`,
    );
  }
  if (alias !== null) payments[alias] = place.id;
  const payment = {
    id: place.id,
    amount: attributes.amount,
    status: attributes.status ?? "pending",
    category: attributes.category ?? "SANDPAY",
    create_date: attributes.create_date ?? date,
    modify_date: attributes.modify_date ?? date,
  };
  return { kind: "new_payment", investment_id, payment };
}

function signers(who: "all" | readonly string[], { investment }: StepContext): string[] {
  const parties = investment.signing_parties;
  if (who === "all") return parties.map(({ id }) => id);
  return who.map((email) => {
    const party = parties.find((candidate) => candidate.email === email);
    if (!party) throw new Error(`no signing party has the e-mail ${email}`);
    return party.id;
  });
}

function investorId(email: string | null, { investment }: StepContext): string {
  const found = investment.investors.find((one) => (email === null ? one.is_primary : one.email === email));
  if (!found) throw new Error(email === null ? "there is no primary investor" : `no investor has the e-mail ${email}`);
  return found.id;
}

type KeyEffect = Extract<ScenarioEffect, { kind: "key" }>;

function keyChanges(effect: KeyEffect, place: Place, context: StepContext): Effect[] {
  const { date, environmentId, offeringId, keys } = context;
  if ("issue" in effect) {
    const { type, label = null } = effect.issue;
    // Of its environment alone: requests find their environment by their key.
    const own = place.at(environmentId);
    return [{ kind: "new_key", key: newKey(own, { type, offering_id: offeringId, label, create_date: date }) }];
  }
  const { revoke } = effect;
  const revoked = keys().filter(
    (key) =>
      key.offering_id === offeringId && key.revoke_date === null && (key.type === revoke || key.label === revoke),
  );
  if (revoked.length === 0) throw new Error("the offering has no key of this type or label to revoke");
  return revoked.map(({ id }) => ({ kind: "key", key_id: id, attributes: { revoke_date: date } }));
}
