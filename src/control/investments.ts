import type { AssumptionValue } from "../assumptions/catalogue.ts";
import type { EventOrder, EventRecord, InvestmentRecord } from "../control.ts";
import type { Environment } from "../environment/environment.ts";
import { newInvestment, refuseAll } from "../environment/new-investment.ts";
import { findInvestment, findOffering, firstOffering } from "../environment/references.ts";
import { addressed, ControlError } from "../errors/control-error.ts";
import { investmentMistakes } from "../fixture/mistakes/resources.ts";
import type { Finding } from "../model/finding.ts";
import type { Instant } from "../model/instant.ts";
import { Mistake } from "../model/mistakes.ts";
import type { Investment } from "../model/resources.ts";
import type { BodyValue } from "./bodies.ts";

/* The commands that change investments by hand, at the clock's present. Loaded with the first of them. */

/** Creates an investment from sparse content; the rest is completed. Throws Mistake with every mistake. */
export function createInvestment(environment: Environment, body: BodyValue<"NewInvestment">): InvestmentRecord {
  const { now } = environment.read();
  const { offering_id: reference, ...content } = body;
  environment.refuseKeyIn("alias", content.alias);
  const { offerings } = environment;
  const offering = reference === undefined ? firstOffering(offerings) : findOffering(offerings, reference);
  refuseFuture(content, now);
  const investment = newInvestment(
    {
      written: content,
      path: [],
      place: environment.nextPlace,
      offeringId: offering.id,
      date: now,
      statuses: environment.assumptions["investment.statuses"],
    },
    environment.stores.history,
  );
  environment.record([{ kind: "new_investment", investment, date: investment.create_date }]);
  return { ...find(environment, investment.id) };
}

/** Throws Mistake with every mistake. */
export function changeInvestment(
  environment: Environment,
  id: string,
  body: BodyValue<"InvestmentChange">,
): InvestmentRecord {
  const attributes = body as Partial<Omit<Investment, "id">>;
  const before = find(environment, id);
  const { now: date } = environment.read();
  refuseFuture(attributes, date);
  const statuses = attributes.status === undefined ? "any" : environment.assumptions["investment.statuses"];
  refuseNew(environment, before, { ...before, modify_date: date, ...attributes }, statuses);
  environment.record([{ kind: "investment", investment_id: before.id, attributes, date }]);
  return { ...find(environment, before.id) };
}

export function recordEvent(environment: Environment, id: string, order: EventOrder): EventRecord {
  const { event, action, description = null } = order;
  for (const [name, value] of Object.entries({ event, action })) {
    if (value !== "") continue;
    throw new ControlError("invalid", `${name} is a word such as ${name === "event" ? "PAYMENT" : "APPROVED"}.`);
  }
  const investment = find(environment, id);
  const { now: create_date } = environment.read();
  const recorded = { id: environment.nextPlace.id, event, action, description, create_date };
  refuseNew(environment, investment, { ...investment, events: [...investment.events, recorded] });
  environment.record([{ kind: "event", investment_id: investment.id, event: recorded, date: create_date }]);
  return recorded;
}

/** Throws Mistake for a creation after the clock's present: the investment would not be there yet. */
function refuseFuture({ create_date: date }: { readonly create_date?: Instant | undefined }, now: Instant): void {
  if (date === undefined || date <= now) return;
  throw new Mistake(`create_date is after the clock's present, ${now}; expected one up to it.`);
}

/** Throws Mistake with the mistakes of an investment after a change, except those it had before. */
function refuseNew(
  environment: Environment,
  before: Investment,
  after: Investment,
  statuses: AssumptionValue<"investment.statuses"> = "any",
): void {
  const offering = environment.read().state.offering(before.offering_id);
  const mistakesIn = (investment: Investment): Finding[] =>
    investmentMistakes({ ...investment }, { path: [], offering, statuses });
  const messages = new Set(mistakesIn(before).map(({ message }) => message));
  refuseAll(mistakesIn(after).filter(({ message }) => !messages.has(message)));
}

function find(environment: Environment, id: string): Investment {
  environment.read();
  return addressed(() => findInvestment(environment.stores.history, id));
}
