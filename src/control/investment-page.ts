import { setImmediate as nextTurn } from "node:timers/promises";
import type { InvestmentFilter, InvestmentOrder, InvestmentPage, InvestmentSummary } from "../public/control.ts";
import type { Environment } from "../environment/environment.ts";
import { findInvestment, findOffering } from "../environment/references.ts";
import type { Dataset } from "../fixture/dataset.ts";
import { readInstant } from "../time/instant.ts";
import { ValidationError } from "../validation/errors.ts";
import { compareByCreation, prefixLength } from "../model/order.ts";
import type { Investment, InvestmentFields } from "../model/resources.ts";
import { peopleOf, personName } from "../model/summaries.ts";
import { investmentOrders } from "../settings/queries.ts";
import { orNotFound } from "../errors/control-error.ts";
import type { Handlers } from "./call.ts";

/*
 * Reads investments independently of the service. A list reads them in slices, between which other work continues, but
 * shows the state at the instant at which it began.
 */

/** The handlers of the operations that read investments. */
export const investmentHandlers = {
  listInvestments: ({ environment, query }) => listInvestments(environment, query),

  getInvestment: ({ environment, id }) => ({ ...orNotFound(() => findInvestment(environment.internals.history, id)) }),
} satisfies Partial<Handlers>;

/** The number of investments in a slice, which takes some milliseconds: without and with a search for words. */
const sliceLengths = { all: 2000, search: 500 } as const;

async function listInvestments(environment: Environment, filter: InvestmentFilter): Promise<InvestmentPage> {
  const { offering_id, limit = 50, order = "create_date", after, before } = filter;
  if (after !== undefined && before !== undefined)
    throw new ValidationError("The filter has both after and before; expected one of them.");
  const { state } = environment.read();
  const { dataset } = environment.config;
  const onlyOffering = offering_id === undefined ? undefined : findOffering(dataset.offerings, offering_id);
  const offerings = onlyOffering ? [onlyOffering] : dataset.offerings;
  const lists = offerings.map(({ id }) => ({ offeringId: id, investments: [...state.investmentsOf(id).byCreation] }));
  const reference = after ?? before;
  const neighbor =
    reference === undefined ? undefined : findInvestment(environment.internals.history, reference, onlyOffering?.id);
  const { isSearch, isMatch } = createFilter(filter, dataset);

  const matches: Match[] = [];
  let checkedCount = 0;
  for (const { offeringId, investments } of lists) {
    for (const investment of investments) {
      if (++checkedCount % sliceLengths[isSearch ? "search" : "all"] === 0) await nextTurn();
      if (isMatch(investment)) matches.push({ investment, offeringId });
    }
  }
  const compare = createComparator(order);
  matches.sort((left, right) => compare(left.investment, right.investment));

  const preceding = neighbor
    ? prefixLength(matches, ({ investment }) => compare(investment, neighbor) < (after === undefined ? 0 : 1))
    : 0;
  const start = before === undefined ? preceding : Math.max(0, preceding - limit);
  const page = matches.slice(start, before === undefined ? start + limit : preceding);
  const total = matches.length;
  return {
    data: page.map((match) => summarizeMatch(match, dataset)),
    total,
    searched: isSearch ? searchedMembers : [],
    preceding: start,
    next: start + page.length < total ? (page.at(-1)?.investment.id ?? null) : null,
    previous: start > 0 ? (page[0]?.investment.id ?? null) : null,
  };
}

interface Match {
  readonly investment: InvestmentFields;
  readonly offeringId: string;
}

const searchedMembers = ["number", "id", "alias", "name", "email"] as const;

/** Returns the check of an investment against a filter, and whether the filter searches for words. */
function createFilter(
  { search = "", status, step, from, to }: InvestmentFilter,
  dataset: Dataset,
): { readonly isSearch: boolean; readonly isMatch: (investment: InvestmentFields) => boolean } {
  const [first, last] = [from, to].map((date) => date && readInstant(date));
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = (investment: InvestmentFields): boolean => {
    if (status !== undefined && investment.status.toLowerCase() !== status.toLowerCase()) return false;
    if (step !== undefined && investment.step?.toLowerCase() !== step?.toLowerCase()) return false;
    const { id, alias = "", investment_number: number, create_date: date } = investment;
    if ((first !== undefined && date < first) || (last !== undefined && date > last)) return false;
    const isFound = (word: string): boolean =>
      id.startsWith(word) || alias.toLowerCase().includes(word) || [`${number}`, `#${number}`].includes(word);
    const otherWords = words.filter((word) => !isFound(word));
    if (otherWords.length === 0) return true;
    // For a changed investment, these fields are the whole investment.
    const { investors } = investment as Partial<Investment>;
    const people = investors ? peopleOf(investors) : dataset.people(id);
    return otherWords.every((word) => people.includes(word));
  };
  return { isSearch: words.length > 0, isMatch };
}

function summarizeMatch({ investment, offeringId: offering }: Match, dataset: Dataset): InvestmentSummary {
  const { id, alias = null, investment_number: number, status, step, amount, create_date, modify_date } = investment;
  const { investors: changedInvestors } = investment as Partial<Investment>;
  const people = changedInvestors ?? dataset.investment(id)?.investors ?? [];
  const investors = people.map((person) => ({ name: personName(person), email: person.email }));
  return { id, alias, offering_id: offering, number, status, step, amount, create_date, modify_date, investors };
}

function createComparator(order: InvestmentOrder): typeof compareByCreation {
  const member = investmentOrders[order.replace("-", "") as keyof typeof investmentOrders];
  const direction = order.startsWith("-") ? -1 : 1;
  return (left, right) => {
    const [leftValue, rightValue] = [left[member] ?? "", right[member] ?? ""];
    const difference = leftValue < rightValue ? -1 : Number(leftValue > rightValue);
    return direction * (difference || compareByCreation(left, right));
  };
}
