import { compareText } from "../../src/model/order.ts";
import type { Members } from "../../src/validation/members.ts";

/**
 * The ids and dates of the service, for later requests and comparisons. They are never written anywhere; shapes and
 * decisions have numbers in place of ids.
 */
export class IdRegistry {
  readonly #numbers = new Map<string, number>();
  /**
   * The groups of the listed investments, for sampling: state and number of kinds of people, by the investment's
   * number.
   */
  readonly groups = new Map<number, string>();
  /** The dates of events, by the number of the event, and their investments. */
  readonly events = new Map<number, { readonly investment: number; readonly date: string }>();
  /** The items of a list over several pages. */
  readonly series: DatedItem[] = [];
  /** The number of the event with which the filter by day is tested. */
  targetEvent: number | undefined;

  /** Returns the number of an id, the same for the same id. */
  numberOf(id: unknown): number {
    const text = String(id);
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }

  idOf(number: number): string {
    return [...this.#numbers.keys()][number] ?? "";
  }
}

type DatedItem = ReturnType<typeof datedItem>;

/** Returns an item with its values for an order; an unreadable value is undefined. */
export function datedItem(id: string, attributes: Members) {
  const { create_date, modify_date } = attributes;
  return {
    id: id.toLowerCase() || undefined,
    create_date: sortableDate(create_date),
    modify_date: sortableDate(modify_date),
    attributes,
  };
}

function sortableDate(date: unknown): string | undefined {
  const time = typeof date === "string" && /^\d{4}-\d\d-\d\d/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** An order of items, and the probability that unordered items are in this order by accident. */
export interface FittingOrder {
  /** `create_date`; `-create_date` for the reverse. */
  readonly by: string;
  readonly probability: number;
}

/** Returns every order by a date or by id that fits the items. */
export function fittingOrders(items: readonly DatedItem[]): readonly FittingOrder[] {
  const names = ["create_date", "modify_date", "id"] as const;
  const columns = names.map((name) => ({ name, values: items.map((item) => item[name]) }));
  return columns.flatMap(({ name, values }) => ordersOf(name, values));
}

/** Returns true if the items are in the order of an attribute, and improbably by accident. */
export function hasAttributeOrder(items: readonly DatedItem[]): boolean {
  const names = Object.keys(items[0]?.attributes ?? {}).slice(0, 60);
  const values = (name: string): unknown[] => items.map(({ attributes }) => attributes[name] ?? "");
  return names.some((name) => ordersOf(name, values(name)).some(({ probability }) => probability < 1e-3));
}

function ordersOf(name: string, values: readonly unknown[]): FittingOrder[] {
  const [type, ...otherTypes] = new Set(values.map((value) => typeof value));
  if (otherTypes.length > 0 || (type !== "string" && type !== "number")) return [];
  const comparable = values as readonly string[];
  const probability = probabilityOf(comparable);
  const isSorted = (sign: number): boolean =>
    comparable.every((value, index) => index === 0 || sign * compareText(comparable[index - 1] ?? value, value) <= 0);
  return [1, -1].flatMap((sign) => (isSorted(sign) ? { by: sign === 1 ? name : `-${name}`, probability } : []));
}

/** Returns the probability that unordered values are sorted: 1 / the number of their distinct permutations. */
function probabilityOf(values: readonly string[]): number {
  const counts = new Map<string, number>();
  let probability = 1;
  for (const [index, value] of values.entries()) {
    const equalCount = (counts.get(value) ?? 0) + 1;
    counts.set(value, equalCount);
    probability *= equalCount / (index + 1);
  }
  return probability;
}
