import type { Members } from "../src/model/members.ts";

/**
 * All that a calibration knows of the service's data while it runs: ids and dates that later requests and comparisons need.
 * It is never written anywhere; shapes and decisions see numbers in place of ids.
 */
export class Memory {
  readonly #numbers = new Map<string, number>();
  readonly #ids: string[] = [];
  /** Investments of lists, by number: a group for sampling, with the state and whether persons belong to it. */
  readonly groups = new Map<number, string>();
  /** When events happened, by the number of the event; and the investments that they belong to. */
  readonly events = new Map<number, { readonly investment: number; readonly date: string }>();
  /** The items of a list over several pages. */
  readonly series: Dated[] = [];
  /** The event that a filter by day should show, or not. */
  target: number | undefined;

  /** Returns the number of an id, the same for the same id. */
  number(id: unknown): number {
    const text = String(id);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#ids.length);
    return this.#ids.push(text) - 1;
  }

  id(number: number): string {
    return this.#ids[number] ?? "";
  }
}

/** An item with what it may be ordered by. */
export interface Dated {
  readonly id: string;
  readonly create_date: string;
  readonly modify_date: string;
  readonly attributes: Members;
}

/** Returns an instant in the form in which instants sort; an empty text for a value that is none. */
export function sortable(date: unknown): string {
  const time = typeof date === "string" && /^\d{4}-\d\d-\d\d/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(time) ? "" : new Date(time).toISOString();
}

/** Returns true if the items are in the order of an attribute that is no date, and hardly by accident. */
export function fitsAttribute(items: readonly Dated[]): boolean {
  const names = Object.keys(items[0]?.attributes ?? {}).slice(0, 60);
  return names.some((name) => {
    const values = items.map(({ attributes }) => attributes[name] ?? "");
    const [kind, ...others] = new Set(values.map((value) => typeof value));
    if (others.length > 0 || (kind !== "string" && kind !== "number")) return false;
    const comparable = values as string[];
    return chanceOf(comparable) < 1e-3 && [1, -1].some((sign) => isSorted(comparable, sign));
  });
}

function isSorted(values: readonly string[], sign: number): boolean {
  return values.every((value, at) => at === 0 || sign * compare(values[at - 1] ?? value, value) <= 0);
}

/** An order that items are in, and the chance that items in no order at all are in it too. */
export interface FittingOrder {
  readonly by: string;
  readonly chance: number;
}

/** Returns every order in which the items are: by a date or by id, forwards or backwards. */
export function fittingOrders(items: readonly Dated[]): readonly FittingOrder[] {
  return (["create_date", "modify_date", "id"] as const).flatMap((name) => {
    const values = items.map((item) => item[name]);
    if (values.includes("")) return [];
    const inOrder = (sign: number): boolean => isSorted(values, sign);
    const chance = chanceOf(values);
    return [...(inOrder(1) ? [{ by: name, chance }] : []), ...(inOrder(-1) ? [{ by: `-${name}`, chance }] : [])];
  });
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The chance that values in no order are in order: one of all arrangements, of which equal values make fewer. */
function chanceOf(values: readonly string[]): number {
  const times = new Map<string, number>();
  let chance = 1;
  for (const [at, value] of values.entries()) {
    const equal = (times.get(value) ?? 0) + 1;
    times.set(value, equal);
    chance *= equal / (at + 1);
  }
  return chance;
}
