import type { Dataset } from "../fixture/dataset.ts";
import type { Fault } from "../model/change.ts";
import type { Investment, Key, Offering } from "../model/resources.ts";
import { InvestmentList } from "./investment-list.ts";

/** The state that a reader sees. */
export interface StateView {
  offering(id: string): Offering | undefined;
  investment(id: string): Investment | undefined;
  /** The investments of an offering; an empty list for an unknown one. */
  investmentsOf(offeringId: string): InvestmentList;
  key(id: string): Key | undefined;
  /** In the order in which they were issued. */
  readonly keys: Iterable<Key>;
  fault(id: string): Fault | undefined;
  /** In the order in which they were added. */
  readonly faults: Iterable<Fault>;
}

/** Takes a change back. */
export type Undo = () => void;

/** A dataset with changes applied. Keeps how to undo each, so going back is as cheap as going forward. */
export class State implements StateView {
  readonly #dataset: Dataset;
  readonly #offerings = new Map<string, Offering>();
  readonly #investments = new Map<string, Investment>();
  /** For the offerings whose investments have changed. */
  readonly #lists = new Map<string, InvestmentList>();
  readonly #keys: Map<string, Key>;
  readonly #faults = new Map<string, Fault>();
  readonly #undos: Undo[] = [];

  /** `keys` are those that the environment was opened with. */
  constructor(dataset: Dataset, keys: readonly Key[]) {
    this.#dataset = dataset;
    this.#keys = new Map(keys.map((key) => [key.id, key]));
  }

  offering(id: string): Offering | undefined {
    return this.#offerings.get(id) ?? this.#dataset.offering(id);
  }

  investment(id: string): Investment | undefined {
    return this.#investments.get(id) ?? this.#dataset.investment(id);
  }

  investmentsOf(offeringId: string): InvestmentList {
    return this.#lists.get(offeringId) ?? InvestmentList.of(this.#dataset.investmentsOf(offeringId));
  }

  key(id: string): Key | undefined {
    return this.#keys.get(id);
  }

  get keys(): Iterable<Key> {
    return this.#keys.values();
  }

  fault(id: string): Fault | undefined {
    return this.#faults.get(id);
  }

  get faults(): Iterable<Fault> {
    return this.#faults.values();
  }

  /** Number of changes folded in. */
  get position(): number {
    return this.#undos.length;
  }

  /** Folds changes in or undoes them, up to a position. `apply` folds in the change of this index. */
  moveTo(position: number, apply: (index: number) => Undo | undefined): void {
    while (this.#undos.length > position) this.#undos.pop()?.();
    while (this.#undos.length < position) this.#undos.push(apply(this.#undos.length) ?? nothing);
  }

  putOffering(offering: Offering): Undo {
    return put(this.#offerings, offering);
  }

  putKey(key: Key): Undo {
    return put(this.#keys, key);
  }

  putFault(fault: Fault): Undo {
    return put(this.#faults, fault);
  }

  putInvestment(after: Investment): Undo {
    const before = this.investment(after.id);
    const list = this.#listToChange(after.offering_id);
    const undo = put(this.#investments, after);
    list.replace(before, after);
    return () => {
      undo();
      list.replace(after, before);
    };
  }

  #listToChange(offeringId: string): InvestmentList {
    const list = this.#lists.get(offeringId) ?? this.investmentsOf(offeringId).copy();
    this.#lists.set(offeringId, list);
    return list;
  }
}

function nothing(): void {}

function put<T extends { readonly id: string }>(map: Map<string, T>, after: T): Undo {
  const before = map.get(after.id);
  map.set(after.id, after);
  return () => {
    if (before) map.set(before.id, before);
    else map.delete(after.id);
  };
}
