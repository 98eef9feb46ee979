import { keyStatus } from "../environment/keys.ts";
import { findKey, findOffering } from "../environment/references.ts";
import { orNotFound } from "../errors/control-error.ts";
import { newKey } from "../fixture/complete/seed-path.ts";
import { ValidationError } from "../validation/errors.ts";
import type { Handlers } from "./call.ts";
import { describeKey, describeLimit } from "./describe.ts";

/** The handlers of the operations on keys and their limits. */
export const keyHandlers = {
  listKeys({ environment }) {
    const { now } = environment.read();
    return { data: environment.keys.map((key) => describeKey(key, environment, now)) };
  },

  issueKey({ environment, body: { type, offering_id: reference, label = null } }) {
    const offering = findOffering(environment.offerings, reference);
    const { now } = environment.read();
    const key = newKey(environment.nextSeedPath, { type, offering_id: offering.id, label, create_date: now });
    environment.record([{ kind: "new_key", key, date: now }]);
    return describeKey(key, environment, now);
  },

  revokeKey({ environment, id }) {
    const { now } = environment.read();
    const key = orNotFound(() => findKey(environment.keys, id));
    if (keyStatus(key, now) === "active")
      environment.record([{ kind: "key", key_id: key.id, attributes: { revoke_date: now }, date: now }]);
    return describeKey(environment.read().state.key(key.id) ?? key, environment, now);
  },

  listLimits: ({ environment }) => ({ data: environment.keys.map(({ id }) => describeLimit(environment, id)) }),
  clearLimits: ({ environment }) => environment.internals.limits.clear(),

  setLimit({ environment, id: reference, body: { used } }) {
    const { id } = orNotFound(() => findKey(environment.keys, reference));
    const { rateLimit } = environment;
    if (used === undefined && rateLimit === 0)
      throw new ValidationError(
        "The rate limit is off, so no key can be at its limit; expected used, or another rate limit.",
      );
    environment.internals.limits.set(id, used ?? rateLimit);
    return describeLimit(environment, id);
  },
} satisfies Partial<Handlers>;
