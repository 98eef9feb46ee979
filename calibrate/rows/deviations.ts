import { isMembers } from "../../src/validation/members.ts";
import { type Types, typesAt } from "../responses/types.ts";
import type { ProbeId } from "../service/probes.ts";
import { everyInvestment, investorsReadBy, readBy } from "./keys.ts";
import { everyList, isHonored, isReordered, listMoved, pageIsIgnored, sizeIsIgnored } from "./paging.ts";
import type { ProbeResponses } from "./seen.ts";

/** A condition of the specification. `saw` returns a text where the service differs. */
type Condition = readonly [
  section: string,
  expected: string,
  saw: (seen: ProbeResponses) => string | false | undefined,
];

const conditions: readonly Condition[] = [
  [
    "2",
    "ids are UUIDs, timestamps have milliseconds and Z",
    (seen) => everyList(seen).some(({ wellFormed }) => !wellFormed) && "others in the list",
  ],
  ["2", "resources have the types of the specification", (seen) => hasOtherTypes(seen) && "another type"],
  [
    "2",
    "numbers and booleans are not texts, and every member is there",
    (seen) => {
      const documents = seen
        .all("investment")
        .flatMap(({ status, types, isWhole }) => (status === 200 && isWhole && types ? types : []));
      return [...new Set(documents.flatMap(wrongMembers))].join(", ");
    },
  ],
  [
    "4",
    "a filter by date filters",
    (seen) => seen.one("events_until_day_before")?.events?.hasTarget && "an event after create_date[lte]",
  ],
  [
    "4",
    "a list is filtered by date",
    (seen) => isHonored(seen, "date") === false && "investments after a create_date[gte] of 2990",
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
  [
    "4.2",
    "an event has its members without attributes around them",
    (seen) => seen.all("events").some(({ events }) => events?.isWrapped) && "attributes",
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
      if (listMoved(seen)) return undefined;
      return pageIsIgnored(seen) ? "the page is ignored" : sizeIsIgnored(seen) && "the size is ignored";
    },
  ],
  ["8", "the same list has the same order", (seen) => isReordered(seen) && "another order when asked again"],
];

function hasOtherTypes(seen: ProbeResponses): boolean {
  const events = seen.all("events").flatMap((shape) => (shape.events?.count ? shape.events : []));
  return [...everyList(seen), ...everyInvestment(seen), ...events].some((facts) => facts.hasOtherTypes);
}

/** Members by type: of an investment (section 2.1), and of included resources if every key reads the member. */
const own = {
  number: ["amount", "price", "quantity", "paid_amount", "investment_number"],
  boolean: ["expedited"],
  string: ["status", "create_date", "modify_date"],
};
const ofIncluded = { number: ["amount"], boolean: ["signed", "countersigner", "is_primary", "is_kyc", "is_signer"] };

/** `amount: string`, `paid_amount: missing` */
function wrongMembers(document: Types): string[] {
  const attributes = typesAt(document, "data", "attributes");
  const included = typesAt(document, "included");
  const missing = isMembers(attributes)
    ? Object.values(own)
        .flat()
        .filter((name) => !(name in attributes))
    : [];
  return [
    ...missing.map((name) => `${name}: missing`),
    ...wrongTypes(attributes, own),
    ...wrongTypes(Array.isArray(included) ? typesAt(included[0], "attributes") : undefined, ofIncluded),
  ];
}

function wrongTypes(attributes: Types | undefined, expected: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(expected).flatMap(([type, names]) =>
    names.flatMap((name) => {
      const found = typesAt(attributes, name) ?? typesAt(attributes, `${name}?`) ?? type;
      return found === type ? [] : `${name}: ${typeof found === "string" ? found : "no value"}`;
    }),
  );
}

function otherThan(expected: number, id: ProbeId): Condition[2] {
  return (seen) => {
    const shape = seen.one(id);
    return shape && shape.status !== expected && String(shape.status);
  };
}

/** The differences between the service and the specification. */
export function deviationsIn(seen: ProbeResponses) {
  return conditions.flatMap(([section, expected, sawIn]) => {
    const saw = sawIn(seen);
    return saw ? { section, expected, saw } : [];
  });
}
