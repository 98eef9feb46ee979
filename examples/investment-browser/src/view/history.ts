import type { EventResource, PaymentResource } from "offering-sandbox";
import { moment, money, sentence } from "./format.ts";
import { html, type Markup } from "./html.ts";
import { statusMark } from "./standing.ts";

export function paymentsView(payments: readonly PaymentResource[]): Markup {
  if (payments.length === 0) return html`<p class="note">Nothing has been paid.</p>`;
  return html`<ul>
    ${payments.map(
      ({ attributes }) =>
        html`<li>
          <strong>${money(attributes.amount)}</strong> ${statusMark(attributes)}
          <small>${attributes.category} · ${moment(attributes.create_date)}</small>
        </li>`,
    )}
  </ul>`;
}

/** The events, oldest first, because the specification leaves the service's order open. */
export function eventsView(events: readonly EventResource[]): Markup {
  if (events.length === 0) return html`<p class="note">Nothing has happened.</p>`;
  const told = events.toSorted((left, right) => left.create_date.localeCompare(right.create_date));
  return html`<ol>
    ${told.map(
      ({ event, action, description, create_date }) =>
        html`<li>
          <strong>${sentence(`${event} ${action}`)}</strong>
          ${description !== null && html`<p>${description}</p>`}
          <small>${moment(create_date)}</small>
        </li>`,
    )}
  </ol>`;
}
