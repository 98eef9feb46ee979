import type { Place } from "../fixture/complete/place.ts";
import { formatInstant, type Instant } from "../model/instant.ts";
import type { Investment, Key } from "../model/resources.ts";
import type { ScenarioEffect, Step } from "../scenario/scenario.ts";
import type { DatedEffect, Effect } from "./change.ts";
import { newKey } from "./keys.ts";
import { later, placeOfRepetition, type Run, type Track } from "./run.ts";
import type { RunHost } from "./runs.ts";

/** What the effects of a step are made into changes with. */
interface StepSetting {
  readonly track: Track;
  /** The place of the step: its run, repetition and index. */
  readonly place: Place;
  readonly date: Instant;
  readonly environmentId: string;
  readonly offeringId: string;
  /** The investment as far as the script is concerned: its persons. */
  readonly investment: Pick<Investment, "investors" | "signing_parties">;
  /** The keys of the environment that are issued by then. */
  readonly keys: () => readonly Key[];
}

/** The changes that one effect of a step makes. Throws an Error that says what the step names and is not there. */
function changesOf(effect: ScenarioEffect, index: number, setting: StepSetting): Effect[] {
  const { track, date } = setting;
  const place = setting.place.at(index);
  const investment_id = track.investment_id;
  switch (effect.kind) {
    case "event": {
      const { event, action, description } = effect;
      return [{ kind: "event", investment_id, event: { id: place.id, event, action, description, create_date: date } }];
    }
    case "investment":
      return [{ kind: "investment", investment_id, attributes: effect.attributes }];
    case "offering":
      return [{ kind: "offering", offering_id: setting.offeringId, attributes: effect.attributes }];
    case "payment":
      return [paymentChange(effect, place, setting)];
    case "sign":
      return signers(effect.who, setting).map((id) => ({
        kind: "signing_party",
        investment_id,
        id,
        attributes: { signed: true, status: "signed" },
      }));
    case "investor":
      return [
        { kind: "investor", investment_id, id: investorId(effect.email, setting), attributes: effect.attributes },
      ];
    case "key":
      return keyChanges(effect, place, setting);
    case "fault": {
      const until = effect.for === null ? null : formatInstant(Date.parse(date) + effect.for);
      return [{ kind: "new_fault", fault: { id: place.id, rule: effect.fault, from: date, until } }];
    }
  }
}

type PaymentEffect = Extract<ScenarioEffect, { kind: "payment" }>;

function paymentChange({ alias, attributes }: PaymentEffect, place: Place, { track, date }: StepSetting): Effect {
  const { investment_id, payments } = track;
  const known = alias === null ? undefined : payments[alias];
  if (known !== undefined) return { kind: "payment", investment_id, id: known, attributes };
  if (attributes.amount === undefined) {
    throw new Error(
      alias === null
        ? "a new payment needs an amount"
        : `there is no payment "${alias}" yet, and a new one needs an amount`,
    );
  }
  if (alias !== null) payments[alias] = place.id;
  const payment = {
    id: place.id,
    amount: attributes.amount,
    status: attributes.status ?? "pending",
    category: attributes.category ?? "SANDPAY",
    create_date: attributes.create_date ?? date,
    modify_date: attributes.modify_date ?? date,
  };
  return { kind: "new_payment", investment_id, payment };
}

function signers(who: "all" | readonly string[], { investment }: StepSetting): string[] {
  const parties = investment.signing_parties;
  if (who === "all") return parties.map(({ id }) => id);
  return who.map((email) => {
    const party = parties.find((candidate) => candidate.email === email);
    if (!party) throw new Error(`no signing party has the e-mail ${email}`);
    return party.id;
  });
}

function investorId(email: string | null, { investment }: StepSetting): string {
  const found = investment.investors.find((one) => (email === null ? one.is_primary : one.email === email));
  if (!found) throw new Error(email === null ? "there is no primary investor" : `no investor has the e-mail ${email}`);
  return found.id;
}

type KeyEffect = Extract<ScenarioEffect, { kind: "key" }>;

function keyChanges(effect: KeyEffect, place: Place, setting: StepSetting): Effect[] {
  const { date, environmentId, offeringId, keys } = setting;
  if ("issue" in effect) {
    const { type, label = null } = effect.issue;
    // Of its environment alone: requests find their environment by their key.
    const own = place.at(environmentId);
    return [{ kind: "new_key", key: newKey(own, { type, offering_id: offeringId, label, create_date: date }) }];
  }
  const { revoke } = effect;
  const revoked = keys().filter(
    (key) =>
      key.offering_id === offeringId && key.revoke_date === null && (key.type === revoke || key.label === revoke),
  );
  if (revoked.length === 0) throw new Error("the offering has no key of this type or label to revoke");
  return revoked.map(({ id }) => ({ kind: "key", key_id: id, attributes: { revoke_date: date } }));
}

/** What steps are dated and made into changes with. */
interface ScheduleSetting {
  readonly host: Pick<RunHost, "id" | "seed" | "keysBy">;
  /** Which repetition of its run the track is, from 0. */
  readonly repetition: number;
  readonly investment: Pick<Investment, "investors" | "signing_parties">;
}

/**
 * Dates the steps of a track, in the track itself, from the next one on, up to one that waits, and answers their changes.
 * `fire` is the instant at which the next one, which waits, happens now. Throws an Error that names the step and the reason.
 */
export function schedule(run: Run, track: Track, setting: ScheduleSetting, fire?: Instant): DatedEffect[] {
  const { steps } = run.scenario;
  const { host, repetition, investment } = setting;
  const place = placeOfRepetition(run, repetition, host.seed);
  const issued: Key[] = [];
  const effects: DatedEffect[] = [];
  let forced = fire;
  for (let index = track.dues.length; index < steps.length; index++) {
    const step = steps[index];
    const last = track.dues.at(-1) ?? track.start;
    const date = step && (forced ?? dateOf(step, last, track.start));
    if (!step || date === undefined) break;
    if (date < last) throw new Error(`step ${index + 1}: ${date} is before what comes before it, ${last}`);
    forced = undefined;
    track.dues.push(date);
    track.reads = 0;
    const origin = { run: run.id, step: index };
    const stepSetting: StepSetting = {
      track,
      place: place.at("steps", index),
      date,
      environmentId: host.id,
      offeringId: run.offering_id,
      investment,
      keys: () => [...host.keysBy(date), ...issued],
    };
    for (const [at, effect] of step.effects.entries()) {
      try {
        for (const change of changesOf(effect, at, stepSetting)) {
          effects.push({ ...change, date, origin });
          if (change.kind === "new_key") issued.push(change.key);
        }
      } catch (error) {
        throw new Error(`step ${index + 1}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
    }
  }
  return effects;
}

/** When a step happens by time; undefined when it waits. */
function dateOf({ trigger }: Step, last: Instant, start: Instant): Instant | undefined {
  switch (trigger.kind) {
    case "after":
      return later(last, trigger.by);
    case "at":
      return "instant" in trigger ? trigger.instant : later(start, trigger.since);
    case "after_reads":
    case "next":
      return undefined;
  }
}
