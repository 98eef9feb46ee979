import type { InvestmentEventsDocument } from "offering-sandbox";
import { isRedacted, type InvestmentFile } from "../service/investment-file.ts";
import { moment, money, units } from "./format.ts";
import { eventsView, paymentsView } from "./history.ts";
import { factsView } from "./facts.ts";
import { html, type Markup } from "./html.ts";
import { investorsView, signingPartiesView } from "./people.ts";
import { standingLine } from "./standing.ts";

/** One investment with its related resources. */
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
    <section aria-labelledby="payments">
      <h2 id="payments">Payments</h2>
      ${paymentsView(file.payments)}
    </section>
    <section aria-labelledby="events">
      <h2 id="events">Events</h2>
      ${eventsView(included)}
    </section>`;
}

function summary({ investment: { attributes } }: InvestmentFile): Markup {
  const { amount, paid_amount: paid, price, quantity } = attributes;
  return html`<p>${standingLine(attributes)} ${attributes.expedited && "· Expedited"}</p>
    ${factsView([
      ["Amount", html`${money(amount)} <small>${units(quantity)} × ${money(price)}</small>`],
      ["Paid", money(paid)],
      ["Created", moment(attributes.create_date)],
      ["Modified", moment(attributes.modify_date)],
    ])}`;
}
