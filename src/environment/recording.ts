import { pickDates } from "../fixture/complete/dates.ts";
import { pickDefined } from "../validation/members.ts";
import type { SparseInvestment } from "../fixture/schema.ts";
import { describeDuration } from "../time/duration.ts";
import { withKeyId } from "../model/fault.ts";
import type { Instant } from "../time/instant.ts";
import type { Investment, Key, Change, DatedEffect } from "../model/resources.ts";
import { asLabel, formatMembers, quoted } from "../text/text.ts";
import { effectNames, type ScenarioEffect } from "../scenario/step-effects.ts";
import type { Step } from "../scenario/scenario.ts";
import { summaryOf } from "./effects.ts";
import type { State } from "./state.ts";

/** A scenario that is written from changes of one investment, of keys and of faults. */
export class Recording {
  /** The messages about everything that a scenario cannot express. */
  readonly warnings: string[] = [];
  readonly #offeringId: string;
  readonly #start: Instant;
  readonly #steps: { readonly date: Instant; readonly effects: ScenarioEffect[] }[] = [];
  /** The investment as a run finds it. */
  #initial: Investment | undefined;
  #created: SparseInvestment | undefined;
  #createdAt: Instant = "";
  readonly #paymentAliases = new Map<string, string>();

  /**
   * `initial` is the investment before its first change; undefined for one that a change creates. Changes before
   * `start` are recorded as made at `start`.
   */
  constructor(offeringId: string, initial: Investment | undefined, start: Instant) {
    this.#offeringId = offeringId;
    this.#initial = initial;
    this.#start = start;
  }

  /** The investment that the scenario creates; undefined if it plays on an existing one. */
  get created(): SparseInvestment | undefined {
    return this.#created;
  }

  /** The steps, whole seconds apart. A new investment is created with the first one. */
  get steps(): Step[] {
    const start = (this.#created && this.#steps[0]?.date) ?? this.#start;
    const msFromStart = (date = start): number => Math.round((Date.parse(date) - Date.parse(start)) / 1000) * 1000;
    const steps = this.#steps.map(({ date, effects }, index): Step => ({
      trigger: { kind: "after", by: msFromStart(date) - msFromStart(this.#steps[index - 1]?.date) },
      effects,
    }));
    return steps.length > 0 ? steps : [{ trigger: { kind: "after", by: 0 }, effects: [this.#onlyCreation] }];
  }

  /** Adds a change; `before` is the state before it. */
  add(change: Change, before: State): void {
    const date = this.#dateOf(change);
    if (change.kind === "new_investment") this.#create(change);
    const effect = this.#effectOf(change, before);
    if (!effect) return;
    const last = this.#steps.at(-1);
    const previousEffect = last?.effects.at(-1);
    const pauseMs = last || !this.#created ? 0 : Date.parse(date) - Date.parse(this.#createdAt);
    if (pauseMs >= 1000) {
      const durationText = describeDuration(Math.round(pauseMs / 1000) * 1000);
      this.warnings.push(`Omitted: ${durationText} between the creation and the first step; a play does both at once.`);
    }
    if (last?.date !== date || (previousEffect && rankOf(effect) < rankOf(previousEffect))) {
      this.#steps.push({ date, effects: [effect] });
    } else if (previousEffect?.kind !== effect.kind || effect.kind === "event") {
      last.effects.push(effect);
    } else if (previousEffect.kind === "sign" && effect.kind === "sign") {
      const signers = [previousEffect.who, effect.who].flat();
      last.effects.splice(-1, 1, { kind: "sign", who: signers.includes("all") ? "all" : signers });
    } else this.#steps.push({ date, effects: [effect] });
  }

  /** The only step of a scenario without other steps. It sets the status that the investment already has. */
  get #onlyCreation(): ScenarioEffect {
    return { kind: "investment", attributes: this.#initial ? { status: this.#initial.status } : {} };
  }

  #dateOf({ date }: Change): Instant {
    return date < this.#start ? this.#start : date;
  }

  #create({ investment, date, written = {} }: DatedEffect<"new_investment">): void {
    this.#initial = investment;
    this.#createdAt = date;
    const { id: _, alias, create_date: __, investment_number: number, ...members }: SparseInvestment = written;
    const lists = pickDefined(members, ["investors", "signing_parties", "payments", "events"]);
    const listsWithoutIds = Object.entries(lists).map(([name, children]) => [name, children.map(withoutId)]);
    this.#created = { ...members, ...Object.fromEntries(listsWithoutIds) };
    const { status, signing_parties: parties } = investment;
    if (status !== "CLOSED" && parties.some(({ signed }) => signed)) this.#fixPeople();
    if (alias !== undefined) {
      this.warnings.push(`The alias ${quoted(alias)} is omitted: other investments have other aliases.`);
    }
    if (number !== undefined) this.#omitNumber(number);
    if (pickDates(members).length > 0) {
      this.warnings.push("The new investment has payments or events of other dates; these dates stay in each play.");
    }
  }

  /** Fixes the people of each run: steps name them by their position or email address, and some have already signed. */
  #fixPeople(): void {
    if (!this.#created || !this.#initial) return;
    const { investors = [], signing_parties: parties = [] } = this.#created;
    this.#created = {
      ...this.#created,
      investors: this.#initial.investors.map((investor, index) => {
        return { ...pickDefined(investor, ["email", "is_primary", "is_signer"]), ...investors[index] };
      }),
      signing_parties: this.#initial.signing_parties.map((signingParty, index) => {
        return { ...pickDefined(signingParty, ["email", "signed", "countersigner"]), ...parties[index] };
      }),
    };
  }

  #omitNumber(number: number): void {
    this.warnings.push(`The number ${number} is omitted: other investments have other numbers.`);
  }

  #effectOf(change: Change, before: State): ScenarioEffect | undefined {
    switch (change.kind) {
      case "new_investment":
        return undefined;
      case "offering":
        return { kind: "offering", attributes: change.attributes };
      case "investment":
        return this.#setting(change);
      case "investor":
        return this.#investor(change);
      case "signing_party":
        return this.#signature(change, before.investment(change.investment_id));
      case "payment": {
        const number = 1 + (this.#initial?.payments ?? []).findIndex(({ id }) => id === change.id);
        const alias = this.#paymentAliases.get(change.id) ?? null;
        if (number === 0 && alias === null) return this.#omit(change, "no step can name the payment");
        return { kind: "payment", alias, ...(number > 0 && { number }), attributes: change.attributes };
      }
      case "new_payment": {
        const { id, alias = `payment-${this.#paymentAliases.size + 1}`, ...members } = change.payment;
        this.#paymentAliases.set(id, alias);
        const attributes = Object.entries(members).filter(([, value]) => value !== change.date);
        return { kind: "payment", alias, attributes: Object.fromEntries(attributes) };
      }
      case "event": {
        const { event, action, description } = change.event;
        return { kind: "event", event, action, description };
      }
      case "new_key": {
        const { type, label, offering_id: offeringId } = change.key;
        if (offeringId !== this.#offeringId) return this.#omit(change, "it is of another offering");
        return { kind: "key", issue: { type, ...(label !== null && { label }) } };
      }
      case "key":
        return this.#revocation(change, [...before.keys]);
      case "new_fault": {
        const { rule, until } = change.fault;
        const durationMs = until === null ? null : Date.parse(until) - Date.parse(this.#dateOf(change));
        if (durationMs !== null && durationMs <= 0) return this.#omit(change, "it is over before the first step");
        return { kind: "fault", fault: withKeyId(rule, (id) => this.#keyName(id, [...before.keys])), for: durationMs };
      }
    }
  }

  #setting(change: DatedEffect<"investment">): ScenarioEffect {
    const { investment_number: number, modify_date: modifyDate, ...rest } = change.attributes;
    const attributes = { ...rest, ...(modifyDate !== change.date && pickDefined({ modify_date: modifyDate })) };
    if (number !== undefined) this.#omitNumber(number);
    for (const name of ["create_date", "modify_date"] as const) {
      if (attributes[name] !== undefined) this.warnings.push(`The ${name} ${attributes[name]} stays in each play.`);
    }
    return { kind: "investment", attributes };
  }

  #investor(change: DatedEffect<"investor">): ScenarioEffect | undefined {
    const { investors = [] } = this.#initial ?? {};
    const { email, ...attributes } = change.attributes;
    const isPrimary = investors.find((investor) => investor.is_primary)?.id === change.id;
    const address = investors.find((investor) => investor.id === change.id)?.email ?? "";
    if (!isPrimary && investors.find((investor) => investor.email === address)?.id !== change.id) {
      return this.#omit(change, "another investor has the same email address");
    }
    if (email !== undefined) {
      this.warnings.push(`The email address ${quoted(email)} is omitted: a step names an investor by it.`);
    }
    if (Object.keys(attributes).length === 0) return undefined;
    if (!isPrimary) this.#fixPeople();
    if (!isPrimary && !this.#created) {
      this.warnings.push(`It plays only on an investment with an investor of the email address ${quoted(address)}.`);
    }
    return { kind: "investor", email: isPrimary ? null : address, attributes };
  }

  #signature(change: DatedEffect<"signing_party">, investment?: Investment): ScenarioEffect | undefined {
    const { signed, status = "signed", ...rest } = change.attributes;
    const reason = "a step lets a party sign, and changes nothing else of it";
    if (signed !== true || status !== "signed") return this.#omit(change, reason);
    if (Object.keys(rest).length > 0) this.#omit(change, reason, { summary: `Signing party: ${formatMembers(rest)}` });
    const isLast = investment?.signing_parties.every((party) => party.id === change.id || party.signed);
    if (!isLast) this.#fixPeople();
    const position = 1 + (this.#initial?.signing_parties ?? []).findIndex(({ id }) => id === change.id);
    return { kind: "sign", who: isLast ? "all" : [position] };
  }

  #revocation(change: DatedEffect<"key">, keys: readonly Key[]): ScenarioEffect | undefined {
    const key = keys.find(({ id }) => id === change.key_id);
    if (key?.offering_id !== this.#offeringId) return this.#omit(change, "it is of another offering");
    const offeringKeys = keys.filter(({ offering_id }) => offering_id === this.#offeringId);
    const otherKeys = offeringKeys.filter((otherKey) => otherKey !== key && otherKey.revoke_date === null);
    const isOtherName = (name: string): boolean => otherKeys.some((otherKey) => namesOf(otherKey).includes(name));
    const revoke = namesOf(key).find((name) => !isOtherName(name));
    if (revoke === undefined) return this.#omit(change, "other keys have the same type and label");
    return { kind: "key", revoke };
  }

  /** Returns the alias or label of a key, by which other environments know it too. */
  #keyName(id: string, keys: readonly Key[]): string {
    const { alias, label } = keys.find((key) => key.id === id) ?? {};
    if (alias !== undefined) return alias;
    if (typeof label === "string" && keys.filter((key) => key.label === label).length === 1) return label;
    this.warnings.push(`A fault names the key ${id}, which other environments do not have: give the key a label.`);
    return id;
  }

  #omit(change: DatedEffect, reason: string, { summary }: { readonly summary: string } = summaryOf(change)): undefined {
    this.warnings.push(`Omitted at ${change.date}: ${asLabel(summary)}; ${reason}.`);
  }
}

function rankOf({ kind }: ScenarioEffect): number {
  return effectNames.indexOf(kind);
}

function namesOf({ type, label, alias }: Key): string[] {
  return [type, label, alias].filter((name) => typeof name === "string");
}

function withoutId(child: { readonly id?: string | undefined }): object {
  const { id: _, ...members } = child;
  return members;
}
