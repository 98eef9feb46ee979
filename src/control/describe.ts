import { assume, catalog, originOfValue } from "../assumptions/catalog.ts";
import type {
  AssumptionDescription,
  ChangeDescription,
  EnvironmentDescription,
  EnvironmentSummary,
  EnvironmentBase,
  FaultDescription,
  KeyDescription,
  LimitDescription,
  OfferingDescription,
  OfferingSummary,
} from "../public/control.ts";
import type { Environment } from "../environment/environment.ts";
import { expiryOf } from "../environment/environments.ts";
import { summaryOf } from "../environment/effects.ts";
import type { FaultUses } from "../environment/faults.ts";
import { keyStatus } from "../environment/keys.ts";
import type { History } from "../environment/history.ts";
import type { StateView } from "../environment/state.ts";
import { faultSummary, doubtfulMember } from "../model/fault.ts";
import { formatInstant, type Instant } from "../time/instant.ts";
import { fromCents, toCents } from "../model/money.ts";
import { type Key, type Offering, offeringAttributesOf, type Change, type Fault } from "../model/resources.ts";
import type { KeyType } from "../model/vocabulary.ts";

/** Describes an environment without catching up with its clock. */
export function summarizeEnvironment(environment: Environment): EnvironmentSummary {
  const expiry = expiryOf(environment);
  return {
    ...describeBase(environment),
    last_request_at: environment.internals.journal.list({ limit: 1 }).data[0]?.recorded_at ?? null,
    expires_at: expiry === null ? null : formatInstant(expiry),
  };
}

function describeBase({ config, uid, internals: { clock } }: Environment): EnvironmentBase {
  return {
    id: config.id,
    uid,
    label: config.label ?? null,
    fixture: config.dataset.name,
    create_date: formatInstant(config.clock.now),
    clock: { now: clock.now, speed: clock.speed },
    profile: config.profile,
    rate_limit: config.rateLimit,
  };
}

export function describeEnvironment(environment: Environment, baseUrl: string): EnvironmentDescription {
  const { internals } = environment;
  const { now } = environment.read();
  return {
    ...describeBase(environment),
    base_url: baseUrl,
    marketing_key: openingSecret(environment, "marketing"),
    partner_key: openingSecret(environment, "partner"),
    offerings: describeOfferings(environment),
    keys: environment.keys.map((key) => describeKey(key, environment, now)),
    runs: internals.runs.all.map((run) => internals.runs.describe(run)),
    faults: describeFaults(environment),
  };
}

export function describeOfferings(environment: Environment): OfferingDescription[] {
  const { state } = environment.read();
  return environment.config.dataset.offerings.map((offering) => describeOffering(offering, state));
}

function describeOffering({ id, name, alias }: Offering, state: StateView): OfferingDescription {
  return {
    id,
    name: state.offering(id)?.name ?? name,
    alias: alias ?? null,
    investments: state.investmentsOf(id).length,
  };
}

export function summarizeOfferings(environment: Environment): OfferingSummary[] {
  const { state } = environment.read();
  return environment.offerings.map((offering) => summarizeOffering(offering, state));
}

export function summarizeOffering(offering: Offering, state: StateView): OfferingSummary {
  const { statuses, steps, amount, paidAmount: paid_amount } = state.investmentsOf(offering.id).totals;
  const attributes = { ...offeringAttributesOf(state.offering(offering.id) ?? offering) };
  const amounts = amountsOf(offering, state);
  return { ...describeOffering(offering, state), attributes, statuses, steps, amount, amounts, paid_amount };
}

function amountsOf({ id: offeringId }: Offering, state: StateView): OfferingSummary["amounts"] {
  const list = state.investmentsOf(offeringId);
  return list.computeOnce("amounts", () => {
    const cents = { closed: 0, signed: 0, pending: 0 };
    for (const { id, status, amount } of list.byCreation)
      cents[status === "CLOSED" ? "closed" : state.isSigned(id) ? "signed" : "pending"] += toCents(amount);
    const { closed, signed, pending } = cents;
    return { closed: fromCents(closed), signed: fromCents(signed), pending: fromCents(pending) };
  });
}

/**
 * Returns the secret of a key for the first offering, as the environment was opened: if possible, a key that is not at
 * its limit. Returns null if there was no key.
 */
export function openingSecret({ config: { clock, keys, dataset } }: Environment, type: KeyType): string | null {
  const [offering] = dataset.offerings;
  const openedAt = formatInstant(clock.now);
  const isUsable = (key: Key) =>
    key.type === type && key.offering_id === offering?.id && keyStatus(key, openedAt) === "active";
  const usableKeys = keys.filter(isUsable);
  return (usableKeys.find(({ at_limit }) => !at_limit) ?? usableKeys[0])?.key ?? null;
}

export function describeKey(key: Key, environment: Environment, now: Instant): KeyDescription {
  const { id, key: secret, type, offering_id, alias = null, label, create_date, revoke_date } = key;
  const identity = { id, key: secret, type, offering_id, environment: environment.id };
  const effect = keyEffect(key, environment, now);
  return { ...identity, status: keyStatus(key, now), effect, alias, label, create_date, revoke_date };
}

function keyEffect(key: Key, environment: Environment, now: Instant): string {
  if (keyStatus(key, now) === "revoked") return "every request gets 401";
  const { used, limit } = describeLimit(environment, key.id);
  if (limit > 0 && used >= limit) return "every request gets 429 until its minute is over";
  if (key.type === "marketing") return "personal data redacted, phone numbers";
  if (key.personal_data) return "personal data, no phone numbers";
  return environment.assumptions["auth.partner_data"] === "granted"
    ? "personal data; in the real service perhaps only on request"
    : "personal data redacted, no phone numbers";
}

export function describeChange({ origin, ...change }: Change, history: History): ChangeDescription {
  const summary = summaryOf(change, history.state);
  const investment_name = history.investmentName(summary.subject_id) ?? null;
  // The members are assigned, not copied again, because a timeline may have thousands of changes.
  return Object.assign(change, { run: origin?.run ?? null, ...summary, investment_name });
}

/** Returns the faults that are active, scheduled or exhausted, but not those whose time is over. */
export function currentFaults(environment: Environment): Fault[] {
  const { now, state } = environment.read();
  return [...state.faults].filter(({ until }) => until === null || until > now);
}

export function describeFaults(environment: Environment): FaultDescription[] {
  const { now } = environment.read();
  return currentFaults(environment).map((fault) => describeFault(fault, environment.internals.faultUses, now));
}

export function describeFault(fault: Fault, uses: FaultUses, now: Instant): FaultDescription {
  const { id, rule, from, until } = fault;
  const warning = doubtfulMember(rule)?.join(" ") ?? null;
  const usage = { used: uses.get(id), active: uses.isActive(fault, now) };
  return { id, summary: faultSummary(rule), warning, ...rule, ...usage, from, until };
}

export function describeLimit({ internals, rateLimit }: Environment, keyId: string): LimitDescription {
  const { used, resetsInMs } = internals.limits.read(keyId, internals.clock.limitTime);
  return { key_id: keyId, used, limit: rateLimit, resets_in_seconds: Math.ceil(resetsInMs / 1000) };
}

export function describeAssumptions({ assumptions, config, internals }: Environment): AssumptionDescription[] {
  const profileValues = assume(config.profile);
  const origins = { profile: config.profile, assumptions, calibrated: internals.calibrated };
  const requestCounts = new Map<string, number>();
  for (const { assumptions: ids } of internals.journal.list({}).data) {
    for (const id of ids) requestCounts.set(id, (requestCounts.get(id) ?? 0) + 1);
  }
  return catalog.map(({ id, question, section, values, accepts = null }) => {
    const value = { value: assumptions[id], profile_value: profileValues[id] };
    const row = { id, question, section, ...value, values, accepts };
    return { ...row, ...originOfValue(id, origins), request_count: requestCounts.get(id) ?? 0 };
  });
}
