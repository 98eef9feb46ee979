import type { EventOrder, EventRecord, InvestmentRecord } from "../control.ts";
import type { Environment } from "../environment/environment.ts";
import { findOffering } from "../environment/keys.ts";
import { ControlError } from "../errors/control-error.ts";
import { completeInvestment } from "../fixture/complete/investment.ts";
import { checkMembers } from "../model/members.ts";
import { Mistake } from "../model/mistakes.ts";
import type { Investment } from "../model/resources.ts";
import { parseShape } from "../model/shape-mistakes.ts";
import { investmentChange, newInvestment } from "./bodies.ts";

/*
 * The commands that change investments by hand, at the clock's present. Loaded with the first of them, for they load zod.
 */

/** Creates an investment from sparse content; the rest is completed. Throws Mistake with everything that is wrong. */
export function createInvestment(environment: Environment, given: unknown): InvestmentRecord {
  const { now, state } = environment.read();
  const { offering_id: wanted, ...content } = parseShape(newInvestment, given, "the investment");
  const { offerings } = environment;
  const offering = wanted === undefined ? offerings[0] : findOffering(offerings, wanted);
  if (!offering) {
    throw new Mistake(wanted === undefined ? "There are no offerings." : "There is no offering of this id or alias.");
  }
  const [createDate, present] = [Date.parse(content.create_date ?? now), Date.parse(now)];
  if (createDate > present) {
    throw new Mistake(`create_date is after the clock's present, ${now}; expected one up to it.`);
  }
  const completed = completeInvestment(
    { create_date: now, events: [], payments: [], step: null, status: "PENDING", ...content },
    {
      place: environment.nextPlace,
      createDate,
      investmentNumber: 0,
      now: present,
      price: state.investmentsOf(offering.id).byCreation.last?.price ?? 10,
      closing: 0,
    },
  );
  const investment = { ...completed, offering_id: offering.id };
  environment.record([{ kind: "new_investment", investment, date: investment.create_date }]);
  return { ...find(environment, investment.id) };
}

/** Throws Mistake with everything that is wrong. */
export function changeInvestment(environment: Environment, id: string, given: unknown): InvestmentRecord {
  const attributes = parseShape(investmentChange, given, "the change") as Partial<Omit<Investment, "id">>;
  const { id: investment_id } = find(environment, id);
  environment.record([{ kind: "investment", investment_id, attributes, date: environment.read().now }]);
  return { ...find(environment, id) };
}

export function recordEvent(environment: Environment, id: string, order: EventOrder): EventRecord {
  checkMembers(order, { event: true, action: true, description: true }, "the event");
  const { event, action, description = null } = order;
  for (const [name, value] of Object.entries({ event, action })) {
    if (typeof value === "string" && value !== "") continue;
    throw new ControlError("invalid", `${name} is a word such as ${name === "event" ? "PAYMENT" : "APPROVED"}.`);
  }
  const { id: investment_id } = find(environment, id);
  const { now: create_date } = environment.read();
  const recorded = { id: environment.nextPlace.id, event, action, description, create_date };
  environment.record([{ kind: "event", investment_id, event: recorded, date: create_date }]);
  return recorded;
}

function find(environment: Environment, id: string): Investment {
  const investment = environment.read().state.investment(id.toLowerCase());
  if (!investment) throw new ControlError("not_found", "There is no investment of this id.");
  return investment;
}
