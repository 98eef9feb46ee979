import { type AssumptionId, type Assumptions, formatReliance } from "../assumptions/catalog.ts";

/** A set of assumptions. Equal sets are one object, so that the text and the unions of a set are computed only once. */
class AssumptionSet {
  static readonly #known = new Map<string, AssumptionSet>();
  static readonly empty = AssumptionSet.#of([]);

  /** The ids in alphabetical order. */
  readonly ids: readonly AssumptionId[];
  /** The value of `Sandbox-Assumptions`. */
  readonly text: string;
  readonly #with = new Map<AssumptionId, AssumptionSet>();
  readonly #markedTexts = new WeakMap<ReadonlySet<AssumptionId>, string>();
  readonly #unions = new Map<AssumptionSet, AssumptionSet>();

  private constructor(ids: readonly AssumptionId[], text: string) {
    this.ids = ids;
    this.text = text;
  }

  static #of(ids: readonly AssumptionId[]): AssumptionSet {
    const sorted = [...new Set(ids)].toSorted();
    const text = sorted.join(", ");
    const set = AssumptionSet.#known.get(text) ?? new AssumptionSet(sorted, text);
    AssumptionSet.#known.set(text, set);
    return set;
  }

  /** Returns this set with one more assumption. */
  with(id: AssumptionId): AssumptionSet {
    let larger = this.#with.get(id);
    if (!larger) {
      larger = AssumptionSet.#of([...this.ids, id]);
      this.#with.set(id, larger);
    }
    return larger;
  }

  /** Returns `Sandbox-Assumptions` if some rows are calibrated: `list.order;calibrated, list.first_page`. */
  markedText(calibratedIds: ReadonlySet<AssumptionId>): string {
    let text = this.#markedTexts.get(calibratedIds);
    if (text === undefined) {
      text = this.ids.map((id) => (calibratedIds.has(id) ? `${id};calibrated` : id)).join(", ");
      this.#markedTexts.set(calibratedIds, text);
    }
    return text;
  }

  union(addedSet: AssumptionSet): AssumptionSet {
    if (addedSet === this) return this;
    let larger = this.#unions.get(addedSet);
    if (!larger) {
      larger = AssumptionSet.#of([...this.ids, ...addedSet.ids]);
      this.#unions.set(addedSet, larger);
    }
    return larger;
  }
}

/** Returns assumptions and records their ids: the response depends on exactly these assumptions. */
export class Ledger {
  /** The current assumptions: the default environment's, until the key of the call is found. */
  assumptions: Assumptions;
  #used = AssumptionSet.empty;

  constructor(assumptions: Assumptions) {
    this.assumptions = assumptions;
  }

  /** Returns an assumption and records it. */
  value<Id extends AssumptionId>(id: Id): Assumptions[Id] {
    this.#used = this.#used.with(id);
    return this.assumptions[id];
  }

  /** Returns an assumption without recording it, if it may not matter for the response. */
  unrecorded<Id extends AssumptionId>(id: Id): Assumptions[Id] {
    return this.assumptions[id];
  }

  get used(): AssumptionSet {
    return this.#used;
  }

  /** Returns the recorded assumptions behind a refusal except `excludedIds`, with their values: `list.past_end=404`. */
  behindRefusal(status: number, excludedIds: readonly AssumptionId[] = []): readonly string[] {
    return this.#used.ids.flatMap((id) =>
      excludedIds.includes(id) ? [] : formatReliance(id, this.assumptions[id], status),
    );
  }

  /** Returns a ledger with the same assumptions and an empty record. */
  emptyCopy(): Ledger {
    return new Ledger(this.assumptions);
  }

  /** Returns true if every assumption in another ledger's record has the same value here. */
  agreesWith(otherLedger: Ledger): boolean {
    const [left, right] = [this.assumptions, otherLedger.assumptions];
    return left === right || otherLedger.#used.ids.every((id) => left[id] === right[id]);
  }

  /** Records everything that another ledger has recorded. */
  addAll(otherLedger: Ledger): void {
    this.#used = this.#used.union(otherLedger.#used);
  }
}
