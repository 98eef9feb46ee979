// What the requests of a measurement are made of: some investments of the first offering, spread over it, and pages of its
// list, each with its answers.
import { eventsDocument, investmentDocument, investmentResource, listDocument, statusDocument } from "./documents.js";

const size = 20;
const [howMany, howManyPages] = [100, 50];
const mostOthers = 20_000;

/** The investments of an offering in the order of its list. */
export function inListOrder(offering) {
  return offering.investments.toSorted(
    (one, other) =>
      Date.parse(one.create_date) - Date.parse(other.create_date) || one.investment_number - other.investment_number,
  );
}

/** The samples of a completed fixture. */
export function samplesOf(fixture) {
  const [offering] = fixture.offerings;
  const investments = inListOrder(offering);
  const count = Math.min(howMany, investments.length);
  const spread = Array.from(
    { length: count },
    (_, index) => investments[Math.floor((index * investments.length) / count)],
  );
  const keyOf = (type) =>
    fixture.keys.find((key) => key.type === type && [offering.id, offering.alias].includes(key.offering));
  const sampled = new Set(spread);
  return {
    investments: fixture.offerings.reduce((sum, each) => sum + each.investments.length, 0),
    offering: { id: offering.id, name: offering.name },
    keys: { partner: keyOf("partner"), marketing: keyOf("marketing") },
    missing: "00000000-0000-4000-8000-000000000000",
    ones: spread.map((investment) => ({
      id: investment.id,
      partner: investmentDocument(investment, offering, "partner"),
      marketing: investmentDocument(investment, offering, "marketing"),
      status: statusDocument(investment),
      events: eventsDocument(investment),
    })),
    others: investments
      .filter((investment) => !sampled.has(investment))
      .slice(0, mostOthers)
      .map(({ id }) => id),
    lists: listsOf(investments, offering),
    turns: turnsOf(investments, offering),
  };
}

/** Pages spread over the list: more than anybody would keep. */
function turnsOf(investments, offering) {
  const pages = Math.ceil(investments.length / size);
  const count = Math.min(howManyPages, pages);
  const turns = Array.from({ length: count }, (_, index) => 1 + Math.floor((index * pages) / count));
  return turns.map((page) => listAt(page, investments, {}, offering));
}

/** A page of the investments that a filter lets through. */
function listAt(page, matching, filter, offering) {
  const path = `/api/v1/offerings/${offering.id}/investments`;
  return {
    page,
    size,
    filter,
    rows: matching.slice((page - 1) * size, page * size).map((each) => investmentResource(each, offering)),
    total: matching.length,
    document: listDocument(matching, offering, { path, page, size, filter }),
  };
}

/** The first, middle and last page, and the first of those created in the middle fifth. */
function listsOf(investments, offering) {
  const last = Math.ceil(investments.length / size);
  const at = (share) => investments[Math.floor(investments.length * share)].create_date;
  const filter = { "create_date[gte]": at(0.4), "create_date[lte]": at(0.6) };
  const list = (page, matching = investments, filtered = {}) => listAt(page, matching, filtered, offering);
  const created = ({ create_date }) =>
    create_date >= filter["create_date[gte]"] && create_date <= filter["create_date[lte]"];
  return {
    first: list(1),
    middle: list(Math.ceil(last / 2)),
    last: list(last),
    filtered: list(1, investments.filter(created), filter),
  };
}
