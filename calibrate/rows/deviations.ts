import { isMembers } from "../../src/validation/members.ts";
import { type Types, typesAt } from "../responses/types.ts";
import type { ProbeId } from "../service/probes.ts";
import { everyInvestment, investorsReadBy, investmentsReadBy } from "./keys.ts";
import { everyList, isHonored, isReordered, hasListMoved, isPageIgnored, isSizeIgnored } from "./paging.ts";
import type { Observations } from "./observations.ts";

/** A condition of the specification. `findDeviation` describes how the service differs from it. */
type Condition = readonly [
  section: string,
  expected: string,
  findDeviation: (observations: Observations) => string | false | undefined,
];

const conditions: readonly Condition[] = [
  [
    "2",
    "ids are UUIDs, timestamps have milliseconds and Z",
    (observations) => everyList(observations).some(({ isWellFormed }) => !isWellFormed) && "other forms in the list",
  ],
  ["2", "resources have the types of the specification", findOtherType],
  [
    "2",
    "numbers and booleans are not strings, and every member exists",
    (observations) => {
      const documents = observations
        .all("investment")
        .flatMap(({ status, types, isWhole }) => (status === 200 && isWhole && types ? types : []));
      return [...new Set(documents.flatMap(wrongMembers))].join(", ");
    },
  ],
  [
    "4",
    "a filter by date filters",
    (observations) =>
      observations.first("events_until_day_before")?.events?.hasTarget && "an event after create_date[lte]",
  ],
  [
    "4",
    "a list is filtered by date",
    (observations) => isHonored(observations, "date") === false && "investments after a create_date[gte] of 2990",
  ],
  [
    "4.1",
    "an investment has data and included",
    (observations) => {
      const types = observations.all("investment").find(({ status }) => status === 200)?.types;
      const isWhole = typeof types === "object" && ["data", "included"].every((name) => name in types);
      return types !== undefined && !isWhole && "one of them is missing";
    },
  ],
  [
    "4.2",
    "an event has its members without attributes around them",
    (observations) => observations.all("events").some(({ events }) => events?.isWrapped) && "attributes",
  ],
  ["5.3", "a request without a key is a 401", statusOtherThan(401, "no_key")],
  ["5.4", "another offering's id is a 403", statusOtherThan(403, "foreign_offering")],
  [
    "5.5",
    "a partner key reads no phone_number",
    (observations) =>
      investmentsReadBy("partner", observations).some(({ parties }) => parties.some(({ hasPhone }) => hasPhone)) &&
      "phone_number",
  ],
  [
    "5.5",
    "a key reads all personal data, or all of it redacted",
    (observations) =>
      everyInvestment(observations).some(({ investors }) => investors.some(({ personal }) => personal === "mixed")) &&
      "some redacted, some not",
  ],
  [
    "5.5",
    "a marketing key reads [[redacted]] in place of personal data",
    (observations) => {
      const dataForms = new Set(investorsReadBy("marketing", observations).map(({ personal }) => personal));
      return dataForms.has("shown") ? "something else" : dataForms.has("absent") && "no such members";
    },
  ],
  ["7", "an unknown investment is a 404", statusOtherThan(404, "unknown_investment")],
  [
    "7",
    "a 429 carries Retry-After",
    ({ rateLimited }) => rateLimited && rateLimited.retryAfterForm === undefined && "no Retry-After",
  ],
  [
    "8",
    "page and size choose a page",
    (observations) => {
      if (hasListMoved(observations)) return undefined;
      return isPageIgnored(observations) ? "the page is ignored" : isSizeIgnored(observations) && "the size is ignored";
    },
  ],
  [
    "8",
    "the same list has the same order",
    (observations) => isReordered(observations) && "another order when requested again",
  ],
];

function findOtherType(observations: Observations): string | false {
  const events = observations.all("events").flatMap((shape) => (shape.events?.count ? shape.events : []));
  const facts = [...everyList(observations), ...everyInvestment(observations), ...events];
  return facts.some(({ hasOtherTypes }) => hasOtherTypes) && "another type";
}

/** The members by type: of an investment (section 2.1), and of included resources those that every key reads. */
const investmentMembers = {
  number: ["amount", "price", "quantity", "paid_amount", "investment_number"],
  boolean: ["expedited"],
  string: ["status", "create_date", "modify_date"],
};
const includedMembers = {
  number: ["amount"],
  boolean: ["signed", "countersigner", "is_primary", "is_kyc", "is_signer"],
};

/** Returns the wrong members: `amount: string`, `paid_amount: missing`. */
function wrongMembers(document: Types): string[] {
  const attributes = typesAt(document, "data", "attributes");
  const included = typesAt(document, "included");
  const names = Object.values(investmentMembers).flat();
  const missingNames = isMembers(attributes) ? names.filter((name) => !(name in attributes)) : [];
  return [
    ...missingNames.map((name) => `${name}: missing`),
    ...wrongTypes(attributes, investmentMembers),
    ...wrongTypes(Array.isArray(included) ? typesAt(included[0], "attributes") : undefined, includedMembers),
  ];
}

function wrongTypes(attributes: Types | undefined, expected: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(expected).flatMap(([type, names]) =>
    names.flatMap((name) => {
      const foundType = typesAt(attributes, name) ?? typesAt(attributes, `${name}?`) ?? type;
      return foundType === type ? [] : `${name}: ${typeof foundType === "string" ? foundType : "no value"}`;
    }),
  );
}

function statusOtherThan(expected: number, id: ProbeId): Condition[2] {
  return (observations) => {
    const shape = observations.first(id);
    return shape && shape.status !== expected && String(shape.status);
  };
}

/** Returns the differences between the service and the specification. */
export function deviationsIn(observations: Observations) {
  return conditions.flatMap(([section, expected, deviationIn]) => {
    const observed = deviationIn(observations);
    return observed ? { section, expected, observed } : [];
  });
}
