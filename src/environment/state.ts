import type { Dataset } from "../fixture/dataset.ts";
import type { Instant } from "../model/instant.ts";
import { sum } from "../model/money.ts";
import type { Investment, Key, Offering, Payment } from "../model/resources.ts";
import type { Change, Fault, InvestmentEffect } from "../model/change.ts";
import { InvestmentList } from "./investment-list.ts";

/**
 * The investment as the effect leaves it. Pure and total: what names nothing in the investment changes nothing.
 *
 * `modify_date` follows every effect, and `paid_amount` the payments, unless the effect itself sets them.
 */
function applyEffect(investment: Investment, effect: InvestmentEffect, date: Instant): Investment {
  const modified = { ...investment, modify_date: date };
  switch (effect.kind) {
    case "investment":
      return { ...modified, ...effect.attributes };
    case "investor":
      return { ...modified, investors: amend(investment.investors, effect.id, effect.attributes) };
    case "signing_party":
      return { ...modified, signing_parties: amend(investment.signing_parties, effect.id, effect.attributes) };
    case "payment":
      return withPayments(modified, amend(investment.payments, effect.id, { modify_date: date, ...effect.attributes }));
    case "new_payment":
      return withPayments(modified, [...investment.payments, effect.payment]);
    case "event":
      return { ...modified, events: [...investment.events, effect.event] };
  }
}

function amend<R extends { readonly id: string }>(
  resources: readonly R[],
  id: string,
  attributes: Partial<Omit<NoInfer<R>, "id">>,
): R[] {
  return resources.map((resource) => (resource.id === id ? { ...resource, ...attributes } : resource));
}

function withPayments(investment: Investment, payments: readonly Payment[]): Investment {
  const paid = payments.filter((payment) => payment.status === "succeeded");
  return { ...investment, payments, paid_amount: sum(paid.map((payment) => payment.amount)) };
}

/** The state that a reader sees. */
export interface StateView {
  offering(id: string): Offering | undefined;
  investment(id: string): Investment | undefined;
  /** The investments of an offering; an empty list for an unknown one. */
  investmentsOf(offeringId: string): InvestmentList;
  key(id: string): Key | undefined;
  /** In the order in which they were added. */
  readonly faults: Iterable<Fault>;
}

/**
 * The dataset with the first so many changes folded over it. Keeps what each change replaced, so that going back costs
 * what going forward did.
 */
export class State implements StateView {
  readonly #dataset: Dataset;
  readonly #offerings = new Map<string, Offering>();
  readonly #investments = new Map<string, Investment>();
  /** Of the offerings whose investments have changed. */
  readonly #lists = new Map<string, InvestmentList>();
  readonly #keys: Map<string, Key>;
  readonly #faults = new Map<string, Fault>();
  readonly #replaced: (() => void)[] = [];

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

  /** In the order in which they were issued. */
  get keys(): Iterable<Key> {
    return this.#keys.values();
  }

  /** In the order in which they were added. */
  get faults(): Iterable<Fault> {
    return this.#faults.values();
  }

  /** How many changes are folded in. */
  get position(): number {
    return this.#replaced.length;
  }

  /** Applies changes, or takes them away again, until so many of them are folded in. */
  moveTo(position: number, changes: readonly Change[]): void {
    while (this.#replaced.length > position) this.#replaced.pop()?.();
    while (this.#replaced.length < position) {
      const change = changes[this.#replaced.length];
      if (!change) return;
      this.#replaced.push(this.#apply(change));
    }
  }

  /** Applies one change and answers how to take it away again. */
  #apply(change: Change): () => void {
    switch (change.kind) {
      case "offering": {
        const held = this.offering(change.offering_id);
        if (!held) return nothing;
        const { date, attributes } = change;
        return put(this.#offerings, held.id, { ...held, modify_date: date, ...attributes });
      }
      case "new_investment":
        return this.#putInvestment(this.#numbered(change.investment));
      case "new_key":
        return put(this.#keys, change.key.id, change.key);
      case "key": {
        const held = this.#keys.get(change.key_id);
        return held ? put(this.#keys, held.id, { ...held, ...change.attributes }) : nothing;
      }
      case "new_fault":
        return put(this.#faults, change.fault.id, change.fault);
      case "fault": {
        const held = this.#faults.get(change.fault_id);
        return held ? put(this.#faults, held.id, { ...held, ...change.attributes }) : nothing;
      }
      default: {
        const held = this.investment(change.investment_id);
        return held ? this.#putInvestment(applyEffect(held, change, change.date)) : nothing;
      }
    }
  }

  #numbered(investment: Investment): Investment {
    if (investment.investment_number > 0) return investment;
    const { last } = this.investmentsOf(investment.offering_id).byNumber;
    return { ...investment, investment_number: (last?.investment_number ?? 0) + 1 };
  }

  #putInvestment(after: Investment): () => void {
    const held = this.#investments.get(after.id);
    const shown = held ?? this.#dataset.investment(after.id);
    const list = this.#listToChange(after.offering_id);
    this.#investments.set(after.id, after);
    list.replace(shown, after);
    return () => {
      set(this.#investments, after.id, held);
      list.replace(after, shown);
    };
  }

  #listToChange(offeringId: string): InvestmentList {
    const list = this.#lists.get(offeringId) ?? this.investmentsOf(offeringId).copy();
    this.#lists.set(offeringId, list);
    return list;
  }
}

function nothing(): void {}

/** Sets or deletes an entry, and answers how to take that back. */
function put<T>(map: Map<string, T>, id: string, after: T | undefined): () => void {
  const before = map.get(id);
  set(map, id, after);
  return () => set(map, id, before);
}

function set<T>(map: Map<string, T>, id: string, value: T | undefined): void {
  if (value === undefined) map.delete(id);
  else map.set(id, value);
}
