import { HttpError } from "../../errors/http-error.ts";
import type { InvestmentListDocument } from "../../model/documents.ts";
import type { InvestmentHead } from "../../model/resources.ts";
import { inListOrder } from "../list-order.ts";
import type { OfferingRequest } from "../read-request.ts";
import { investmentResource } from "../resources/investment.ts";
import { within } from "../within.ts";
import { includedResources } from "./included.ts";
import { pageLinks, type Page } from "./page-links.ts";

/** `GET /offerings/:id/investments`. */
export function investmentListDocument(request: OfferingRequest): InvestmentListDocument {
  const { ledger, values, path } = request;
  const matching = matchingInvestments(request);
  const onlyData = ledger.value("list.document") === "data";
  const page = pageOf(matching.length, request, onlyData);
  if (page.page > page.last && ledger.value("list.past_end") === "404") {
    throw new HttpError("page_not_found", {
      detail: `The last page is ${page.last}.`,
      source: { parameter: "page" },
    });
  }
  const start = (page.page - page.first) * page.size;
  const shown = matching.slice(start, start + page.size).flatMap(({ id }) => request.state.investment(id) ?? []);
  const data = shown.map((investment) => investmentResource(investment, ledger));
  const included = ledger.value("list.included") === "yes" ? { included: includedResources(shown, request) } : {};
  if (onlyData) return { data, ...included };
  return {
    data,
    ...included,
    meta: { page: page.page, size: page.size, total: matching.length, pages: Math.ceil(matching.length / page.size) },
    links: pageLinks(path, values, page),
  };
}

function matchingInvestments({ offering, state, ledger, values, seed }: OfferingRequest): readonly InvestmentHead[] {
  const list = state.investmentsOf(offering.id);
  const all = inListOrder(list, ledger.peek("list.order"), seed);
  const { "create_date[gte]": createdFrom, "create_date[lte]": createdUntil } = values;
  const { "modify_date[gte]": modifiedFrom, "modify_date[lte]": modifiedUntil } = values;
  const filtered = (createdFrom ?? createdUntil ?? modifiedFrom ?? modifiedUntil) !== undefined;
  const matching = !filtered
    ? all
    : all.filter(
        ({ create_date, modify_date }) =>
          within(create_date, createdFrom, createdUntil) && within(modify_date, modifiedFrom, modifiedUntil),
      );
  if (matching.length > 1) ledger.value("list.order");
  return matching;
}

/** The page asked for. Where nothing but data is shown, and none matches, no page looks otherwise than another. */
function pageOf(total: number, { values, ledger }: OfferingRequest, onlyData: boolean): Page {
  const nothingShows = onlyData && total === 0;
  const first = Number(
    onlyData && values.page === undefined ? ledger.peek("list.first_page") : ledger.value("list.first_page"),
  );
  const read = nothingShows ? ledger.peek.bind(ledger) : ledger.value.bind(ledger);
  const size = values.size ?? Math.min(read("list.default_size"), read("list.max_size"));
  const last = first + Math.max(1, Math.ceil(total / size)) - 1;
  return { page: values.page ?? first, size, first, last };
}
