import type { Investments } from "../../control.ts";
import { ControlError } from "../../errors/control-error.ts";
import { Place } from "../../fixture/complete/place.ts";
import { checkMembers } from "../../model/known-members.ts";
import type { Investment } from "../../model/resources.ts";
import type { Environment } from "../environment.ts";
import type { Perform } from "./perform.ts";

/** Investments of an environment in this process, changed by hand at its clock's present. */
export function localInvestments(environment: Environment, perform: Perform): Investments {
  const find = (id: string): Investment => {
    const investment = environment.read().state.investment(id.toLowerCase());
    if (!investment) throw new ControlError("not_found", "There is no investment of this id.");
    return investment;
  };
  const place = (): Place =>
    Place.root(environment.seed).at("commands", environment.id, environment.stores.timeline.issued);
  return {
    create: (given) =>
      perform(async () => {
        const { newInvestment } = await import("../new-investment.ts");
        const { now, state } = environment.read();
        const investment = newInvestment(given, { place: place(), now, state, offerings: environment.offerings });
        environment.record([{ kind: "new_investment", investment, date: investment.create_date }]);
        return { ...find(investment.id) };
      }),
    change: (id, given) =>
      perform(async () => {
        const { parseInvestmentChange } = await import("../new-investment.ts");
        const attributes = parseInvestmentChange(given);
        const { id: investment_id } = find(id);
        environment.record([{ kind: "investment", investment_id, attributes, date: environment.read().now }]);
        return { ...find(id) };
      }),
    recordEvent: (id, order) =>
      perform(() => {
        checkMembers(order, { event: true, action: true, description: true }, "the event");
        const { event, action, description = null } = order;
        for (const [name, value] of Object.entries({ event, action })) {
          if (typeof value === "string" && value !== "") continue;
          throw new ControlError("invalid", `${name} is a word such as ${name === "event" ? "PAYMENT" : "APPROVED"}.`);
        }
        const { id: investment_id } = find(id);
        const { now: create_date } = environment.read();
        const recorded = { id: place().id, event, action, description, create_date };
        environment.record([{ kind: "event", investment_id, event: recorded, date: create_date }]);
        return recorded;
      }),
  };
}
