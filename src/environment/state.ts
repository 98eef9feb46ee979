import type { Dataset } from "../fixture/dataset.ts";
import type { Fault } from "../model/change.ts";
import type { Instant } from "../model/instant.ts";
import type { Investment, Key, Offering } from "../model/resources.ts";
import { InvestmentList } from "./investment-list.ts";

/** The state for readers. */
export type StateView = Pick<
  State,
  "offering" | "investment" | "isChanged" | "investmentsOf" | "key" | "keys" | "faults" | "faultRevision"
>;

/** The present of a clock and the state at it, which is shared: it moves on with its environment, and `now` does not. */
export interface Reading {
  readonly now: Instant;
  readonly state: StateView;
}

/** Takes a change back. */
export type Undo = () => void;

/** A dataset with changes applied. Keeps how to undo each, so going back is as cheap as going forward. */
export class State {
  readonly #dataset: Dataset;
  readonly #offerings = new Map<string, Offering>();
  readonly #investments = new Map<string, Investment>();
  /** For the offerings whose investments have changed. */
  readonly #lists = new Map<string, InvestmentList>();
  readonly #keys: Map<string, Key>;
  readonly #faults = new Map<string, Fault>();
  #faultRevision = 0;
  readonly #undos: Undo[] = [];

  /** `keys` are those from the beginning. */
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

  /** Whether a run or a command has made or changed an investment. */
  isChanged(id: string): boolean {
    return this.#investments.has(id);
  }

  /** The investments of an offering; an empty list for an unknown one. */
  investmentsOf(offeringId: string): InvestmentList {
    return this.#lists.get(offeringId) ?? InvestmentList.of(this.#dataset.investmentsOf(offeringId));
  }

  key(id: string): Key | undefined {
    return this.#keys.get(id);
  }

  /** In the order in which they were issued. */
  get keys(): Iterable<Key> {
    return this.#keys.values();
  }

  /** In the order in which they were added. */
  get faults(): Iterable<Fault> {
    return this.#faults.values();
  }

  /** Changes whenever `faults` do. */
  get faultRevision(): number {
    return this.#faultRevision;
  }

  /** Number of changes folded in. */
  get position(): number {
    return this.#undos.length;
  }

  /** Folds changes in or undoes them, up to a position. `apply` folds in the change of this index. */
  moveTo(position: number, apply: (index: number) => Undo | undefined): void {
    while (this.#undos.length > position) this.#undos.pop()?.();
    while (this.#undos.length < position) this.#undos.push(apply(this.#undos.length) ?? (() => {}));
  }

  putOffering(offering: Offering): Undo {
    return put(this.#offerings, offering);
  }

  putKey(key: Key): Undo {
    return put(this.#keys, key);
  }

  putFault(fault: Fault): Undo {
    const undo = put(this.#faults, fault);
    this.#faultRevision += 1;
    return () => {
      undo();
      this.#faultRevision += 1;
    };
  }

  putInvestment(after: Investment): Undo {
    const before = this.investment(after.id);
    const list = this.#lists.get(after.offering_id) ?? this.investmentsOf(after.offering_id).copy();
    this.#lists.set(after.offering_id, list);
    const undo = put(this.#investments, after);
    list.replace(before, after);
    return () => {
      undo();
      list.replace(after, before);
    };
  }
}

function put<T extends { readonly id: string }>(map: Map<string, T>, after: T): Undo {
  const before = map.get(after.id);
  map.set(after.id, after);
  return () => {
    if (before) map.set(before.id, before);
    else map.delete(after.id);
  };
}
