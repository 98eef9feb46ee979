import { type AssumptionId, type Assumptions, formatReliance } from "../assumptions/catalog.ts";

/** A set of assumptions. Interned: equal sets are one object, so text and unions are computed only once. */
class AssumptionSet {
  static readonly #known = new Map<string, AssumptionSet>();
  static readonly empty = AssumptionSet.#of([]);

  /** The ids in alphabetical order. */
  readonly ids: readonly AssumptionId[];
  /** The value of `Sandbox-Assumptions`. */
  readonly text: string;
  readonly #with = new Map<AssumptionId, AssumptionSet>();
  readonly #marked = new WeakMap<ReadonlySet<AssumptionId>, string>();
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

  with(id: AssumptionId): AssumptionSet {
    let larger = this.#with.get(id);
    if (!larger) {
      larger = AssumptionSet.#of([...this.ids, id]);
      this.#with.set(id, larger);
    }
    return larger;
  }

  /** The value of `Sandbox-Assumptions` where some are calibrated: `list.order;calibrated, list.first_page`. */
  marked(calibratedIds: ReadonlySet<AssumptionId>): string {
    let text = this.#marked.get(calibratedIds);
    if (text === undefined) {
      text = this.ids.map((id) => (calibratedIds.has(id) ? `${id};calibrated` : id)).join(", ");
      this.#marked.set(calibratedIds, text);
    }
    return text;
  }

  union(other: AssumptionSet): AssumptionSet {
    if (other === this) return this;
    let larger = this.#unions.get(other);
    if (!larger) {
      larger = AssumptionSet.#of([...this.ids, ...other.ids]);
      this.#unions.set(other, larger);
    }
    return larger;
  }
}

/** Returns assumptions and records their ids: the response depends on exactly those. */
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

  /** The recorded assumptions behind a refusal, but for `others`, with their values: `list.past_end=404`. */
  behindRefusal(status: number, others: readonly AssumptionId[] = []): readonly string[] {
    return this.#used.ids.flatMap((id) =>
      others.includes(id) ? [] : formatReliance(id, this.assumptions[id], status),
    );
  }

  emptyCopy(): Ledger {
    return new Ledger(this.assumptions);
  }

  /** Returns true if every assumption in another ledger's record has the same value here. */
  agreesWith(other: Ledger): boolean {
    const [here, there] = [this.assumptions, other.assumptions];
    return here === there || other.#used.ids.every((id) => here[id] === there[id]);
  }

  addAll(other: Ledger): void {
    this.#used = this.#used.union(other.#used);
  }
}
