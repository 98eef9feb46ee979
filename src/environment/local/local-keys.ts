import type { KeyDescription, Keys } from "../../control.ts";
import { expectFirstSecret, type Opened } from "../../control/first.ts";
import { ControlError } from "../../errors/control-error.ts";
import { Place } from "../../fixture/complete/place.ts";
import { checkMembers } from "../../model/known-members.ts";
import { formatInstant } from "../../model/instant.ts";
import { keyTypes } from "../../model/key-type.ts";
import { didYouMean } from "../../model/nearest.ts";
import { describeKey } from "../describe.ts";
import type { Environment } from "../environment.ts";
import { findOffering } from "../find-offering.ts";
import { keyStatus } from "../key-status.ts";
import { newKey } from "../new-key.ts";
import type { Perform } from "./perform.ts";

/** The keys of an environment in this process. */
export function localKeys(environment: Environment, perform: Perform): Keys {
  const opened = (): Opened => {
    const { clock, keys, dataset } = environment.opening;
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
        const place = Place.root(environment.seed).at("issued", environment.id, environment.stores.timeline.issued);
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
