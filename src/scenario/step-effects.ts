import { pickDefined } from "../validation/members.ts";
import { newKey, type SeedPath } from "../fixture/complete/seed-path.ts";
import { describeDuration, formatDuration, readDuration } from "../time/duration.ts";
import { formatFault, withKeyId } from "../model/fault.ts";
import { type Instant, instantAfter } from "../time/instant.ts";
import type { Investment, Key, Effect } from "../model/resources.ts";
import type {
  FaultRule,
  InvestmentAttributes,
  InvestorAttributes,
  OfferingAttributes,
  PaymentAttributes,
} from "../model/shapes.ts";
import { formatMembers } from "../text/text.ts";
import type { KeyType } from "../model/vocabulary.ts";
import { capitalized, formatEvent, formatPayment } from "../model/summaries.ts";
import { countOf, investorId, nearestOf, readSigners, signerIds, type Signers } from "./people.ts";
import type { WrittenEffects } from "./schema.ts";

// The schemas of the effects stay apart, in schema.ts: they load zod, and a start with shipped scenarios must not.

/** The members of each kind of effect. */
interface EffectMembers {
  offering: { readonly attributes: Partial<OfferingAttributes> };
  /** Changes the investor with this email address; null means the primary investor. */
  investor: { readonly email: string | null; readonly attributes: Partial<InvestorAttributes> };
  sign: { readonly who: Signers };
  /** Changes the payment with this number before the run, or this alias from an earlier step; else adds a new one. */
  payment: {
    readonly alias: string | null;
    readonly number?: number;
    readonly attributes: Partial<PaymentAttributes>;
  };
  event: { readonly event: string; readonly action: string; readonly description: string | null };
  investment: { readonly attributes: Partial<Omit<InvestmentAttributes, "id">> & { readonly broker?: string | null } };
  /** Revokes every key of this type, label or alias, or issues one. */
  key: { readonly revoke: string } | { readonly issue: { readonly type: KeyType; readonly label?: string } };
  /** Injects a fault. `for` is in milliseconds; null means until the fault is removed. */
  fault: { readonly fault: Omit<FaultRule, "for">; readonly for: number | null };
}

/** The kinds of effects in a file. */
type EffectName = keyof WrittenEffects;

/** An effect of a step, of any kind or of one. */
export type ScenarioEffect<Name extends EffectName = EffectName> = {
  [Kind in Name]: { readonly kind: Kind } & EffectMembers[Kind];
}[Name];

/** The step of a run with the effect. */
export interface StepContext {
  /** The seed path of the step: its run, repetition and index. */
  readonly seedPath: SeedPath;
  readonly date: Instant;
  readonly environmentId: string;
  readonly offeringId: string;
  readonly investment: Pick<Investment, "id" | "investors" | "signing_parties" | "payments">;
  /** The ids of payments by the aliases that the steps have given so far. Gets an entry for each new payment. */
  readonly payments: Record<string, string>;
  /** The keys of the environment issued up to the date of the step. */
  readonly keys: () => readonly Key[];
  /** The keys not revoked by the date of the step: each repetition may issue a key, and revoke all of its label. */
  readonly unrevoked: () => readonly Key[];
  /** Finds a key by a step's reference, and returns its id. Throws ValidationError if there is none. */
  readonly keyId: (reference: string) => string;
}

interface StepEffectKind<Name extends EffectName> {
  /** Reads the member of a checked step. */
  read(written: NonNullable<WrittenEffects[Name]>): readonly EffectMembers[Name][];
  /** Writes an effect as the member of a step, which `read` reads. */
  write(effect: EffectMembers[Name]): unknown;
  /** Converts the effect to changes; `seedPath` is the effect's own. Throws Error for an unknown name. */
  changes(effect: EffectMembers[Name], context: StepContext, seedPath: SeedPath): Effect[];
  /** Describes the effect: `Payment wire succeeded`. */
  format(effect: EffectMembers[Name]): string;
}

/** All kinds of effects, in the order in which a step applies them: its attributes of the investment win. */
const kinds: { readonly [Name in EffectName]: StepEffectKind<Name> } = {
  offering: {
    read: (attributes) => [{ attributes: pickDefined(attributes) }],
    write: ({ attributes }) => attributes,
    changes: ({ attributes }, { offeringId }) => [{ kind: "offering", offering_id: offeringId, attributes }],
    format: ({ attributes }) => `Offering: ${formatMembers(attributes)}`,
  },
  investor: {
    read: ({ email = null, ...attributes }) => [{ email, attributes: pickDefined(attributes) }],
    write: ({ email, attributes }) => (email === null ? attributes : { email, ...attributes }),
    changes: ({ email, attributes }, { investment }) => [
      { kind: "investor", investment_id: investment.id, id: investorId(email, investment), attributes },
    ],
    format: ({ email, attributes }) =>
      `${email === null ? "The primary investor" : `Investor ${email}`}: ${formatMembers(attributes)}`,
  },
  sign: {
    read: (who) => [{ who: readSigners(who) }],
    write: ({ who }) => who,
    changes: ({ who }, { investment }) =>
      signerIds(who, investment).map((id) => ({
        kind: "signing_party",
        investment_id: investment.id,
        id,
        attributes: { signed: true, status: "signed" },
      })),
    format({ who }) {
      if (typeof who === "string") return who === "all" ? "Everybody signs" : capitalized(`${who} sign`);
      const names = who.map((signer) => (typeof signer === "string" ? signer : `party ${signer}`));
      return capitalized(`${names.join(" and ")} sign${who.length === 1 ? "s" : ""}`);
    },
  },
  payment: {
    read: ({ alias = null, number, ...attributes }) => [
      { alias, ...pickDefined({ number }), attributes: pickDefined(attributes) },
    ],
    write: ({ alias, number, attributes }) => ({
      ...(alias !== null && { alias }),
      ...pickDefined({ number }),
      ...attributes,
    }),
    changes: (effect, context, seedPath) => [paymentChange(effect, context, seedPath)],
    format: ({ alias, number, attributes }) => formatPayment(attributes, alias ?? number),
  },
  event: {
    read: (written) => [written].flat().map(readEvent),
    write: ({ event, action, description }) =>
      description === null ? `${event} ${action}` : { event, action, description },
    changes: ({ event, action, description }, { investment, date }, { id }) => [
      { kind: "event", investment_id: investment.id, event: { id, event, action, description, create_date: date } },
    ],
    format: (pair) => formatEvent(pair),
  },
  investment: {
    read: (attributes) => [{ attributes: pickDefined(attributes) }],
    write: ({ attributes }) => attributes,
    changes: ({ attributes }, { investment }) => [{ kind: "investment", investment_id: investment.id, attributes }],
    format: ({ attributes }) => capitalized(formatMembers(attributes)),
  },
  key: {
    read: ({ revoke = "", issue }) => [
      issue ? { issue: { type: issue.type, ...pickDefined(issue, ["label"]) } } : { revoke },
    ],
    write: (effect) => ("issue" in effect ? { issue: effect.issue } : { revoke: effect.revoke }),
    changes: keyChanges,
    format: (effect) =>
      "issue" in effect ? `A ${effect.issue.type} key is issued` : `Keys ${effect.revoke} are revoked`,
  },
  fault: {
    read: ({ for: duration, ...fault }) => [
      { fault, for: duration === undefined ? null : (readDuration(duration) ?? 0) },
    ],
    write: ({ fault, for: duration }) => ({ ...fault, ...(duration !== null && { for: formatDuration(duration) }) }),
    changes: ({ fault, for: duration }, { date, keyId }, { id }) => {
      const rule = withKeyId(fault, keyId);
      const until = duration === null ? null : instantAfter(date, duration);
      return [{ kind: "new_fault", fault: { id, rule, from: date, until } }];
    },
    format: (effect) =>
      capitalized(formatFault(effect.fault)) + (effect.for === null ? "" : `, for ${describeDuration(effect.for)}`),
  },
};

/** The names of the effects, in the order in which a step applies them. */
export const effectNames = Object.keys(kinds) as EffectName[];

/** Reads the effects of a checked step. */
export function effectsOf(step: WrittenEffects): ScenarioEffect[] {
  return effectNames.flatMap((name) => effectsOfKind(name, step[name]));
}

function effectsOfKind<Name extends EffectName>(name: Name, written: WrittenEffects[Name]): ScenarioEffect[] {
  if (written === undefined) return [];
  const kind: StepEffectKind<Name> = kinds[name];
  return kind.read(written).map((members) => ({ kind: name, ...members }) as ScenarioEffect);
}

/** Writes effects as the members of a step, which `effectsOf` reads. */
export function writtenEffects(effects: readonly ScenarioEffect[]): Record<string, unknown> {
  const members: Record<string, unknown[]> = {};
  for (const effect of effects) (members[effect.kind] ??= []).push(writtenEffect(effect));
  return Object.fromEntries(Object.entries(members).map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
}

function writtenEffect<Name extends EffectName>(effect: ScenarioEffect<Name>): unknown {
  return kinds[effect.kind].write(effect);
}

/**
 * Converts an effect of a step to changes of an environment. Throws Error for an unknown name. `index` is the
 * effect's position in the step.
 */
export function changesOf<Name extends EffectName>(
  effect: ScenarioEffect<Name>,
  index: number,
  context: StepContext,
): Effect[] {
  return kinds[effect.kind].changes(effect, context, context.seedPath.at(index));
}

/** Describes an effect in words. */
export function formatEffect<Name extends EffectName>(effect: ScenarioEffect<Name>): string {
  return kinds[effect.kind].format(effect);
}

function readEvent(written: Exclude<NonNullable<WrittenEffects["event"]>, unknown[]>): EffectMembers["event"] {
  if (typeof written !== "string") return { ...written, description: written.description ?? null };
  const [event = "", action = ""] = written.split(" ");
  return { event, action, description: null };
}

function paymentChange(
  { alias, number, attributes }: EffectMembers["payment"],
  { investment, payments, date }: StepContext,
  { id }: SeedPath,
): Effect {
  if (alias !== null && number !== undefined) throw new Error("it has an alias and a number, and takes one of the two");
  const ofAlias = alias !== null && Object.hasOwn(payments, alias) ? payments[alias] : undefined;
  const known = number === undefined ? ofAlias : investment.payments[number - 1]?.id;
  if (number !== undefined && known === undefined)
    throw new Error(`there is no payment ${number}: the investment begins with ${countOf(investment.payments)}`);
  if (known !== undefined) return { kind: "payment", investment_id: investment.id, id: known, attributes };
  if (attributes.amount === undefined) {
    throw new Error(
      alias === null
        ? "a payment without an alias is new, and needs an amount"
        : `there is no payment "${alias}" yet${nearestOf(alias, Object.keys(payments))}, and a new one needs an amount`,
    );
  }
  if (alias !== null) payments[alias] = id;
  const { create_date = date } = attributes;
  const payment = {
    ...(alias !== null && { alias }),
    id,
    amount: attributes.amount,
    status: attributes.status ?? "pending",
    category: attributes.category ?? "SANDPAY",
    create_date,
    modify_date: attributes.modify_date ?? (date < create_date ? create_date : date),
  };
  return { kind: "new_payment", investment_id: investment.id, payment };
}

function keyChanges(effect: EffectMembers["key"], context: StepContext, seedPath: SeedPath): Effect[] {
  const { date, environmentId, offeringId, keys, unrevoked } = context;
  if ("issue" in effect) {
    const { type, label = null } = effect.issue;
    // The key differs in every environment: requests find their environment by their key.
    const terms = { type, offering_id: offeringId, label, create_date: date };
    return [{ kind: "new_key", key: newKey(seedPath.at(environmentId), terms) }];
  }
  const { revoke } = effect;
  const isMatch = ({ offering_id, revoke_date, type, label, alias }: Key): boolean =>
    offering_id === offeringId && revoke_date === null && [type, label, alias].includes(revoke);
  const revoked = unrevoked().filter(isMatch);
  if (revoked.length === 0 && !keys().some(isMatch)) {
    throw new Error("the offering has no key of this type, label or alias to revoke");
  }
  return revoked.map(({ id }) => ({ kind: "key", key_id: id, attributes: { revoke_date: date } }));
}
