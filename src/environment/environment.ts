import type { Assumptions } from "../assumptions/catalogue.ts";
import type { JournalEntry } from "../control.ts";
import { matchesFault } from "../model/fault.ts";
import { formatInstant, type Instant } from "../model/instant.ts";
import type { Key, Offering } from "../model/resources.ts";
import type { DatedEffect, Fault } from "../model/change.ts";
import { type EnvironmentContent, type EnvironmentSetup, openStores, type Stores } from "./environment-content.ts";
import { inForce } from "./fault.ts";
import { keyStatus } from "./keys.ts";
import type { Hit } from "./limits.ts";
import { forget, record, replay } from "./record.ts";
import type { RunHost } from "./runs.ts";
import type { State } from "./state.ts";
import type { EnvironmentView, FaultableRequest, IssuedKey, Reading } from "./view.ts";

/** An isolated copy of everything that can change: timeline, clock, keys, limits, faults, journal. */
export class Environment implements EnvironmentView {
  #opening: EnvironmentSetup;
  #told: (secret: string) => void = () => {};
  #toldOfChange: () => void = () => {};
  #changes = 0;
  readonly #keyIds = new Map<string, string>();
  #stores: Stores;

  constructor(opening: EnvironmentSetup, kept?: EnvironmentContent) {
    this.#opening = opening;
    this.#stores = openStores(opening, this.#runHost(), kept);
    this.#begin(kept);
  }

  /** What it was opened with. */
  get opening(): EnvironmentSetup {
    return this.#opening;
  }

  /** The clock's instant when it was opened. */
  get created(): Instant {
    return formatInstant(this.#opening.clock.now);
  }

  get id(): string {
    return this.#opening.id;
  }

  get assumptions(): Assumptions {
    return this.#stores.assumptions;
  }

  get rateLimit(): number {
    return this.#opening.rateLimit;
  }

  get seed(): number {
    return this.#opening.dataset.seed;
  }

  /** In the order of the fixture. */
  get offerings(): readonly Offering[] {
    return this.#opening.dataset.offerings;
  }

  /** Everything that can change. */
  get stores(): Stores {
    return this.#stores;
  }

  /** The secrets that serve here, or may come to. */
  get secrets(): Iterable<string> {
    return this.#keyIds.keys();
  }

  /** Tells of every secret that serves here or may come to, now and whenever one is added. */
  tellSecrets(told: (secret: string) => void): void {
    this.#told = told;
    for (const secret of this.#keyIds.keys()) told(secret);
  }

  /** Tells of every change to what is kept, but for the clock's. */
  tellChanges(told: () => void): void {
    this.#toldOfChange = told;
  }

  /** Another one whenever there is something else to keep. */
  get revision(): string {
    const { now, speed, at } = this.#stores.clock.setting;
    return [this.#changes, now, speed, at].join();
  }

  /** The keys issued by now, in the order in which they were issued. */
  get keys(): readonly Key[] {
    return [...this.#present().state.keys];
  }

  /** The key with this secret, where it is issued by now. */
  find(secret: string): IssuedKey | undefined {
    const id = this.#keyIds.get(secret);
    if (id === undefined) return undefined;
    const reading = this.read();
    const key = reading.state.key(id);
    return key && { key, status: keyStatus(key, reading.now), environment: this, reading };
  }

  preparation(): Promise<void> | undefined {
    const { runs, clock } = this.#stores;
    return runs.needsPreparation(clock.now) ? runs.prepare() : undefined;
  }

  read(): { readonly now: Instant; readonly state: State } {
    this.#stores.runs.beginDue(this.#stores.clock.now);
    return this.#present();
  }

  hit(keyId: string): Hit {
    return this.#stores.limits.hit(keyId, this.#stores.clock.limitTime);
  }

  meetFault(request: FaultableRequest, { now, state }: Reading): Fault | undefined {
    const { faultUses } = this.#stores;
    for (const fault of state.faults) {
      const usedUp = fault.rule.times !== undefined && faultUses.get(fault.id) >= fault.rule.times;
      if (usedUp || !inForce(fault, now) || !matchesFault(fault.rule, request)) continue;
      faultUses.count(fault.id);
      this.#changed();
      return fault;
    }
    return undefined;
  }

  wasRead(investmentId: string): void {
    if (this.#stores.runs.wasRead(investmentId)) this.#changed();
  }

  journal(entry: Omit<JournalEntry, "id" | "date" | "environment">): void {
    const { journal, clock } = this.#stores;
    const { method, path, status, milliseconds, key_id, hints, fault_id } = entry;
    const date = clock.now;
    journal.record({ method, path, status, milliseconds, key_id, hints, fault_id, date, environment: this.id });
  }

  /** Spread evenly between the least and the most by the golden ratio: no chance, and no pattern to the eye. */
  nextDelay(): number {
    const [least, most] = this.#opening.delay;
    const share = (this.#stores.answers++ * 0.618_033_988_749_895) % 1;
    return least + Math.round((most - least) * share);
  }

  /** Puts effects on the timeline. Throws Impossible when one is impossible at its date; then it is as it was. */
  record(effects: readonly DatedEffect[]): void {
    record(this.#stores, this.#opening, effects);
    for (const effect of effects) if (effect.kind === "new_key") this.#know(effect.key);
    this.#changed();
  }

  /** Everything back to how the environment was opened. */
  reset(): void {
    this.#stores = openStores(this.#opening, this.#runHost());
    this.#begin();
  }

  /**
   * Goes on with another opening: its clock does, and over the same dataset its timeline and runs do too, each run with
   * the script that it began with.
   */
  reopen(opening: EnvironmentSetup): void {
    const { dataset, clock: before } = this.#opening;
    const { setting, milliseconds: now } = this.#stores.clock;
    const clock = { now, speed: opening.clock.speed === before.speed ? setting.speed : opening.clock.speed };
    const goesOn = opening.dataset.digest === dataset.digest;
    const kept = goesOn ? { ...this.keep(), assumptions: opening.assumptions, clock } : undefined;
    this.#keyIds.clear();
    this.#opening = opening;
    this.#stores = openStores({ ...opening, clock }, this.#runHost(), kept);
    this.#begin(kept);
  }

  /** Everything back to how it was kept. Throws Impossible when its changes cannot have been; then nothing has changed. */
  restore(kept: EnvironmentContent): void {
    const stores = openStores(this.#opening, this.#runHost(), kept);
    replay(stores, this.#opening);
    this.#stores = stores;
    this.#begin(kept);
  }

  /** Sets single assumptions otherwise. */
  assume(changes: Partial<Assumptions>): void {
    const { limits, assumptions } = this.#stores;
    this.#stores.assumptions = { ...assumptions, ...changes };
    if (changes["limit.window"] !== undefined) limits.useWindow(changes["limit.window"]);
    this.#changed();
  }

  /** What commands and steps have made of the environment. */
  keep(): EnvironmentContent {
    const { clock, assumptions, timeline, runs, faultUses } = this.#stores;
    return {
      clock: clock.setting,
      assumptions,
      changes: [...timeline.changes],
      issued: timeline.issued,
      runs: structuredClone(runs.all),
      fault_uses: faultUses.toJSON(),
    };
  }

  /** Plays what is to be played at once, or knows what was played before. */
  #begin(kept?: EnvironmentContent): void {
    for (const key of this.#opening.keys) this.#know(key);
    if (!kept) for (const scenario of this.#opening.scenarios) this.#stores.runs.playLater(scenario);
    for (const change of this.#stores.timeline.changes) if (change.kind === "new_key") this.#know(change.key);
    this.#changed();
  }

  #changed(): void {
    this.#changes += 1;
    this.#toldOfChange();
  }

  #know(key: Key): void {
    this.#keyIds.set(key.key, key.id);
    this.#told(key.key);
  }

  /** The state at the clock's present, without beginning what is due. */
  #present(): { readonly now: Instant; readonly state: State } {
    const { clock, timeline, state } = this.#stores;
    const { milliseconds, now } = clock.read();
    state.moveTo(timeline.countUntil(milliseconds), timeline.changes);
    return { now, state };
  }

  /** The state at an instant, or at the clock's present where that is earlier. */
  #past(date: Instant): State {
    const { clock, timeline, state } = this.#stores;
    state.moveTo(timeline.countUntil(Math.min(Date.parse(date), clock.milliseconds)), timeline.changes);
    return state;
  }

  #runHost(): RunHost {
    return {
      id: this.id,
      seed: this.seed,
      offerings: this.offerings,
      read: () => this.#present(),
      stateAt: (date) => this.#past(date),
      keysBy: (date) => this.#keysBy(date),
      record: (effects) => this.record(effects),
      forget: (runId, after) => {
        forget(this.#stores, this.#opening, runId, after);
        this.#changed();
      },
    };
  }

  #keysBy(date: Instant): readonly Key[] {
    const { timeline } = this.#stores;
    const changes = timeline.changes.slice(0, timeline.countUntil(Date.parse(date)));
    return [...this.#opening.keys, ...changes.flatMap((change) => (change.kind === "new_key" ? [change.key] : []))];
  }
}
