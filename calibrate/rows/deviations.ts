import type { ProbeId } from "../service/probes.ts";
import { everyInvestment, investorsReadBy, readBy } from "./keys.ts";
import { everyList, isHonoured, isReordered, isRestless, itemsOf, pageIsIgnored, sizeIsIgnored } from "./paging.ts";
import type { Seen } from "./seen.ts";

/** A difference between the service and the specification. */
export interface Deviation {
  readonly section: string;
  readonly expected: string;
  readonly saw: string;
}

/** A condition of the specification. `saw` returns a text where the service differs. */
type Condition = readonly [section: string, expected: string, saw: (seen: Seen) => string | false | undefined];

const conditions: readonly Condition[] = [
  [
    "2",
    "ids are UUIDs, timestamps have milliseconds and Z",
    (seen) => everyList(seen).some(({ wellFormed }) => !wellFormed) && "others in the list",
  ],
  [
    "4",
    "a filter by date filters",
    (seen) => seen.one("events_until_day_before")?.events?.hasTarget && "an event after create_date[lte]",
  ],
  [
    "4",
    "a list is filtered by date",
    (seen) => isHonoured(seen, "date") === false && "investments after a create_date[gte] of 2990",
  ],
  [
    "4.1",
    "an investment has data and included",
    (seen) => {
      const types = seen.all("investment").find(({ status }) => status === 200)?.types;
      const isWhole = typeof types === "object" && ["data", "included"].every((name) => name in types);
      return types !== undefined && !isWhole && "one is missing";
    },
  ],
  ["5.3", "a request without a key is a 401", otherThan(401, "no_key")],
  ["5.4", "another offering's id is a 403", otherThan(403, "foreign_offering")],
  [
    "5.5",
    "a partner key reads no phone_number",
    (seen) => readBy("partner", seen).some(({ parties }) => parties.some(({ phone }) => phone)) && "phone_number",
  ],
  [
    "5.5",
    "a key reads all personal data, or all of it redacted",
    (seen) =>
      everyInvestment(seen).some(({ investors }) => investors.some(({ personal }) => personal === "mixed")) &&
      "some redacted, some not",
  ],
  [
    "5.5",
    "a marketing key reads [[redacted]] in place of personal data",
    (seen) => {
      const forms = new Set(investorsReadBy("marketing", seen).map(({ personal }) => personal));
      return forms.has("shown") ? "something else" : forms.has("absent") && "no such members";
    },
  ],
  ["7", "an unknown investment is a 404", otherThan(404, "unknown_investment")],
  ["7", "a 429 carries Retry-After", ({ limited }) => limited && limited.retryAfter === undefined && "none"],
  [
    "8",
    "page and size choose a page",
    (seen) => {
      if (isRestless(seen)) return undefined;
      return pageIsIgnored(seen) ? "the page is ignored" : sizeIsIgnored(seen) && "the size is ignored";
    },
  ],
  [
    "8",
    "the same list has the same order",
    (seen) => {
      const [list, ordered] = [itemsOf(seen, "list"), itemsOf(seen, "ordered")];
      const items = list.filter((item) => ordered.includes(item));
      const again = ordered.filter((item) => list.includes(item));
      // A list in the order of a date changes with its dates.
      const isUndated = seen.one("ordered")?.list?.orders.length === 0;
      return (isRestless(seen) || (isUndated && isReordered(items, again))) && "another order when asked again";
    },
  ],
];

function otherThan(expected: number, id: ProbeId): Condition[2] {
  return (seen) => {
    const shape = seen.one(id);
    return shape && shape.status !== expected && String(shape.status);
  };
}

export function deviationsIn(seen: Seen): Deviation[] {
  return conditions.flatMap(([section, expected, sawIn]) => {
    const saw = sawIn(seen);
    return saw ? { section, expected, saw } : [];
  });
}
