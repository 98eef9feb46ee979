import type { InvestmentEventsDocument } from "offering-sandbox";
import { isRedacted, type InvestmentFile } from "../service/investment-file.ts";
import { moment, money, units } from "./format.ts";
import { eventsView, paymentsView } from "./history.ts";
import { html, type Markup } from "./html.ts";
import { paidView } from "./paid.ts";
import { investorsView, signingPartiesView } from "./people.ts";
import { standingLine } from "./standing.ts";

/** One investment with all that belongs to it. */
export function investmentView(file: InvestmentFile, { included }: InvestmentEventsDocument): Markup {
  return html`${summary(file)}
    <section aria-labelledby="investors">
      <h2 id="investors">Investors</h2>
      ${isRedacted(file) && html`<p class="note">This key does not show personal data. A Partner key does.</p>`}
      ${investorsView(file.investors)}
    </section>
    <section aria-labelledby="signing-parties">
      <h2 id="signing-parties">Signing parties</h2>
      ${signingPartiesView(file.signingParties)}
    </section>
    <div class="columns">
      <section aria-labelledby="payments">
        <h2 id="payments">Payments</h2>
        ${paymentsView(file.payments)}
      </section>
      <section aria-labelledby="events">
        <h2 id="events">Events</h2>
        ${eventsView(included)}
      </section>
    </div>`;
}

function summary({ investment: { attributes } }: InvestmentFile): Markup {
  const { amount, paid_amount: paid, price, quantity } = attributes;
  return html`<div class="summary card">
    <p class="standing">${standingLine(attributes)} ${attributes.expedited && html`<span>Expedited</span>`}</p>
    <p class="amount"><strong>${money(amount)}</strong> ${units(quantity)} × ${money(price)}</p>
    ${paidView(paid, amount, "paid")}
    <dl>
      <div>
        <dt>Created</dt>
        <dd>${moment(attributes.create_date)}</dd>
      </div>
      <div>
        <dt>Modified</dt>
        <dd>${moment(attributes.modify_date)}</dd>
      </div>
    </dl>
  </div>`;
}
