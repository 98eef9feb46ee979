import { everyInvestment, readBy } from "./keys.ts";
import { everyList, isHonoured, isReordered, isRestless, itemsOf, pageIsIgnored, sizeIsIgnored } from "./rows/lists.ts";
import type { Seen } from "./verdict.ts";

/** Something that the service does otherwise than the specification says. */
export interface Deviation {
  readonly section: string;
  readonly expected: string;
  readonly saw: string;
}

/** A condition of the specification: what is expected, and what was seen in its place; undefined if all is well or unknown. */
type Condition = readonly [section: string, expected: string, saw: (seen: Seen) => string | undefined];

const conditions: readonly Condition[] = [
  [
    "2",
    "ids are UUIDs, timestamps have milliseconds and Z",
    (seen) => (everyList(seen).every(({ wellFormed }) => wellFormed) ? undefined : "others in the list"),
  ],
  [
    "4",
    "a filter by date filters",
    (seen) => (seen.one("events_until_day_before")?.events?.hasTarget ? "an event after create_date[lte]" : undefined),
  ],
  [
    "4",
    "a list is filtered by date",
    (seen) => (isHonoured(seen, "date") === false ? "investments after a create_date[gte] of 2990" : undefined),
  ],
  [
    "4.1",
    "an investment has data and included",
    (seen) => {
      const types = seen.all("investment").find(({ status }) => status === 200)?.types;
      const isWhole =
        types === undefined || ["data", "included"].every((name) => typeof types === "object" && name in types);
      return isWhole ? undefined : "one is missing";
    },
  ],
  ["5.3", "a request without a key is a 401", answers("no_key", 401)],
  ["5.4", "another offering's id is a 403", answers("foreign_offering", 403)],
  [
    "5.5",
    "a partner key reads no phone_number",
    (seen) =>
      readBy(seen, "partner").some(({ parties }) => parties.some(({ phone }) => phone)) ? "phone_number" : undefined,
  ],
  [
    "5.5",
    "a key reads all personal data, or all of it redacted",
    (seen) =>
      everyInvestment(seen).some(({ investors }) => investors.some(({ personal }) => personal === "mixed"))
        ? "some redacted, some not"
        : undefined,
  ],
  [
    "5.5",
    "a marketing key reads [[redacted]] in place of personal data",
    (seen) => {
      const investors = readBy(seen, "marketing").flatMap((investment) => investment.investors);
      if (investors.some(({ personal }) => personal === "shown")) return "something else";
      return investors.some(({ personal }) => personal === "absent") ? "no such members" : undefined;
    },
  ],
  ["7", "an unknown investment is a 404", answers("unknown_investment", 404)],
  [
    "7",
    "a 429 carries Retry-After",
    (seen) => (seen.limited && seen.limited.retryAfter === undefined ? "none" : undefined),
  ],
  [
    "8",
    "page and size choose a page",
    (seen) => {
      if (isRestless(seen)) return undefined;
      if (pageIsIgnored(seen)) return "the page is ignored";
      return sizeIsIgnored(seen) ? "the size is ignored" : undefined;
    },
  ],
  [
    "8",
    "the same list has the same order",
    (seen) => {
      if (isRestless(seen)) return "another order when asked again";
      // A list in the order of a date changes with its dates.
      if (seen.one("ordered")?.list?.orders.length !== 0) return undefined;
      const items = itemsOf(seen, "list");
      const again = itemsOf(seen, "ordered").filter((item) => items.includes(item));
      return isReordered(items, again) ? "another order when asked again" : undefined;
    },
  ],
];

function answers(id: Parameters<Seen["one"]>[0], expected: number): Condition[2] {
  return (seen) => {
    const shape = seen.one(id);
    return shape && shape.status !== expected ? String(shape.status) : undefined;
  };
}

/** Returns what the service does otherwise than the specification says. */
export function deviationsIn(seen: Seen): readonly Deviation[] {
  return conditions.flatMap(([section, expected, sawIn]) => {
    const saw = sawIn(seen);
    return saw === undefined ? [] : { section, expected, saw };
  });
}
