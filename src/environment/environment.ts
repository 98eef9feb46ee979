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
import type { CountScope, LimitHit, LimitRow } from "./limits.ts";
import type { Run } from "./run.ts";
import type { StateAtInstant, State } from "./state.ts";
import { type EnvironmentInternals, openInternals } from "./internals.ts";
import type { Lease } from "./lease.ts";
import { WaitingRequests } from "./waiting-requests.ts";

/** An isolated copy of everything changeable: timeline, clock, keys, limits, faults, journal. */
export class Environment {
  /** Distinguishes the environment from earlier and later ones with the same id. */
  readonly uid: string;
  /** The last use, in milliseconds of `realTime`. */
  lastUsedAt = realTime();
  /** The scenarios that were saved in the environment. A reset does not remove them. */
  savedScenarios: EnvironmentData["scenarios"];
  /** The right of this process to act for the environment; undefined if no other process can. */
  lease: Lease | undefined;
  #config: EnvironmentConfig;
  #internals: EnvironmentInternals;
  #changeCount = 0;
  readonly #keyIds = new Map<string, string>();
  #registry: SecretRegistry | undefined;
  readonly #isForeign = (secret: string): boolean => this.#registry?.isForeign(secret) ?? false;
  readonly #listeners = new Set<() => void>();
  /** Called with each run that stops because a step or repetition is impossible. */
  onProblem: (run: Run) => void = () => {};
  /** The requests that wait for their response. A reset does not remove them, because their clients still wait. */
  readonly waiting = new WaitingRequests();

  /** Without `data`, begins with the initial state of the configuration. */
  constructor(config: EnvironmentConfig, data?: EnvironmentData, requestData?: RequestData) {
    this.#config = config;
    this.uid = config.uid ?? config.id;
    this.#internals = this.#openInternals(config, data ?? config.initialState, requestData);
    this.savedScenarios = config.initialState?.scenarios ?? [];
    this.#begin(data);
  }

  get config(): EnvironmentConfig {
    return this.#config;
  }

  get internals(): Readonly<EnvironmentInternals> {
    return this.#internals;
  }

  /** A new object after each reset, restore or reload. If it has changed during a wait, read values are outdated. */
  get generation(): object {
    return this.#internals;
  }

  get id(): string {
    return this.#config.id;
  }

  get assumptions(): Assumptions {
    return this.#internals.assumptions;
  }

  /** The assumptions that a calibration decided; usually undefined. */
  get calibratedIds(): ReadonlySet<AssumptionId> | undefined {
    return this.#internals.calibratedIds;
  }

  /** Requests a minute a key; 0 is off. */
  get rateLimit(): number {
    return this.#config.rateLimit;
  }

  get seed(): number {
    return this.#config.dataset.seed;
  }

  /** The offerings in the order of the fixture. */
  get offerings(): readonly Offering[] {
    return this.#internals.history.dataset.offerings;
  }

  /** The secrets of all keys, even of those that are issued in the future. */
  get secrets(): Iterable<string> {
    return this.#keyIds.keys();
  }

  /** The keys that are already issued, oldest first. */
  get keys(): readonly Key[] {
    return [...this.#internals.history.read().state.keys];
  }

  /** The seed path of the next resource that a command creates. Its id, secret and completed values follow from it. */
  get nextSeedPath(): SeedPath {
    // Counts only creations by commands. The number of all changes also grows as time passes and clients read.
    return SeedPath.root(this.seed, this.#config.routingPrefix).at("commands", this.id, this.#internals.creationCount);
  }

  /**
   * Changes whenever `data` does, except for the real time at which the clock was set: each process counts that from
   * another origin.
   */
  get revision(): string {
    const { now, speed } = this.#internals.clock.data;
    return [this.#changeCount, now, speed].join();
  }

  /** Adds every secret to a registry: the present ones now, each new one when it is issued. */
  registerSecrets(registry: SecretRegistry): void {
    this.#registry = registry;
    for (const secret of this.secrets) registry.add(secret);
  }

  /** Calls the listener after every change of `data`, but not when only time passes. Returns a function to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Finds the key with this secret, if it is already issued. */
  find(secret: string) {
    const id = this.#keyIds.get(secret);
    if (id === undefined) return undefined;
    const stateAtInstant = this.read();
    const key = stateAtInstant.state.key(id);
    // After a reset, another key may have the same id.
    if (key?.key !== secret) return undefined;
    return { key, status: keyStatus(key, stateAtInstant.now), environment: this as Environment, stateAtInstant };
  }

  /**
   * Catches up with the clock if repetitions are due, or takes over from another process that has acted for the
   * environment. Returns undefined if neither is necessary, as usual.
   */
  catchUp(): Promise<void> | undefined {
    return this.lease?.acquire() ?? this.finishLongAdvance();
  }

  /** Begins the repetitions that are due, without checking the lease. Returns undefined if none is due. */
  finishLongAdvance(): Promise<void> | undefined {
    return this.#internals.runs.catchUp(this.#internals.clock.now);
  }

  /** Calls a function in the tick in which the environment has caught up with its clock: its state is complete. */
  async whenCaughtUp<Result>(act: (stateAtInstant: StateAtInstant) => Result | Promise<Result>): Promise<Result> {
    // The state is read before the check for due repetitions, so that none is due at the instant of the state. The
    // clock stays at this instant, because the function may read the state again.
    let stateAtInstant = this.read();
    for (let pending = this.catchUp(); pending; pending = this.catchUp()) {
      await pending;
      stateAtInstant = this.read();
    }
    if (this.#internals.runs.isCancelled) throw new ControlError("not_found", "The environment is closed.");
    return this.#internals.clock.withFixedTime(stateAtInstant.now, () => act(stateAtInstant));
  }

  /** Ends an unfinished clock advance. The callers that wait for it get a ControlError. */
  cancel(): void {
    this.#internals.runs.isCancelled = true;
  }

  /** Returns the clock's present and the state at it, without the repetitions that are due: see `catchUp`. */
  read(): { readonly now: Instant; readonly state: State } {
    return this.#internals.history.read();
  }

  /** Counts a request against a key's limit. `count: 0` only begins the window of a key that begins at its limit. */
  hit(keyId: string, count?: 0 | 1): LimitHit {
    return this.#internals.limits.hit(keyId, this.#internals.clock.limitTime, count);
  }

  /** Counts a request under the alternative values of each row too. Returns the rows whose alternative refuses it. */
  refusingRows(keyId: string, countScope: CountScope): readonly LimitRow[] {
    return this.#internals.limits.refusingRows(keyId, this.#internals.clock.limitTime, countScope);
  }

  /** Finds the first active fault that applies to a request, and counts the request against it. */
  matchFault(request: FaultCandidate, stateAtInstant: StateAtInstant): AppliedFault | undefined {
    const { revision } = this.#internals.faultUses;
    const appliedFault = this.#internals.faultUses.match(request, stateAtInstant);
    if (this.#internals.faultUses.revision !== revision) this.#noteChange();
    return appliedFault;
  }

  /** Removes faults and their counts, at every instant. */
  removeFaults(faults: readonly Fault[]): void {
    for (const { id } of faults) this.#internals.faultUses.forget(id);
    this.#internals.history.removeFaults(faults);
    this.read();
  }

  /** Counts a read of an investment after its response, because a step may wait for it. */
  countRead(investmentId: string): void {
    if (!this.#internals.runs.countRead(investmentId)) return;
    this.#noteChange();
    // Other requests of this tick have read the state already, and get their responses later.
    this.read();
  }

  addEntry(): NewEntry {
    const { journal, history, clock } = this.#internals;
    return journal.add(clock.limitTime, history.timeline.insertedCount);
  }

  /** Records in the journal how and when the response of an entry ended, if the journal still has the entry. */
  endEntry(id: number, end: Pick<NewEntry, "duration_ms" | "hints">): void {
    this.#internals.journal.end(id, this.#internals.clock.limitTime, end);
  }

  /** Returns the milliseconds to wait before the next response. */
  nextDelay(): number {
    const seedPath = (): SeedPath => SeedPath.root(this.seed).at("answers", this.#internals.responseCount++);
    return numberBetween(this.#config.delay, () => seedPath().random());
  }

  /** Records the effects of a command. If one is impossible at its date, throws ConflictError and records none. */
  record(effects: readonly DatedEffect[]): void {
    this.#internals.history.record(() => effects);
    this.#internals.creationCount += effects.filter((effect) => rowOf(effect).creates).length;
  }

  /** Counts a command, for the process that continues with the environment. */
  countCommand(): void {
    this.#internals.commandCount += 1;
  }

  replaceSavedScenarios(scenarios: EnvironmentData["scenarios"]): void {
    this.savedScenarios = scenarios;
    this.#noteChange();
  }

  assume(changes: Partial<Assumptions>): void {
    const { limits, journal, assumptions } = this.#internals;
    const ids = Object.keys(changes) as AssumptionId[];
    journal.noteAssumptionChange(Object.fromEntries(ids.map((id) => [id, assumptions[id]])));
    this.#internals.assumptions = { ...assumptions, ...changes };
    this.#internals.calibratedIds = calibratedIdsOf(this.#internals);
    if (changes["limit.window"] !== undefined) limits.useWindow(changes["limit.window"]);
    this.#noteChange();
  }

  /** Returns everything but the saved scenarios to the configuration. */
  reset(): void {
    this.cancel();
    const { initialState } = this.#config;
    this.#internals = this.#openInternals(this.#config, initialState, undefined, this.#internals.journal.lastId);
    this.#begin();
  }

  /**
   * Continues with another configuration: the clock continues and, if the dataset is the same, so do the timeline and
   * the runs, each with its own script. Throws ConflictError, and changes nothing, if a key has the secret of a key of
   * another environment.
   */
  reopen(config: EnvironmentConfig): void {
    refuseForeign(config.keys, this.#isForeign);
    const { assumptions, calibrated } = config;
    const { speed, nowMs: now } = this.#internals.clock;
    const clock = { now, speed: config.clock.speed === this.#config.clock.speed ? speed : config.clock.speed };
    const isSameDataset = config.dataset.digest === this.#config.dataset.digest;
    const data = isSameDataset ? { ...this.data(), assumptions, calibrated, clock } : undefined;
    const { lastId } = this.#internals.journal;
    this.#replace(config, this.#openInternals({ ...config, clock }, data ?? config.initialState, undefined, lastId));
    this.#begin(data);
  }

  /** Continues with the data that another process left. */
  takeOver(config: EnvironmentConfig, data: EnvironmentData, requestData?: RequestData): void {
    this.#replace(config, this.#openInternals(config, data, requestData));
    this.#begin(data);
    this.#changeCount = requestData?.transfer?.changes ?? this.#changeCount;
  }

  /** Returns everything to earlier data. Throws ConflictError, and changes nothing, if the data is inconsistent. */
  restore(data: EnvironmentData, requestData?: RequestData): void {
    const internals = this.#openInternals(this.#config, data, requestData, this.#internals.journal.lastId);
    refuseForeign(data.keys ?? [], this.#isForeign);
    this.#internals = internals;
    this.#begin(data);
  }

  data(): EnvironmentData {
    const { clock, assumptions, calibrated, history, runs, faultUses, creationCount } = this.#internals;
    return {
      clock: clock.data,
      days: history.dataset.days,
      ...(history.keys !== this.#config.keys && { keys: history.keys }),
      assumptions,
      ...(calibrated !== this.#config.calibrated && { calibrated }),
      changes: [...history.timeline.changes],
      issued: history.timeline.insertedCount,
      creations: creationCount,
      runs: structuredClone(runs.all),
      scenarios: this.savedScenarios,
      ...faultUses.data,
    };
  }

  requestData(): Required<RequestData> {
    const { limits, clock, journal, responseCount: responses, commandCount: commands, undoSteps } = this.#internals;
    const transfer = { idle: journal.idleAt(clock.limitTime), changes: this.#changeCount, commands, undoSteps };
    return { limits: limits.uses(clock.limitTime), journal: journal.data, responses, transfer };
  }

  /** Ids in the journal continue after `lastEntryId`, so that a client that follows the journal misses no entry. */
  #openInternals(config: EnvironmentConfig, data?: EnvironmentData, requestData?: RequestData, lastEntryId = 0) {
    return openInternals(config, data, requestData, {
      lastEntryId,
      isForeign: this.#isForeign,
      onChange: (effects) => this.#noteChange(effects),
      onSet: () => this.#notifyListeners(),
      onProblem: (run) => this.onProblem(run),
    });
  }

  /** Plays the scenarios of the configuration, unless their runs are already in the data. */
  #begin(data?: EnvironmentData): void {
    for (const key of this.#internals.history.keys) this.#addKey(key);
    if (data) this.savedScenarios = data.scenarios;
    else for (const scenario of this.#config.scenarios) this.#internals.runs.playLater(scenario);
    this.#noteChange(this.#internals.history.timeline.changes);
  }

  #replace(config: EnvironmentConfig, internals: EnvironmentInternals): void {
    for (const secret of this.secrets) this.#registry?.delete(secret);
    this.#keyIds.clear();
    this.#config = config;
    this.#internals = internals;
  }

  #noteChange(effects: readonly DatedEffect[] = []): void {
    for (const effect of effects) if (effect.kind === "new_key") this.#addKey(effect.key);
    this.#changeCount += 1;
    this.#notifyListeners();
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners) listener();
  }

  #addKey({ key: secret, id }: Key): void {
    this.#keyIds.set(secret, id);
    this.#registry?.add(secret);
  }
}
