import { filled, listTemplates, showsPages } from "../assumptions/template.ts";
import { HttpError } from "../errors/http-error.ts";
import type { InvestmentListDocument, InvestmentResource } from "../model/documents.ts";
import { basePath, type ParameterName, parameters } from "../model/operations.ts";
import type { DocumentInput } from "./documents.ts";
import { parameterError, type ParameterValues } from "./parameters.ts";
import { includedResources, investmentResource, visibilityOf } from "./resources.ts";
import { type JsonBytes, type Listing, ResponseCache, type Serializable } from "./response-cache.ts";
import { selectInvestments } from "./selection.ts";

const parameterNames = Object.keys(parameters) as ParameterName[];

const [documents, resources] = [new ResponseCache<InvestmentListDocument>(), new ResponseCache<InvestmentResource>()];

/** `GET /offerings/:id/investments` (section 4). */
export function investmentListDocument(input: DocumentInput): JsonBytes<InvestmentListDocument> {
  const { offering, key, state, ledger, values, seed } = input;
  const { content } = state.investmentsOf(offering.id);
  const given = parameterNames.map((name) => values[name]);
  const variant = [offering, key.type, key.personal_data, seed, ...given];
  return documents.get(content, variant, ledger, (used, note) => listDocument({ ...input, ledger: used }, note));
}

function listDocument(input: DocumentInput, note: (listing: Listing) => void): Serializable<InvestmentListDocument> {
  const { offering, key, state, ledger, values, seed } = input;
  const list = state.investmentsOf(offering.id);
  const matching = selectInvestments(list, values, ledger.unrecorded("list.order"), seed);
  const shape = ledger.value("list.document");
  const template = shape === "resources" || shape === "data" ? undefined : listTemplates.parse(shape);
  const onlyData = template ? !showsPages(template) : shape === "data";
  const page = pageOf(matching.length, input, onlyData);
  const pastEnd = page.page > page.last ? ledger.value("list.past_end") : "empty";
  if (pastEnd !== "empty") {
    const problem = { detail: `The last page is ${page.last}.`, source: { parameter: "page" } };
    throw pastEnd === "404" ? new HttpError("page_not_found", problem) : parameterError(problem, ledger);
  }
  const start = (page.page - page.first) * page.size;
  const shown = matching.slice(start, start + page.size).flatMap(({ id }) => state.investment(id) ?? []);
  if (shown.length > 0 && matching.length > 1) ledger.value("list.order");
  const data = shown.map((investment) =>
    resources.get(investment, [], ledger, (used) => investmentResource(investment, state, used)),
  );
  const included =
    ledger.value("list.included") === "yes"
      ? includedResources(shown, offering, visibilityOf(key, ledger), ledger)
      : undefined;
  note({ page: page.page, size: page.size, shown: shown.length, total: matching.length });
  if (shape === "data") return { data, included };
  const { length: total } = matching;
  const meta = { page: page.page, size: page.size, total, pages: Math.ceil(total / page.size) };
  const links = pageLinks(`${basePath}/offerings/${offering.id}/investments`, values, page);
  if (!template) return { data, included, meta, links };
  const others = filled(template, { data, ...meta, ...links }) as Serializable<InvestmentListDocument>;
  return { ...others, included };
}

interface Page {
  readonly page: number;
  readonly size: number;
  /** The numbers of the first page and the last. */
  readonly first: number;
  readonly last: number;
}

/** Returns the requested page. Records only visible assumptions: without links and matches, all pages look alike. */
function pageOf(total: number, { values, ledger }: DocumentInput, onlyData: boolean): Page {
  const nothingShows = onlyData && total === 0;
  const first = Number(
    onlyData && values.page === undefined ? ledger.unrecorded("list.first_page") : ledger.value("list.first_page"),
  );
  const read = nothingShows ? ledger.unrecorded.bind(ledger) : ledger.value.bind(ledger);
  const size = values.size ?? Math.min(read("list.default_size"), read("list.max_size"));
  const last = first + Math.max(1, Math.ceil(total / size)) - 1;
  return { page: values.page ?? first, size, first, last };
}

/** Links to other pages, relative to the origin, with the same filters; null for a missing page. */
function pageLinks(
  path: string,
  values: ParameterValues,
  { page, size, first, last }: Page,
): NonNullable<InvestmentListDocument["links"]> {
  const others: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (name !== "page") others.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  }
  // Parameters keep their place; the size comes last if it was not given.
  const [before, after]: [string[], string[]] = values.page === undefined ? [others, []] : [[], others];
  if (values.size === undefined) after.push(`size=${size}`);
  const start = `${path}?${before.map((parameter) => `${parameter}&`).join("")}page=`;
  const end = after.map((parameter) => `&${parameter}`).join("");
  const link = (to: number): string => start + String(to) + end;
  return {
    self: link(page),
    first: link(first),
    prev: page > first ? link(Math.min(page - 1, last)) : null,
    next: page < last ? link(page + 1) : null,
    last: link(last),
  };
}
