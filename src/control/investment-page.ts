import { setImmediate as otherWork } from "node:timers/promises";
import type {
  InvestmentFilter,
  InvestmentOrder,
  InvestmentPage,
  InvestmentRecord,
  InvestmentSummary,
} from "../control.ts";
import type { Environment } from "../environment/environment.ts";
import { findInvestment, findOffering } from "../environment/references.ts";
import type { Dataset } from "../fixture/dataset.ts";
import { nameOf, peopleOf } from "../fixture/investors.ts";
import { readInstant } from "../model/instant.ts";
import { Mistake } from "../model/mistakes.ts";
import { compareByCreation, prefixLength } from "../model/order.ts";
import type { Investment, InvestmentHead } from "../model/resources.ts";
import { investmentFilter, investmentOrders } from "../settings/investment-filter.ts";
import { checkedOptions } from "../settings/values.ts";
import { addressed } from "../errors/control-error.ts";

/*
 * Reads investments beside the service. A list goes through all of them, a slice at a time: others get a turn in between.
 * It is of the instant at which it began.
 */

export function getInvestment(environment: Environment, reference: string): InvestmentRecord {
  environment.read();
  return { ...addressed(() => findInvestment(environment.stores.history, reference)) };
}

/** Investments looked at before others get a turn, by whether texts are searched: some milliseconds. */
const slices = { plain: 2000, searched: 500 } as const;

export async function listInvestments(environment: Environment, given: InvestmentFilter): Promise<InvestmentPage> {
  const filter = checkedOptions(investmentFilter, given, "the filter");
  const { offering_id, limit = 50, order = "create_date", after, before } = filter;
  if (after !== undefined && before !== undefined) throw new Mistake("expected after or before, not both.");
  const { state } = environment.read();
  const { dataset } = environment.setup;
  const only = offering_id === undefined ? undefined : findOffering(dataset.offerings, offering_id);
  const offerings = only ? [only] : dataset.offerings;
  const lists = offerings.map(({ id }) => ({ offering_id: id, heads: state.investmentsOf(id).items }));
  const isBack = before !== undefined;
  // To the page before, all goes the other way round.
  const compare = comparison(order, isBack);
  const reference = after ?? before;
  const begin = reference === undefined ? undefined : placeOf(environment, reference, order, only?.id);
  const { isSearch, passes } = condition(filter, dataset);

  const found: Found[] = [];
  let [total, behind, seen] = [0, 0, 0];
  for (const { offering_id: offering, heads } of lists) {
    for (const head of heads) {
      if (++seen % slices[isSearch ? "searched" : "plain"] === 0) await otherWork();
      if (!passes(head)) continue;
      total += 1;
      if (begin && compare(head, begin) <= 0) {
        behind += 1;
        continue;
      }
      const last = found.length === limit ? found.at(-1) : undefined;
      if (last && compare(head, last.head) > 0) continue;
      found.splice(
        prefixLength(found, (other) => compare(other.head, head) < 0),
        0,
        { head, offering },
      );
      if (found.length > limit) found.pop();
    }
  }
  if (isBack) found.reverse();
  const preceding = isBack ? total - behind - found.length : behind;
  const [first, last] = [found[0], found.at(-1)];
  return {
    data: found.map((one) => summary(one, dataset)),
    total,
    searched: isSearch ? searched : [],
    preceding,
    next: last && preceding + found.length < total ? cursor(last.head, order) : null,
    previous: first && preceding > 0 ? cursor(first.head, order) : null,
  };
}

interface Found {
  readonly head: InvestmentHead;
  readonly offering: string;
}

const searched = ["number", "id", "alias", "name", "email"] as const;

/** Whether an investment passes a filter. */
function condition(
  { search = "", status, step, from, to }: InvestmentFilter,
  dataset: Dataset,
): { readonly isSearch: boolean; readonly passes: (head: InvestmentHead) => boolean } {
  const [first, last] = [from, to].map((date) => date && readInstant(date));
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const passes = (head: InvestmentHead): boolean => {
    if (status !== undefined && head.status.toLowerCase() !== status.toLowerCase()) return false;
    if (step !== undefined && head.step?.toLowerCase() !== step?.toLowerCase()) return false;
    const { id, alias = "", investment_number: number, create_date: date } = head;
    if ((first !== undefined && date < first) || (last !== undefined && date > last)) return false;
    const rest = words.filter((word) => {
      return !id.startsWith(word) && !alias.toLowerCase().includes(word) && String(number) !== word;
    });
    if (rest.length === 0) return true;
    // A changed investment is in its list as a whole.
    const { investors } = head as Partial<Investment>;
    const people = investors ? peopleOf(investors) : dataset.people(id);
    return rest.every((word) => people.includes(word));
  };
  return { isSearch: words.length > 0, passes };
}

function summary({ head, offering }: Found, dataset: Dataset): InvestmentSummary {
  const { id, alias = null, investment_number: number, status, step, amount, create_date, modify_date } = head;
  const { investors: changed } = head as Partial<Investment>;
  const investors = (changed ?? dataset.investors(id)).map((one) => ({ name: nameOf(one), email: one.email }));
  return { id, alias, offering_id: offering, number, status, step, amount, create_date, modify_date, investors };
}

type Compare = (one: InvestmentHead, other: InvestmentHead) => number;

function memberOf(order: InvestmentOrder) {
  return investmentOrders[order.replace("-", "") as keyof typeof investmentOrders];
}

function comparison(order: InvestmentOrder, isBack: boolean): Compare {
  const member = memberOf(order);
  const direction = order.startsWith("-") === isBack ? 1 : -1;
  return (one, other) => {
    const [value, second] = [one[member] ?? "", other[member] ?? ""];
    const difference = value < second ? -1 : Number(value > second);
    return direction * (difference || compareByCreation(one, other));
  };
}

/**
 * Where a page began or ended, as text. It has the values that the order goes by, so that the next page begins there even
 * if the investment has changed since, or is gone.
 */
function cursor(head: InvestmentHead, order: InvestmentOrder): string {
  const place = [order, head[memberOf(order)], head.create_date, head.investment_number, head.id];
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** The place in an order of an investment, or of a page's end. */
function placeOf(
  environment: Environment,
  reference: string,
  order: InvestmentOrder,
  offeringId: string | undefined,
): InvestmentHead {
  const place = pageEnd(reference);
  if (!place) return findInvestment(environment.stores.history, reference, offeringId);
  const [given, value, create_date, investment_number, id] = place;
  if (given !== order) throw new Mistake(`that page is ordered by ${String(given)}; expected one by ${order}.`);
  return { create_date, investment_number, id, [memberOf(order)]: value } as unknown as InvestmentHead;
}

/** The content of a cursor; undefined for another text. */
function pageEnd(reference: string): readonly unknown[] | undefined {
  try {
    const place: unknown = JSON.parse(Buffer.from(reference, "base64url").toString());
    return Array.isArray(place) && place.length === 5 ? place : undefined;
  } catch {
    return undefined;
  }
}
