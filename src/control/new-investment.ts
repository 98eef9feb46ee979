import { findOffering } from "../environment/keys.ts";
import type { StateView } from "../environment/state.ts";
import { completeInvestment } from "../fixture/complete/investment.ts";
import type { Place } from "../fixture/complete/place.ts";
import type { Instant } from "../model/instant.ts";
import { Mistake } from "../model/mistakes.ts";
import type { Investment, Offering } from "../model/resources.ts";
import { parseShape } from "../model/shape-mistakes.ts";
import { investmentChange, newInvestment as writtenInvestment } from "./bodies.ts";

/** What a new investment is made within. */
export interface NewInvestmentSetting {
  readonly place: Place;
  readonly now: Instant;
  readonly state: StateView;
  readonly offerings: readonly Offering[];
}

/** A new investment from what is written of it; the rest is completed. Throws Mistake with everything that is wrong. */
export function newInvestment(given: unknown, { place, now, state, offerings }: NewInvestmentSetting): Investment {
  const { offering_id: wanted, ...written } = parseShape(writtenInvestment, given, "the investment");
  const offering = wanted === undefined ? offerings[0] : findOffering(offerings, wanted);
  if (!offering) {
    throw new Mistake(wanted === undefined ? "There are no offerings." : "There is no offering of this id or alias.");
  }
  const sparse = { create_date: now, events: [], payments: [], step: null, status: "PENDING", ...written };
  const date = Date.parse(written.create_date ?? now);
  if (date > Date.parse(now))
    throw new Mistake(`create_date is after the clock's present, ${now}; expected one up to it.`);
  const price = state.investmentsOf(offering.id).byCreation.last?.price ?? 10;
  const setting = {
    place,
    createDate: date,
    investmentNumber: 0,
    now: Math.max(date, Date.parse(now)),
    price,
    closing: 0,
  };
  return { ...completeInvestment(sparse, setting), offering_id: offering.id };
}

/** The attributes of an investment that a person sets. Throws Mistake with everything that is wrong. */
export function parseInvestmentChange(given: unknown): Partial<Omit<Investment, "id">> {
  return parseShape(investmentChange, given, "the change") as Partial<Omit<Investment, "id">>;
}
