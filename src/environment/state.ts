import type { Dataset } from "../fixture/dataset.ts";
import type { Instant } from "../time/instant.ts";
import type { Investment, Key, Offering, Fault } from "../model/resources.ts";
import { InvestmentList } from "./investment-list.ts";

/** The state for readers. */
export type StateView = Pick<
  State,
  "offering" | "investment" | "isChanged" | "isSigned" | "investmentsOf" | "key" | "keys" | "faults" | "faultRevision"
>;

/** An instant and the state at it. The state is shared: it changes with its environment, `now` does not. */
export interface StateAtInstant {
  readonly now: Instant;
  readonly state: StateView;
}

/** A dataset with changes applied. A rewind starts again from the dataset, which delays only its caller. */
export class State {
  readonly #dataset: Dataset;
  readonly #offerings = new Map<string, Offering>();
  readonly #investments = new Map<string, Investment>();
  /** The lists of those offerings whose investments have changed. */
  readonly #lists = new Map<string, InvestmentList>();
  readonly #initialKeys: readonly Key[];
  readonly #keys = new Map<string, Key>();
  readonly #faults = new Map<string, Fault>();
  /** Changes whenever `faults` do. */
  faultRevision = 0;
  #position = 0;

  /** `keys` are the keys from the beginning. */
  constructor(dataset: Dataset, keys: readonly Key[]) {
    this.#dataset = dataset;
    this.#initialKeys = keys;
    this.#returnToDataset();
  }

  offering(id: string): Offering | undefined {
    return this.#offerings.get(id) ?? this.#dataset.offering(id);
  }

  investment(id: string): Investment | undefined {
    return this.#investments.get(id) ?? this.#dataset.investment(id);
  }

  /** Whether a run or a command has created or changed an investment. */
  isChanged(id: string): boolean {
    return this.#investments.has(id);
  }

  /** Whether all signing parties of an investment have signed. */
  isSigned(id: string): boolean {
    const investment = this.#investments.get(id);
    return investment ? investment.signing_parties.every(({ signed }) => signed) : this.#dataset.isSigned(id);
  }

  /** Returns the investments of an offering; an empty list for an unknown offering. */
  investmentsOf(offeringId: string): InvestmentList {
    return this.#lists.get(offeringId) ?? InvestmentList.of(this.#dataset.investmentsOf(offeringId));
  }

  key(id: string): Key | undefined {
    return this.#keys.get(id);
  }

  /** The keys in the order in which they were issued. */
  get keys(): Iterable<Key> {
    return this.#keys.values();
  }

  /** The faults in the order in which they were added. */
  get faults(): Iterable<Fault> {
    return this.#faults.values();
  }

  /** The number of applied changes. */
  get position(): number {
    return this.#position;
  }

  /** Becomes the state after the first `position` changes. `apply` applies the change at an index. */
  moveTo(position: number, apply: (index: number) => void): void {
    if (position < this.#position) this.#returnToDataset();
    for (; this.#position < position; this.#position += 1) apply(this.#position);
  }

  putOffering(offering: Offering): void {
    this.#offerings.set(offering.id, offering);
  }

  putKey(key: Key): void {
    this.#keys.set(key.id, key);
  }

  putFault(fault: Fault): void {
    this.#faults.set(fault.id, fault);
    this.faultRevision += 1;
  }

  putInvestment(investment: Investment): void {
    const list = this.#lists.get(investment.offering_id) ?? this.investmentsOf(investment.offering_id).copy();
    this.#lists.set(investment.offering_id, list);
    list.put(investment, this.investment(investment.id) === undefined);
    this.#investments.set(investment.id, investment);
  }

  #returnToDataset(): void {
    for (const resources of [this.#offerings, this.#investments, this.#lists, this.#keys, this.#faults])
      resources.clear();
    for (const key of this.#initialKeys) this.putKey(key);
    this.faultRevision += 1;
    this.#position = 0;
  }
}
