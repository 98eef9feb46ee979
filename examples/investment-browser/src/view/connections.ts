import type { KnownConnection } from "../sandbox.ts";
import type { Connection } from "../service/service.ts";
import { html, type Markup } from "./html.ts";

/** The keys at hand, and the way to another one. */
export function connectionsView(known: readonly KnownConnection[], current: Connection | undefined): Markup {
  return html`<span role="group" aria-label="Keys">
      ${known.map(
        (connection) =>
          html`<button data-connection="${connection.name}" aria-pressed="${String(connection === current)}">
            ${connection.name}
          </button>`,
      )}
    </span>
    ${current && html`<button data-do="connect">Other …</button>`}`;
}
