import { tooMuch } from "../fixture/mistakes/resources.ts";
import type { DatedEffect, Effect } from "../model/change.ts";
import type { Instant } from "../model/instant.ts";
import { compareText } from "../model/order.ts";
import type { Investment, Key } from "../model/resources.ts";
import { type Created, kindOf, numberGiven } from "./effects.ts";

/** The resources that changes create. None is ever deleted, so a name and a date tell whether one exists. */
export class CreatedResources implements Created {
  readonly #effects = new Map<string, DatedEffect>();
  /** The ids of investments, by offering and alias. */
  readonly #aliased = new Map<string, string>();
  readonly #keys = new Set<DatedEffect<"new_key">>();
  /** How many resources have an id: those of payments and events are unique within their investment alone. */
  readonly #ids = new Map<string, number>();
  readonly #numbered = new Map<number, Set<DatedEffect>>();
  /** The effects on prices, quantities and amounts of payments, by investment. */
  readonly #money = new Map<string, Set<MoneyEffect>>();

  add(effect: DatedEffect): void {
    const name = kindOf(effect).creates?.(effect);
    if (name !== undefined) this.#effects.set(name, effect);
    this.#countIds(effect, 1);
    if (effect.kind === "new_key") this.#keys.add(effect);
    const alias = aliasGiven(effect);
    if (alias !== undefined && name !== undefined) this.#aliased.set(alias, name);
    const number = numberGiven(effect);
    if (number !== undefined) this.#numbered.set(number, (this.#numbered.get(number) ?? new Set()).add(effect));
    if (!setsMoney(effect)) return;
    const { investment_id: id } = effect;
    this.#money.set(id, (this.#money.get(id) ?? new Set()).add(effect));
  }

  delete(effect: DatedEffect): void {
    const name = kindOf(effect).creates?.(effect);
    if (name !== undefined) this.#effects.delete(name);
    this.#countIds(effect, -1);
    if (effect.kind === "new_key") this.#keys.delete(effect);
    const alias = aliasGiven(effect);
    if (alias !== undefined) this.#aliased.delete(alias);
    this.#numbered.get(numberGiven(effect) ?? 0)?.delete(effect);
    if (setsMoney(effect)) this.#money.get(effect.investment_id)?.delete(effect);
  }

  excess(investment: Investment, effect: DatedEffect): string | undefined {
    if (!setsMoney(effect)) return undefined;
    const amounts = new Map(investment.payments.map(({ id, amount }) => [id, amount]));
    let { price, quantity } = investment;
    const all = [...(this.#money.get(investment.id) ?? []), effect];
    // Mostly all amounts together, replaced ones included, are far from the bound.
    const named = [...amounts.values(), ...all.map(amountOf)];
    if (effect.kind !== "investment" && tooMuch({ payments: named.map((amount) => ({ amount })) }).length === 0)
      return undefined;
    for (const change of all.toSorted((one, other) => compareText(one.date, other.date))) {
      if (change.kind === "investment") ({ price = price, quantity = quantity } = change.attributes);
      else if (change.kind === "new_payment") amounts.set(change.payment.id, amountOf(change));
      else amounts.set(change.id, amountOf(change));
      const payments = Array.from(amounts.values(), (amount) => ({ amount }));
      const [mistake] = tooMuch({ price, quantity, payments });
      if (mistake) return mistake.join(" ").replace(/\.$/, "");
    }
    return undefined;
  }

  has(name: string, by?: Instant): boolean {
    const effect = this.#effects.get(name);
    return effect !== undefined && (by === undefined || effect.date <= by);
  }

  /** Whether a resource has an id, at any time. */
  hasId(id: string): boolean {
    return this.#ids.has(id);
  }

  investment(id: string, by: Instant): Investment | undefined {
    const effect = this.#effects.get(id);
    return effect?.kind === "new_investment" && effect.date <= by ? effect.investment : undefined;
  }

  aliased(offeringId: string, alias: string): string | undefined {
    return this.#aliased.get(`${offeringId} ${alias}`);
  }

  numbered(number: number): Iterable<DatedEffect> {
    return this.#numbered.get(number) ?? [];
  }

  /** The keys issued up to an instant, in their order. */
  keysBy(date: Instant): Key[] {
    const issued = Array.from(this.#keys).filter((effect) => effect.date <= date);
    return issued.toSorted((one, other) => compareText(one.date, other.date)).map(({ key }) => key);
  }

  #countIds(effect: DatedEffect, by: 1 | -1): void {
    for (const id of idsCreatedBy(effect)) {
      const count = (this.#ids.get(id) ?? 0) + by;
      if (count === 0) this.#ids.delete(id);
      else this.#ids.set(id, count);
    }
  }
}

function aliasGiven(effect: Effect): string | undefined {
  if (effect.kind !== "new_investment") return undefined;
  const { alias, offering_id } = effect.investment;
  return alias === undefined ? undefined : `${offering_id} ${alias}`;
}

/** The ids of all resources that a change creates. */
function idsCreatedBy(change: Effect): string[] {
  switch (change.kind) {
    case "new_investment": {
      const { id, investors, signing_parties, payments, events } = change.investment;
      return [id, ...[investors, signing_parties, payments, events].flatMap((parts) => parts.map((part) => part.id))];
    }
    case "new_payment":
      return [change.payment.id];
    case "event":
      return [change.event.id];
    case "new_key":
      return [change.key.id];
    default:
      return [];
  }
}

type MoneyEffect = DatedEffect<"investment" | "payment" | "new_payment">;

function setsMoney(effect: DatedEffect): effect is MoneyEffect {
  if (effect.kind === "new_payment") return true;
  if (effect.kind === "payment") return effect.attributes.amount !== undefined;
  if (effect.kind !== "investment") return false;
  return effect.attributes.price !== undefined || effect.attributes.quantity !== undefined;
}

function amountOf(effect: MoneyEffect): number {
  if (effect.kind === "new_payment") return effect.payment.amount;
  return effect.kind === "payment" ? (effect.attributes.amount ?? 0) : 0;
}
