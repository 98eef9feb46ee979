import { money } from "./format.ts";
import { html, type Markup } from "./html.ts";

/** How much is paid of an amount, beside a bar that only says it again. */
export function paidView(paid: number, amount: number, unit = ""): Markup {
  const share = amount > 0 ? Math.min(100, (paid / amount) * 100) : 0;
  return html`<div class="paid">
    <span class="bar" style="--share: ${share.toFixed(1)}%" aria-hidden="true"></span>
    <span>${money(paid)} ${unit}</span>
  </div>`;
}
