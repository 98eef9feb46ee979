import { html, type Markup } from "./html.ts";

const amounts = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const quantities = new Intl.NumberFormat("en", { maximumFractionDigits: 9 });
const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const times = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** Formats an amount without a currency, because the specification does not name one. */
export function money(amount: number): string {
  return amounts.format(amount);
}

export function units(quantity: number): string {
  return quantities.format(quantity);
}

export function day(instant: string): Markup {
  return html`<time datetime="${instant}" title="${instant}">${days.format(new Date(instant))}</time>`;
}

export function moment(instant: string): Markup {
  return html`<time datetime="${instant}" title="${instant}">${times.format(new Date(instant))} UTC</time>`;
}

/** `PAYMENT SUBMITTED` → `Payment submitted`. */
export function sentence(words: string): string {
  const lower = words.toLowerCase().replaceAll("_", " ");
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}
