import type { Dataset } from "../fixture/dataset.ts";
import { inputLimits, megabyte } from "../bounds/bounds.ts";
import { type Instant, never } from "../time/instant.ts";
import { ConflictError } from "../validation/errors.ts";
import { compareText } from "../model/order.ts";
import { nameOfInvestment } from "../model/summaries.ts";
import type { Key, Change, DatedEffect, Fault } from "../model/resources.ts";
import type { EnvironmentClock } from "./clock.ts";
import type { ResourcesAtDate } from "./effect-row.ts";
import { rowOf } from "./effects.ts";
import type { EnvironmentData, EnvironmentConfig } from "./document.ts";
import { InvestmentList } from "./investment-list.ts";
import { State } from "./state.ts";
import { CreatedResources, Timeline } from "./timeline.ts";

/** The timeline of an environment, and its one state, which moves along the timeline. */
export class History implements ResourcesAtDate {
  readonly dataset: Dataset;
  /** The initial keys. */
  readonly keys: readonly Key[];
  readonly isForeign: (secret: string) => boolean;
  readonly timeline: Timeline;
  readonly state: State;
  created: CreatedResources;
  readonly #clock: EnvironmentClock;
  readonly #onChange: (effects: readonly DatedEffect[]) => void;

  /** `onChange` is called with the recorded effects, or with none when changes were removed. */
  constructor(
    { dataset, keys }: Pick<EnvironmentConfig, "dataset" | "keys">,
    clock: EnvironmentClock,
    data: Pick<EnvironmentData, "changes" | "issued"> | undefined,
    isForeign: (secret: string) => boolean,
    onChange: (effects: readonly DatedEffect[]) => void,
  ) {
    this.dataset = dataset;
    this.keys = keys;
    this.isForeign = isForeign;
    this.timeline = new Timeline(data?.changes, data?.issued);
    this.state = new State(dataset, keys);
    this.#clock = clock;
    this.#onChange = onChange;
    this.created = new CreatedResources(dataset);
    for (const change of this.timeline.changes) this.created.add(change);
  }

  /** Returns the clock's present and the state at it. */
  read(): { readonly now: Instant; readonly state: State } {
    const { nowMs, now } = this.#clock.read();
    this.#moveTo(this.timeline.countUntil(nowMs));
    return { now, state: this.state };
  }

  /** Returns the state at an instant, or at the clock's present if that is earlier. */
  stateAt(date: Instant): State {
    this.#moveTo(this.timeline.countUntil(Math.min(Date.parse(date), this.#clock.nowMs)));
    return this.state;
  }

  /** Returns the initial keys and the keys issued up to an instant, which may be in the future. */
  keysBy(date: Instant): readonly Key[] {
    return [...this.keys, ...this.created.keysBy(date)];
  }

  /** Returns those keys issued up to an instant that are not revoked at it. */
  unrevokedBy(date: Instant): readonly Key[] {
    return this.keysBy(date).filter(({ id }) => !this.created.isRevoked(id, date));
  }

  /**
   * Puts effects on the timeline, each at its date; each function sees the effects of the earlier ones. If one
   * is impossible at its date, throws ConflictError and records none.
   */
  record(...sources: readonly (() => readonly DatedEffect[])[]): void {
    const { insertedCount } = this.timeline;
    const effects: DatedEffect[] = [];
    try {
      for (const source of sources) {
        for (const effect of source().toSorted((left, right) => compareText(left.date, right.date))) {
          expectPossible(effect, rowOf(effect).refusal(effect, this));
          this.#moveBackTo(this.timeline.insert(effect));
          this.created.add(effect);
          effects.push(effect);
          expectPossible(effect, formatExcess(this.timeline));
        }
      }
    } catch (error) {
      this.#remove(({ sequence }) => sequence >= insertedCount, insertedCount);
      throw error;
    }
    this.#onChange(effects);
  }

  /** Returns the number after all past and future investment numbers of an offering. */
  nextNumber(offeringId: string): number {
    const last = InvestmentList.of(this.dataset.investmentsOf(offeringId)).byNumber.at(-1);
    return Math.max(last?.investment_number ?? 0, this.created.largestNumber(offeringId)) + 1;
  }

  /** Removes the changes of a run after an instant, and changes that are impossible without them. */
  removeRunChanges(runId: string, after: Instant): void {
    this.#remove((change, resources) => {
      if (change.date <= after) return false;
      return change.origin?.run === runId || rowOf(change).refusal(change, resources) !== undefined;
    });
    this.#onChange([]);
  }

  /** Removes faults from the timeline, at every instant. No change depends on a fault. */
  removeFaults(faults: readonly Fault[]): void {
    const ids = new Set(faults.map(({ id }) => id));
    this.#remove((change) => change.kind === "new_fault" && ids.has(change.fault.id));
    this.#onChange([]);
  }

  /** Returns `#147 Ada Lovelace`, with the name in the last read state; if it does not exist then, its initial name. */
  investmentName(id: string): string | undefined {
    const investment = this.state.investment(id) ?? this.created.investment(id, never);
    return investment && nameOfInvestment(investment);
  }

  /** Returns those ids that belong to a resource at any time. */
  idsInUse(ids: ReadonlyMap<string, unknown>): string[] {
    if (ids.size === 0) return [];
    const usedIds = new Set([...this.dataset.idsIn(ids), ...this.keys.map(({ id }) => id)]);
    return Array.from(ids.keys()).filter((id) => usedIds.has(id) || this.created.hasId(id));
  }

  /** Throws ConflictError if the changes are not in order, or if one of them is impossible. */
  checkChanges(): void {
    const resources = this.#initialResources();
    let previousChange: Pick<Change, "date" | "sequence"> = { date: "", sequence: -1 };
    for (const [index, change] of this.timeline.changes.entries()) {
      const { date, sequence } = change;
      if (date < previousChange.date || (date === previousChange.date && sequence <= previousChange.sequence)) {
        throw new ConflictError(
          `changes[${index}] is before the change before it; expected an order by date and sequence`,
        );
      }
      if (sequence >= this.timeline.insertedCount) {
        throw new ConflictError(
          `changes[${index}].sequence is ${sequence}; expected less than issued, ${this.timeline.insertedCount}`,
        );
      }
      previousChange = change;
      expectPossible(change, rowOf(change).refusal(change, resources));
      // Lists summarize each change, so this finds a missing member before one of them does.
      rowOf(change).summary(change);
      resources.created.add(change);
    }
    // Applies every change now, because a later failure would fail an unrelated request.
    this.#moveTo(this.timeline.changes.length);
  }

  /** Removes the changes that `select` selects. `resources` has what the remaining earlier changes created. */
  #remove(select: (change: Change, resources: ResourcesAtDate) => boolean, insertedCount?: number): void {
    const resources = this.#initialResources();
    const position = this.timeline.remove((change) => {
      const isRemoved = select(change, resources);
      if (!isRemoved) resources.created.add(change);
      return isRemoved;
    }, insertedCount);
    this.created = resources.created;
    this.#moveBackTo(position);
  }

  /** Returns the resources before any change. */
  #initialResources() {
    const { dataset, keys, isForeign } = this;
    return { dataset, keys, created: new CreatedResources(dataset), isForeign };
  }

  #moveTo(position: number): void {
    this.state.moveTo(position, (index) => {
      const change = this.timeline.changes[index];
      if (change) rowOf(change).apply(this.state, change);
    });
  }

  #moveBackTo(position: number): void {
    if (position < this.state.position) this.#moveTo(position);
  }
}

/** Returns why the last change exceeds a limit; undefined if it does not. */
function formatExcess({ size: { bytes, names }, changes }: Timeline): string | undefined {
  if (names.size > inputLimits.faultNames) {
    const max = inputLimits.faultNames.toLocaleString("en");
    return `the faults of the environment would have more than ${max} different names; remove some`;
  }
  if (bytes <= inputLimits.timeline * megabyte) return undefined;
  const count = changes.length.toLocaleString("en");
  return `the ${count} changes of the environment would exceed the ${inputLimits.timeline} MB that are possible; reset it, or open another`;
}

function expectPossible({ date, origin }: DatedEffect, reason: string | undefined): void {
  if (reason === undefined) return;
  const subject = origin ? `step ${origin.step + 1}` : "the change";
  throw new ConflictError(`${subject} is impossible at ${date}: ${reason}`);
}
