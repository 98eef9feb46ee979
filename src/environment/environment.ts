import type { Assumptions } from "../assumptions/catalogue.ts";
import type { ProfileName } from "../assumptions/profiles.ts";
import type { EnvironmentDescription } from "../control.ts";
import type { Dataset } from "../fixture/dataset.ts";
import { compareText } from "../model/compare.ts";
import { formatInstant, type Instant } from "../model/instant.ts";
import { Mistake } from "../model/mistake.ts";
import { admits } from "./admits.ts";
import type { Change, DatedEffect } from "./change.ts";
import type { EnvironmentClock } from "./clock.ts";
import type { Key, Offering } from "../model/resources.ts";
import { Keys, keyStatus } from "./keys.ts";
import type { Hit } from "./limit-window.ts";
import { Limits } from "./limits.ts";
import { State, type StateView } from "./state.ts";
import { Timeline } from "./timeline.ts";
import type { EnvironmentView, IssuedKey } from "./view.ts";

/** What an environment is opened with. */
export interface EnvironmentSettings {
  readonly id: string;
  readonly dataset: Dataset;
  readonly clock: EnvironmentClock;
  readonly profile: ProfileName;
  readonly assumptions: Assumptions;
  /** Requests a minute a key; 0 is off. */
  readonly rateLimit: number;
  /** The least and the most milliseconds before an answer. */
  readonly delay: readonly [least: number, most: number];
}

/** An isolated copy of everything that can change: timeline, clock, keys, limits. */
export class Environment implements EnvironmentView {
  readonly clock: EnvironmentClock;
  readonly #settings: EnvironmentSettings;
  readonly #created: Instant;
  readonly #timeline = new Timeline();
  readonly #state: State;
  readonly #keys: Keys;
  readonly #limits: Limits;
  #answers = 0;

  constructor(settings: EnvironmentSettings) {
    this.#settings = settings;
    this.clock = settings.clock;
    this.#created = settings.clock.now;
    this.#state = new State(settings.dataset);
    this.#keys = new Keys(settings.dataset.keys);
    const usedUp = settings.dataset.keys.filter((key) => key.at_limit).map((key) => key.id);
    this.#limits = new Limits(settings.rateLimit, settings.assumptions["limit.window"], usedUp);
  }

  get id(): string {
    return this.#settings.id;
  }

  get assumptions(): Assumptions {
    return this.#settings.assumptions;
  }

  get rateLimit(): number {
    return this.#settings.rateLimit;
  }

  get seed(): number {
    return this.#settings.dataset.seed;
  }

  /** In the order in which they were issued. */
  get keys(): readonly Key[] {
    return this.#keys.all;
  }

  /** In the order of the fixture. */
  get offerings(): readonly Offering[] {
    return this.#settings.dataset.offerings;
  }

  /** The changes, past and future. */
  get changes(): readonly Change[] {
    return this.#timeline.changes;
  }

  /** The key with this secret, where this environment issued one. */
  find(secret: string): IssuedKey | undefined {
    const key = this.#keys.find(secret);
    return key && { key, environment: this };
  }

  read(): { readonly now: Instant; readonly state: StateView } {
    const { milliseconds } = this.clock;
    this.#state.moveTo(this.#timeline.countUntil(milliseconds), this.#timeline.changes);
    return { now: formatInstant(milliseconds), state: this.#state };
  }

  /**
   * Puts effects on the timeline, each at its date. Throws Mistake when one is impossible at its date, because what it
   * names is not there; then the timeline is as it was.
   */
  record(effects: readonly DatedEffect[]): void {
    const inserted: number[] = [];
    try {
      for (const effect of effects.toSorted((one, other) => compareText(one.date, other.date))) {
        const position = this.#timeline.insert(effect);
        inserted.push(position);
        this.#state.moveTo(Math.min(position, this.#state.position), this.#timeline.changes);
        this.#state.moveTo(position, this.#timeline.changes);
        if (!admits(this.#state, effect)) throw new Mistake(impossible(effect));
      }
    } catch (error) {
      this.#state.moveTo(Math.min(this.#state.position, ...inserted), this.#timeline.changes);
      for (const position of inserted.toReversed()) this.#timeline.remove(position);
      throw error;
    }
  }

  hit(keyId: string): Hit {
    return this.#limits.hit(keyId, this.clock.limitTime);
  }

  /** Spread evenly between the least and the most by the golden ratio: no chance, and no pattern to the eye. */
  nextDelay(): number {
    const [least, most] = this.#settings.delay;
    const share = (this.#answers++ * 0.618_033_988_749_895) % 1;
    return least + Math.round((most - least) * share);
  }

  /** The environment as it is now, in the shape of the admin API. */
  describe(): EnvironmentDescription {
    const { id, dataset, profile, rateLimit } = this.#settings;
    const { now, state } = this.read();
    return {
      id,
      fixture: dataset.name,
      create_date: this.#created,
      clock: { now, speed: this.clock.speed },
      profile,
      rate_limit: rateLimit,
      offerings: dataset.offerings.map((offering) => ({
        id: offering.id,
        name: state.offering(offering.id)?.name ?? offering.name,
        alias: offering.alias ?? null,
        investments: state.investmentsOf(offering.id).items.length,
      })),
      keys: this.#keys.all.map((key) => ({
        id: key.id,
        key: key.key,
        type: key.type,
        offering_id: key.offering_id,
        environment: id,
        status: keyStatus(key, now),
        label: key.label,
        create_date: key.create_date,
        revoke_date: key.revoke_date,
      })),
      runs: [],
    };
  }
}

function impossible(effect: DatedEffect): string {
  const what = effect.kind.replace("_", " ");
  const where =
    effect.kind === "offering"
      ? `offering ${effect.offering_id}`
      : `investment ${effect.kind === "new_investment" ? effect.investment.id : effect.investment_id}`;
  return `A change (${what}) of ${where} at ${effect.date} is impossible: what it names is not there then, or is there already.`;
}
