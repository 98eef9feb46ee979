import type { InvestmentListDocument, InvestmentResource } from "offering-sandbox";
import { formatAddress } from "../address.ts";
import { firstPage, pageSize, type ListQuery } from "../service/list-query.ts";
import { day, money, sentence } from "./format.ts";
import { html, type Markup } from "./html.ts";
import { statusMark } from "./standing.ts";

/** One page of an offering's investments. */
export function listView(list: InvestmentListDocument, query: ListQuery): Markup {
  return html`${filters(query)} ${list.data.length > 0 ? table(list, query) : nothing(query)} ${pages(list, query)}`;
}

function filters(query: ListQuery): Markup {
  const field = (label: string, name: keyof ListQuery): Markup =>
    html`<label>${label} <input type="date" name="${name}" value="${query[name]}" /></label>`;
  return html`<form id="filters" aria-label="Filters">
    <fieldset>
      <legend>Created</legend>
      ${field("from", "createdFrom")} ${field("to", "createdTo")}
    </fieldset>
    <fieldset>
      <legend>Modified</legend>
      ${field("from", "modifiedFrom")} ${field("to", "modifiedTo")}
    </fieldset>
    <button>Filter</button>
    ${isFiltered(query) && html`<a href="#">Show all</a>`}
  </form>`;
}

function table(list: InvestmentListDocument, query: ListQuery): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Investments">
    <table>
      <caption>
        ${caption(list)}
      </caption>
      <thead>
        <tr>
          <th scope="col">No.</th>
          <th scope="col">Status</th>
          <th scope="col" class="number">Amount</th>
          <th scope="col" class="number">Paid</th>
          <th scope="col">Created</th>
          <th scope="col">Modified</th>
        </tr>
      </thead>
      <tbody>
        ${list.data.map((investment) => row(investment, query))}
      </tbody>
    </table>
  </div>`;
}

function row({ id, attributes }: InvestmentResource, query: ListQuery): Markup {
  const { investment_number: number, amount, paid_amount: paid } = attributes;
  return html`<tr>
    <th scope="row">
      <a href="${formatAddress({ investmentId: id, query })}" aria-label="Investment ${number}">${number}</a>
    </th>
    <td>${statusMark(attributes)} ${attributes.step !== null && html`<small>${sentence(attributes.step)}</small>`}</td>
    <td class="number">${money(amount)}</td>
    <td class="number">${money(paid)}</td>
    <td>${day(attributes.create_date)}</td>
    <td>${day(attributes.modify_date)}</td>
  </tr>`;
}

function caption({ data, meta }: InvestmentListDocument): string {
  if (meta?.total === undefined) return `${data.length} investments on this page`;
  return meta.total === 1 ? "1 investment" : `${meta.total} investments`;
}

function nothing(query: ListQuery): Markup {
  if (query.page > firstPage) return html`<p class="note">There is nothing on this page.</p>`;
  return html`<p class="note">
    ${isFiltered(query) ? "No investment fits these dates." : "This offering has no investments yet."}
  </p>`;
}

function pages(list: InvestmentListDocument, query: ListQuery): Markup {
  const { page } = query;
  const to = (label: string, target: number, there: boolean, rel: string): Markup =>
    there ? html`<a rel="${rel}" href="${formatAddress({ query: { ...query, page: target } })}">${label}</a>` : html``;
  if (page === firstPage && !hasNext(list, page)) return html``;
  return html`<nav aria-label="Pages">
    ${to("Previous", page - 1, page > firstPage, "prev")}
    <span>Page ${page}${list.meta?.pages !== undefined && html` of ${list.meta.pages}`}</span>
    ${to("Next", page + 1, hasNext(list, page), "next")}
  </nav>`;
}

/** Whether there may be a next page: a list without the number of pages may have one after a full page. */
function hasNext({ data, meta }: InvestmentListDocument, page: number): boolean {
  return meta?.pages === undefined ? data.length === pageSize : page < meta.pages + firstPage - 1;
}

function isFiltered({ createdFrom, createdTo, modifiedFrom, modifiedTo }: ListQuery): boolean {
  return [createdFrom, createdTo, modifiedFrom, modifiedTo].some(Boolean);
}
