import { calibratedIdsOf, type AssumptionId, type Assumptions } from "../assumptions/catalog.ts";
import { ControlError } from "../errors/control-error.ts";
import { numberBetween, SeedPath } from "../fixture/complete/seed-path.ts";
import type { FaultCandidate } from "../model/fault.ts";
import { type Instant, realTime } from "../time/instant.ts";
import type { Key, Offering, DatedEffect, Fault, AppliedFault } from "../model/resources.ts";
import { rowOf } from "./effects.ts";
import type { EnvironmentConfig, EnvironmentData, RequestData } from "./document.ts";
import type { NewEntry } from "./journal.ts";
import { keyStatus, refuseForeign, type SecretRegistry } from "./keys.ts";
import type { Counted, LimitHit, LimitRow } from "./limits.ts";
import type { Run } from "./run.ts";
import type { StateAtInstant, State } from "./state.ts";
import { type EnvironmentParts, openParts } from "./parts.ts";
import type { Lease } from "./lease.ts";
import { WaitingRequests } from "./waiting-requests.ts";

/** An isolated copy of everything changeable: timeline, clock, keys, limits, faults, journal. */
export class Environment {
  /** Distinguishes the environment from earlier and later ones with the same id. */
  readonly uid: string;
  /** The last use, in milliseconds of `realTime`. */
  lastUsed = realTime();
  /** Those that were saved here; a reset does not remove them. */
  savedScenarios: EnvironmentData["scenarios"] = [];
  /** The right of this process to act for it; undefined if no other process can. */
  lease: Lease | undefined;
  #setup: EnvironmentConfig;
  #parts: EnvironmentParts;
  #changes = 0;
  readonly #keyIds = new Map<string, string>();
  #registry: SecretRegistry | undefined;
  readonly #isForeign = (secret: string): boolean => this.#registry?.isForeign(secret) ?? false;
  readonly #listeners = new Set<() => void>();
  /** Called with each run that stops because a step or repetition was impossible. */
  onProblem: (run: Run) => void = () => {};
  /** The requests that wait for their response. A reset keeps them, because their clients still wait. */
  readonly waiting = new WaitingRequests();

  /** Without `content`, begins with the content of the setup. */
  constructor(setup: EnvironmentConfig, content?: EnvironmentData, traffic?: RequestData) {
    this.#setup = setup;
    this.uid = setup.uid ?? setup.id;
    this.#parts = this.#openParts(setup, content ?? setup.initialState, traffic);
    this.#begin(content, content ?? setup.initialState);
  }

  get setup(): EnvironmentConfig {
    return this.#setup;
  }

  get parts(): Readonly<EnvironmentParts> {
    return this.#parts;
  }

  /** Another object after each reset, restore or reload: read again after each wait what came before. */
  get era(): object {
    return this.#parts;
  }

  get id(): string {
    return this.#setup.id;
  }

  get assumptions(): Assumptions {
    return this.#parts.assumptions;
  }

  /** The assumptions that a calibration decided; usually undefined. */
  get calibratedIds(): ReadonlySet<AssumptionId> | undefined {
    return this.#parts.calibratedIds;
  }

  /** Requests a minute a key; 0 is off. */
  get rateLimit(): number {
    return this.#setup.rateLimit;
  }

  get seed(): number {
    return this.#setup.dataset.seed;
  }

  /** The offerings in the order of the fixture. */
  get offerings(): readonly Offering[] {
    return this.#parts.history.dataset.offerings;
  }

  /** The secrets of all keys, issued by now or in the future. */
  get secrets(): Iterable<string> {
    return this.#keyIds.keys();
  }

  /** The keys issued by now, oldest first. */
  get keys(): readonly Key[] {
    return [...this.#parts.history.read().state.keys];
  }

  /** The seed path of the next resource that a command creates. Its id, secret and completed values follow from it. */
  get nextPlace(): SeedPath {
    // Counts only creations by commands. The number of all changes also grows as time passes and as clients read.
    return SeedPath.root(this.seed, this.#setup.routingPrefix).at("commands", this.id, this.#parts.creations);
  }

  /**
   * Changes whenever `content` does, but not with the real time at which the clock was set, which each process counts
   * from another beginning.
   */
  get revision(): string {
    const { now, speed } = this.#parts.clock.setting;
    return [this.#changes, now, speed].join();
  }

  /** Enters every secret in a registry: the present ones now, each new one later. */
  enterSecrets(registry: SecretRegistry): void {
    this.#registry = registry;
    for (const secret of this.secrets) registry.add(secret);
  }

  /** Calls the listener after every change of `content`, but not when only time passes. Returns a function to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Finds the key with this secret, if it is issued by now. */
  find(secret: string) {
    const id = this.#keyIds.get(secret);
    if (id === undefined) return undefined;
    const reading = this.read();
    const key = reading.state.key(id);
    // After a reset, another key may have the same id.
    if (key?.key !== secret) return undefined;
    return { key, status: keyStatus(key, reading.now), environment: this as Environment, reading };
  }

  /**
   * Catches up with the clock if repetitions are due, or if another process has acted for the environment. Usually
   * returns undefined, because neither is the case.
   */
  catchUp(): Promise<void> | undefined {
    return this.lease?.acquire() ?? this.finishLongAdvance();
  }

  /** Begins the repetitions that are due, without asking other processes; undefined if none is. */
  finishLongAdvance(): Promise<void> | undefined {
    return this.#parts.runs.catchUp(this.#parts.clock.now);
  }

  /** Calls a function when the environment has caught up with its clock, in the same tick: nobody sees it halfway. */
  async whenCaughtUp<Result>(act: (reading: StateAtInstant) => Result | Promise<Result>): Promise<Result> {
    // The state is read before the check for due repetitions, so that nothing is due at the instant of the state. The
    // clock is held at it: the function may read again.
    let reading = this.read();
    for (let due = this.catchUp(); due; due = this.catchUp()) {
      await due;
      reading = this.read();
    }
    if (this.#parts.runs.isCancelled) throw new ControlError("not_found", "The environment is closed.");
    return this.#parts.clock.heldAt(reading.now, () => act(reading));
  }

  /** Ends an unfinished advance of the clock; the callers that wait for it get ControlError. */
  cancel(): void {
    this.#parts.runs.isCancelled = true;
  }

  /** The clock's present and the state at it, without the repetitions that are due: see `catchUp`. */
  read(): { readonly now: Instant; readonly state: State } {
    return this.#parts.history.read();
  }

  /** Counts a request against a key's limit. `count: 0` only opens the window of a key that starts at its limit. */
  hit(keyId: string, count?: 0 | 1): LimitHit {
    return this.#parts.limits.hit(keyId, this.#parts.clock.limitTime, count);
  }

  /** Counts a request under the other values of the limit too. Returns the rows of which one would refuse it. */
  refusingRows(keyId: string, counted: Counted): readonly LimitRow[] {
    return this.#parts.limits.refusingRows(keyId, this.#parts.clock.limitTime, counted);
  }

  /** Finds the first active fault that applies to a request, and counts the request against it. */
  matchFault(request: FaultCandidate, reading: StateAtInstant): AppliedFault | undefined {
    const { faultUses } = this.#parts;
    const { revision } = faultUses;
    const applied = faultUses.match(request, reading);
    if (faultUses.revision !== revision) this.#changed();
    return applied;
  }

  /** Removes faults and their counts, at every instant. */
  removeFaults(faults: readonly Fault[]): void {
    for (const { id } of faults) this.#parts.faultUses.forget(id);
    this.#parts.history.removeFaults(faults);
    this.read();
  }

  /** Counts a read of an investment, after it was answered: a step may wait for it. */
  countRead(investmentId: string): void {
    if (!this.#parts.runs.countRead(investmentId)) return;
    this.#changed();
    // Other requests of this tick have the state already, and come after this one.
    this.read();
  }

  /** Adds a request to the journal. */
  newEntry(): NewEntry {
    const { journal, history, clock } = this.#parts;
    return journal.add(clock.limitTime, history.timeline.issued);
  }

  /** Tells the journal how and when the response of an entry ended, if it still has it. */
  endEntry(id: number, end: Pick<NewEntry, "duration_ms" | "hints">): void {
    this.#parts.journal.end(id, this.#parts.clock.limitTime, end);
  }

  /** Milliseconds to wait before the next response. */
  nextDelay(): number {
    const place = (): SeedPath => SeedPath.root(this.seed).at("answers", this.#parts.responses++);
    return numberBetween(this.#setup.delay, () => place().random());
  }

  /** Records the effects of a command; none, and throws ConflictError, if one of them is impossible at its date. */
  record(effects: readonly DatedEffect[]): void {
    this.#parts.history.record(() => effects);
    this.#parts.creations += effects.filter((effect) => rowOf(effect).creates).length;
  }

  /** Counts a command, for another process that continues. */
  noteCommand(): void {
    this.#parts.commands += 1;
  }

  replaceSavedScenarios(scenarios: EnvironmentData["scenarios"]): void {
    this.savedScenarios = scenarios;
    this.#changed();
  }

  /** Sets single assumptions. */
  assume(changes: Partial<Assumptions>): void {
    const { limits, journal, assumptions } = this.#parts;
    const ids = Object.keys(changes) as AssumptionId[];
    journal.noteAssumed(Object.fromEntries(ids.map((id) => [id, assumptions[id]])));
    this.#parts.assumptions = { ...assumptions, ...changes };
    this.#parts.calibratedIds = calibratedIdsOf(this.#parts);
    if (changes["limit.window"] !== undefined) limits.useWindow(changes["limit.window"]);
    this.#changed();
  }

  /** Returns everything but the saved scenarios to the setup. */
  reset(): void {
    this.cancel();
    this.#parts = this.#openParts(this.#setup, this.#setup.initialState, undefined, this.#parts.journal.last);
    this.#begin();
  }

  /**
   * Continues with another setup: the clock continues and, if the dataset is the same, so do the timeline and the runs,
   * each with its own script. Throws ConflictError, and changes nothing, if a key has the secret of another
   * environment's.
   */
  reopen(setup: EnvironmentConfig): void {
    refuseForeign(setup.keys, this.#isForeign);
    const { dataset, clock: before } = this.#setup;
    const { setting, milliseconds: now } = this.#parts.clock;
    const clock = { now, speed: setup.clock.speed === before.speed ? setting.speed : setup.clock.speed };
    const { assumptions, calibrated } = setup;
    const isSameDataset = setup.dataset.digest === dataset.digest;
    const content = isSameDataset ? { ...this.content(), assumptions, calibrated, clock } : undefined;
    const { last } = this.#parts.journal;
    this.#replace(setup, this.#openParts({ ...setup, clock }, content ?? setup.initialState, undefined, last));
    this.#begin(content);
  }

  /** Continues with what another process left. */
  takeOver(setup: EnvironmentConfig, content: EnvironmentData, traffic?: RequestData): void {
    this.#replace(setup, this.#openParts(setup, content, traffic));
    this.#begin(content);
    this.#changes = traffic?.transfer?.changes ?? this.#changes;
  }

  /**
   * Returns everything to an earlier content. Changes nothing, and throws ConflictError, if that cannot have happened.
   */
  restore(content: EnvironmentData, traffic?: RequestData): void {
    const parts = this.#openParts(this.#setup, content, traffic, this.#parts.journal.last);
    refuseForeign(content.keys ?? [], this.#isForeign);
    this.#parts = parts;
    this.#begin(content);
  }

  content(): EnvironmentData {
    const { clock, assumptions, calibrated, history, runs, faultUses, creations } = this.#parts;
    return {
      clock: clock.setting,
      days: history.dataset.days,
      ...(history.keys !== this.#setup.keys && { keys: history.keys }),
      assumptions,
      ...(calibrated !== this.#setup.calibrated && { calibrated }),
      changes: [...history.timeline.changes],
      issued: history.timeline.issued,
      creations,
      runs: structuredClone(runs.all),
      scenarios: this.savedScenarios,
      ...faultUses.content,
    };
  }

  traffic(): Required<RequestData> {
    const { limits, clock, journal, responses, commands, undoSteps } = this.#parts;
    const transfer = { idle: journal.idleAt(clock.limitTime), changes: this.#changes, commands, undoSteps };
    return { limits: limits.uses(clock.limitTime), journal: journal.content, responses, transfer };
  }

  /** `last` is the id of the latest request so far. Ids continue after it, so a follower of the journal misses none. */
  #openParts(setup: EnvironmentConfig, content?: EnvironmentData, traffic?: RequestData, last = 0): EnvironmentParts {
    return openParts(setup, content, traffic, {
      last,
      isForeign: this.#isForeign,
      onChange: (effects) => this.#changed(effects),
      onSet: () => this.#tell(),
      onProblem: (run) => this.onProblem(run),
    });
  }

  /** Plays the scenarios of the setup, unless a content holds their runs already. */
  #begin(content?: EnvironmentData, earlier = content): void {
    for (const key of this.#parts.history.keys) this.#addKey(key);
    this.savedScenarios = earlier?.scenarios ?? this.savedScenarios;
    if (!content) for (const scenario of this.#setup.scenarios) this.#parts.runs.playLater(scenario);
    this.#changed(this.#parts.history.timeline.changes);
  }

  #replace(setup: EnvironmentConfig, parts: EnvironmentParts): void {
    for (const secret of this.secrets) this.#registry?.delete(secret);
    this.#keyIds.clear();
    this.#setup = setup;
    this.#parts = parts;
  }

  #changed(effects: readonly DatedEffect[] = []): void {
    for (const effect of effects) if (effect.kind === "new_key") this.#addKey(effect.key);
    this.#changes += 1;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #addKey({ key: secret, id }: Key): void {
    this.#keyIds.set(secret, id);
    this.#registry?.add(secret);
  }
}
