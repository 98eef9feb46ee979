import { html, type Content, type Markup } from "./html.ts";

/** Names with their values. */
export function factsView(facts: readonly (readonly [term: string, value: Content])[]): Markup {
  return html`<dl>
    ${facts.map(
      ([term, value]) =>
        html`<div>
          <dt>${term}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}
