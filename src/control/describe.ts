import { catalogue } from "../assumptions/catalogue.ts";
import type {
  AssumptionDescription,
  ChangeDescription,
  EnvironmentDescription,
  FaultDescription,
  KeyDescription,
  LimitDescription,
  OfferingDescription,
} from "../control.ts";
import type { Environment } from "../environment/environment.ts";
import type { FaultUses } from "../environment/faults.ts";
import { keyStatus } from "../environment/keys.ts";
import type { StateView } from "../environment/state.ts";
import { ControlError } from "../errors/control-error.ts";
import type { Change, Fault } from "../model/change.ts";
import type { Instant } from "../model/instant.ts";
import type { Key } from "../model/resources.ts";
import type { KeyType } from "../model/vocabulary.ts";

/** The offerings and keys that an environment was opened with. */
export interface Opened {
  readonly offerings: readonly Pick<OfferingDescription, "id">[];
  readonly keys: readonly Pick<KeyDescription, "type" | "offering_id" | "status" | "key">[];
}

/** Returns the secret of the first active key of a type for the first offering; undefined if there is none. */
export function firstSecret({ keys, offerings }: Opened, type: KeyType): string | undefined {
  const [offering] = offerings;
  return keys.find((key) => key.type === type && key.offering_id === offering?.id && key.status === "active")?.key;
}

/** Like `firstSecret`, but throws ControlError if there is none: a test without a key would test nothing. */
export function expectFirstSecret(opened: Opened, type: KeyType): string {
  const secret = firstSecret(opened, type);
  if (secret !== undefined) return secret;
  throw new ControlError("not_found", `The first offering was opened without a ${type} key that serves; issue one.`);
}

/** Throws ControlError if there is none. */
export function expectFirstOffering([offering]: readonly OfferingDescription[]): OfferingDescription {
  if (offering) return offering;
  throw new ControlError("not_found", "The fixture has no offerings.");
}

export function describeEnvironment(environment: Environment): EnvironmentDescription {
  const { setup, stores } = environment;
  const { now, state } = environment.read();
  return {
    id: setup.id,
    fixture: setup.dataset.name,
    create_date: environment.created,
    clock: { now, speed: stores.clock.speed },
    profile: setup.profile,
    rate_limit: setup.rateLimit,
    offerings: setup.dataset.offerings.map((offering) => ({
      id: offering.id,
      name: state.offering(offering.id)?.name ?? offering.name,
      alias: offering.alias ?? null,
      investments: state.investmentsOf(offering.id).length,
    })),
    keys: environment.keys.map((key) => describeKey(key, setup.id, now)),
    runs: stores.runs.all.map((run) => stores.runs.describe(run)),
  };
}

export function describeKey(key: Key, environment: string, now: Instant): KeyDescription {
  const { id, key: secret, type, offering_id, label, create_date, revoke_date } = key;
  return {
    id,
    key: secret,
    type,
    offering_id,
    environment,
    status: keyStatus(key, now),
    label,
    create_date,
    revoke_date,
  };
}

/** Describes a change with the run that made it and, for a new investment, the number it has by now. */
export function describeChange({ origin, ...change }: Change, state: StateView): ChangeDescription {
  // Assigned, not copied once more: a timeline may have thousands of changes.
  const described = Object.assign(change, { run: origin?.run ?? null });
  if (change.kind !== "new_investment" || change.investment.investment_number > 0) return described;
  const { investment_number = null } = state.investment(change.investment.id) ?? {};
  return { ...described, investment: { ...change.investment, investment_number } };
}

export function describeFault(fault: Fault, uses: FaultUses, now: Instant): FaultDescription {
  const { id, rule, from, until } = fault;
  return { id, ...rule, used: uses.get(id), active: uses.isActive(fault, now), from, until };
}

export function describeLimit({ stores, rateLimit }: Environment, keyId: string): LimitDescription {
  const { used, resetsIn } = stores.limits.read(keyId, stores.clock.limitTime);
  return { key_id: keyId, used, limit: rateLimit, resets_in_seconds: Math.ceil(resetsIn / 1000) };
}

export function describeAssumptions({ assumptions }: Environment): AssumptionDescription[] {
  return catalogue.map(({ id, question, section, values }) => ({
    id,
    question,
    section,
    value: assumptions[id],
    values,
  }));
}
