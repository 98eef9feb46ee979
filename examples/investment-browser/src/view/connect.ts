import type { Connection } from "../service/service.ts";
import { html, type Markup } from "./html.ts";

/** Asks for the service's address and a key. What was entered before stays, except the key. */
export function connectView({ baseUrl, offeringId }: Partial<Connection>): Markup {
  return html`<form id="connect" aria-label="Connection">
    <label
      >Base address <input name="baseUrl" type="url" required value="${baseUrl}" placeholder="https://…/api/v1"
    /></label>
    <label>Offering <input name="offeringId" required value="${offeringId}" spellcheck="false" /></label>
    <label>Key <input name="key" type="password" required autocomplete="off" aria-describedby="key-note" /></label>
    <p id="key-note" class="note">The key stays in this page and is gone when it is closed.</p>
    <button>Connect</button>
  </form>`;
}
