import type { FaultDescription, Faults, Investments, KeyDescription, Keys } from "../control.ts";
import type { Environment } from "../environment/environment.ts";
import type { Fault } from "../model/change.ts";
import { findOffering, keyStatus } from "../environment/keys.ts";
import { ControlError } from "../errors/control-error.ts";
import { newKey, Place } from "../fixture/complete/place.ts";
import { formatInstant } from "../model/instant.ts";
import { checkMembers } from "../model/members.ts";
import type { Investment } from "../model/resources.ts";
import { didYouMean } from "../model/text.ts";
import { keyTypes } from "../model/vocabulary.ts";
import { describeFault, describeKey, expectFirstSecret, type Opened } from "./describe.ts";
import type { Perform } from "./perform.ts";

/** More faults than anybody needs at once, so that nobody fills the memory with them. */
const most = 1000;

/** The faults of an environment in this process. */
export function localFaults(environment: Environment, perform: Perform): Faults {
  const current = (): Fault[] => {
    const { now, state } = environment.read();
    return [...state.faults].filter(({ until }) => until === null || until > now);
  };
  const described = (fault: Fault): FaultDescription =>
    describeFault(fault, environment.stores.faultUses, environment.read().now);
  return {
    list: () => perform(() => current().map(described)),
    add: (given) =>
      perform(async () => {
        const [{ parseShape }, { faultRule }] = await Promise.all([
          import("../model/shape-mistakes.ts"),
          import("../model/schemas.ts"),
        ]);
        const rule = parseShape(faultRule, given, "the fault");
        if (current().length >= most)
          throw new ControlError("conflict", `There are ${most} faults already; remove some.`);
        const { now } = environment.read();
        const fault: Fault = {
          id: `fault-${environment.stores.history.timeline.issued + 1}`,
          rule,
          from: now,
          until: null,
        };
        environment.record([{ kind: "new_fault", fault, date: now }]);
        return described(fault);
      }),
    remove: (id) =>
      perform(() => {
        const gone = current().filter((fault) => id === undefined || fault.id === id);
        if (id !== undefined && gone.length === 0) throw new ControlError("not_found", "There is no fault of this id.");
        const date = environment.read().now;
        environment.record(
          gone.map((fault) => ({ kind: "fault", fault_id: fault.id, attributes: { until: date }, date })),
        );
      }),
  };
}

/** Investments of an environment in this process, changed by hand at its clock's present. */
export function localInvestments(environment: Environment, perform: Perform): Investments {
  const find = (id: string): Investment => {
    const investment = environment.read().state.investment(id.toLowerCase());
    if (!investment) throw new ControlError("not_found", "There is no investment of this id.");
    return investment;
  };
  const place = (): Place =>
    Place.root(environment.seed).at("commands", environment.id, environment.stores.history.timeline.issued);
  return {
    create: (given) =>
      perform(async () => {
        const { newInvestment } = await import("./new-investment.ts");
        const { now, state } = environment.read();
        const investment = newInvestment(given, { place: place(), now, state, offerings: environment.offerings });
        environment.record([{ kind: "new_investment", investment, date: investment.create_date }]);
        return { ...find(investment.id) };
      }),
    change: (id, given) =>
      perform(async () => {
        const { parseInvestmentChange } = await import("./new-investment.ts");
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

/** The keys of an environment in this process. */
export function localKeys(environment: Environment, perform: Perform): Keys {
  const opened = (): Opened => {
    const { clock, keys, dataset } = environment.setup;
    const start = formatInstant(clock.now);
    return { offerings: dataset.offerings, keys: keys.map((key) => ({ ...key, status: keyStatus(key, start) })) };
  };
  const described = (id: string): KeyDescription => {
    const { now, state } = environment.read();
    const key = state.key(id);
    if (!key) throw new ControlError("not_found", "There is no key of this id.");
    return describeKey(key, environment.id, now);
  };
  return {
    get marketing() {
      return expectFirstSecret(opened(), "marketing");
    },
    get partner() {
      return expectFirstSecret(opened(), "partner");
    },
    list: () => perform(() => environment.keys.map(({ id }) => described(id))),
    issue: (order) =>
      perform(() => {
        checkMembers(order, { type: true, offering_id: true, label: true }, "the key");
        const { type, offering_id, label } = order;
        if (!keyTypes.includes(type)) {
          throw new ControlError("invalid", `type is ${keyTypes.join(" or ")}.${didYouMean(type, keyTypes)}`);
        }
        if (label !== undefined && !/^\P{Cc}{1,200}$/u.test(label)) {
          throw new ControlError("invalid", "label is a line of up to 200 characters.");
        }
        const offering = findOffering(environment.offerings, offering_id);
        if (!offering) throw new ControlError("invalid", "There is no offering of this id or alias.");
        const { now } = environment.read();
        const place = Place.root(environment.seed).at(
          "issued",
          environment.id,
          environment.stores.history.timeline.issued,
        );
        const terms = { type, offering_id: offering.id, label: label ?? null, create_date: now };
        const key = newKey(place, terms);
        environment.record([{ kind: "new_key", key, date: now }]);
        return described(key.id);
      }),
    revoke: (id) =>
      perform(() => {
        const { now } = environment.read();
        if (described(id).status === "active") {
          environment.record([{ kind: "key", key_id: id, attributes: { revoke_date: now }, date: now }]);
        }
        return described(id);
      }),
  };
}
