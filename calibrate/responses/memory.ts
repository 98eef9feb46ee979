import type { Members } from "../../src/validation/members.ts";

/**
 * The service's ids and dates, for later requests and comparisons. They are never written anywhere; shapes and
 * decisions have numbers in place of ids.
 */
export class IdRegistry {
  readonly #numbers = new Map<string, number>();
  /** Investments of lists, by number: a group for sampling, with the state and whether people belong to it. */
  readonly groups = new Map<number, string>();
  /** The dates of events, by the number of the event, and their investments. */
  readonly events = new Map<number, { readonly investment: number; readonly date: string }>();
  /** The items of a list over several pages. */
  readonly series: DatedItem[] = [];
  /** The number of the event for which the filter by day is tried. */
  target: number | undefined;

  /** Returns the number of an id, the same for the same id. */
  number(id: unknown): number {
    const text = String(id);
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }

  id(number: number): string {
    return [...this.#numbers.keys()][number] ?? "";
  }
}

type DatedItem = ReturnType<typeof datedItem>;

/** An item with its values for an order; an unreadable one is undefined. */
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

/** An order of items, and the chance that unordered items are in this order by accident. */
export interface FittingOrder {
  /** `create_date`; `-create_date` for the reverse. */
  readonly by: string;
  readonly chance: number;
}

/** Returns every order in which the items are: by a date or by id. */
export function fittingOrders(items: readonly DatedItem[]): readonly FittingOrder[] {
  return (["create_date", "modify_date", "id"] as const).flatMap((name) =>
    ordersOf(
      name,
      items.map((item) => item[name]),
    ),
  );
}

/** Returns true if the items are in the order of an attribute, and hardly by accident. */
export function fitsAttribute(items: readonly DatedItem[]): boolean {
  const names = Object.keys(items[0]?.attributes ?? {}).slice(0, 60);
  const values = (name: string): unknown[] => items.map(({ attributes }) => attributes[name] ?? "");
  return names.some((name) => ordersOf(name, values(name)).some(({ chance }) => chance < 1e-3));
}

function ordersOf(name: string, values: readonly unknown[]): FittingOrder[] {
  const [type, ...others] = new Set(values.map((value) => typeof value));
  if (others.length > 0 || (type !== "string" && type !== "number")) return [];
  const comparable = values as readonly string[];
  const chance = chanceOf(comparable);
  const isSorted = (sign: number): boolean =>
    comparable.every((value, at) => at === 0 || sign * compare(comparable[at - 1] ?? value, value) <= 0);
  return [1, -1].flatMap((sign) => (isSorted(sign) ? { by: sign === 1 ? name : `-${name}`, chance } : []));
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The chance of unordered values being sorted: one of all arrangements, of which equal values make fewer. */
function chanceOf(values: readonly string[]): number {
  const counts = new Map<string, number>();
  let chance = 1;
  for (const [at, value] of values.entries()) {
    const equal = (counts.get(value) ?? 0) + 1;
    counts.set(value, equal);
    chance *= equal / (at + 1);
  }
  return chance;
}
