import type { Dataset } from "../fixture/dataset.ts";
import { compareText, prefixLength } from "../model/order.ts";
import { earlier, type Instant, never } from "../time/instant.ts";
import type { Investment, Key, Change, DatedEffect } from "../model/resources.ts";
import type { AddingKind, CreatedLookup } from "./effect-row.ts";
import { investmentOf, rowOf } from "./effects.ts";

interface TimelineSize {
  readonly bytes: number;
  /** The different names of members in faults, and the ids of faults. Other changes have few names. */
  readonly names: Set<string>;
}

/** The changes of an environment, past and future, ordered by date, then by sequence. */
export class Timeline {
  #changes: Change[];
  #times: number[];
  #insertedCount: number;
  #size: TimelineSize | undefined;

  /** `changes` are in order; `insertedCount` is the number of changes ever inserted. */
  constructor(changes: readonly Change[] = [], insertedCount = 0) {
    this.#changes = [...changes];
    this.#times = changes.map(timeOf);
    this.#insertedCount = insertedCount;
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** The number of changes ever inserted, including removed ones. */
  get insertedCount(): number {
    return this.#insertedCount;
  }

  /** The size of the changes as JSON. It is counted again after a removal. */
  get size(): Readonly<TimelineSize> {
    return (this.#size ??= this.#changes.reduce(addToSize, { bytes: 0, names: new Set<string>() }));
  }

  /** Returns the number of changes with a date up to and including this millisecond. */
  countUntil(milliseconds: number): number {
    return prefixLength(this.#times, (time) => time <= milliseconds);
  }

  /** Inserts an effect after all others of its instant. Returns its index. */
  insert(effect: DatedEffect): number {
    const time = timeOf(effect);
    const position = this.countUntil(time);
    const change: Change = { ...effect, sequence: this.#insertedCount++ };
    this.#size = addToSize(this.size, change);
    this.#changes.splice(position, 0, change);
    this.#times.splice(position, 0, time);
    return position;
  }

  /**
   * Removes the changes for which the predicate holds. Returns the index of the first; without any, the number
   * of changes. `insertedCount` is lower than before only if the removed changes count as never inserted.
   */
  remove(isRemoved: (change: Change) => boolean, insertedCount = this.#insertedCount): number {
    const changesBefore = this.#changes;
    this.#changes = changesBefore.filter((change) => !isRemoved(change));
    this.#times = this.#changes.map(timeOf);
    this.#insertedCount = insertedCount;
    this.#size = undefined;
    const first = this.#changes.findIndex((change, index) => change !== changesBefore[index]);
    return first === -1 ? this.#changes.length : first;
  }
}

/** Adds a change, with its comma, to a size, and returns the new size. */
function addToSize({ bytes, names }: TimelineSize, change: Change): TimelineSize {
  if (change.kind === "new_fault") names.add(change.fault.id);
  const noteName = function (this: unknown, name: string, value: unknown): unknown {
    if (!Array.isArray(this)) names.add(name);
    return value;
  };
  const text = JSON.stringify(change, change.kind === "new_fault" ? noteName : undefined);
  return { bytes: bytes + Buffer.byteLength(text) + 1, names };
}

function timeOf({ date }: DatedEffect): number {
  return Date.parse(date);
}

/** The resources created by changes. None is ever deleted, so that a name and a date show whether it exists. */
export class CreatedResources implements CreatedLookup {
  readonly #dataset: Dataset;
  readonly #effects = new Map<string, DatedEffect>();
  /** The ids of investments, by offering and alias. */
  readonly #idsByAlias = new Map<string, string>();
  readonly #keys: DatedEffect<"new_key">[] = [];
  /** The date on which each revoked key is first revoked, by the id of the key. */
  readonly #revocations = new Map<string, Instant>();
  readonly #ids = new Set<string>();
  /** The ids of investments, by the numbers that changes give them. */
  readonly #idsByNumber = new Map<string, Set<string>>();
  readonly #largestNumbers = new Map<string, number>();
  /** The numbers of added children, by kind and investment. */
  readonly #counts = new Map<string, number>();

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
  }

  add(effect: DatedEffect): void {
    const created = rowOf(effect).creates?.(effect);
    if (created) {
      const { name, ids, alias, offering_id } = created;
      this.#effects.set(name, effect);
      for (const id of ids) this.#ids.add(id);
      if (alias !== undefined) this.#idsByAlias.set(`${offering_id} ${alias}`, name);
    }
    if (effect.kind === "new_key") this.#keys.push(effect);
    if (effect.kind === "event" || effect.kind === "new_payment") {
      const { kind, investment_id } = effect;
      this.#counts.set(`${kind} ${investment_id}`, this.countOf(kind, investment_id) + 1);
    }
    if (effect.kind === "key") {
      const { key_id, date } = effect;
      this.#revocations.set(key_id, earlier(date, this.#revocations.get(key_id) ?? date));
    }
    const number = rowOf(effect).number?.(effect);
    if (number === undefined) return;
    const investment = investmentOf(effect, { dataset: this.#dataset, created: this });
    if (!investment) return;
    const { id, offering_id } = investment;
    const name = `${offering_id} ${number}`;
    this.#idsByNumber.set(name, (this.#idsByNumber.get(name) ?? new Set()).add(id));
    this.#largestNumbers.set(offering_id, Math.max(number, this.largestNumber(offering_id)));
  }

  has(name: string, by?: Instant): boolean {
    const effect = this.#effects.get(name);
    return effect !== undefined && (by === undefined || effect.date <= by);
  }

  countOf(kind: AddingKind, investmentId: string): number {
    return this.#counts.get(`${kind} ${investmentId}`) ?? 0;
  }

  /** Whether a resource has an id, at any time. */
  hasId(id: string): boolean {
    return this.#ids.has(id);
  }

  investment(id: string, by: Instant): Investment | undefined {
    const effect = this.#effects.get(id);
    return effect?.kind === "new_investment" && effect.date <= by ? effect.investment : undefined;
  }

  idByAlias(offeringId: string, alias: string): string | undefined {
    return this.#idsByAlias.get(`${offeringId} ${alias}`);
  }

  idsByNumber(offeringId: string, number: number): Iterable<string> {
    return this.#idsByNumber.get(`${offeringId} ${number}`) ?? [];
  }

  /** Returns the largest investment number in a change, at any time; 0 without any. */
  largestNumber(offeringId: string): number {
    return this.#largestNumbers.get(offeringId) ?? 0;
  }

  /** Returns the keys issued up to an instant, in the order of issue. */
  keysBy(date: Instant): Key[] {
    const effects = this.#keys.filter((effect) => effect.date <= date);
    return effects.toSorted((left, right) => compareText(left.date, right.date)).map(({ key }) => key);
  }

  isRevoked(keyId: string, by: Instant): boolean {
    return (this.#revocations.get(keyId) ?? never) <= by;
  }
}
