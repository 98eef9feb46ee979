import type { InvestorResource, SigningPartyResource } from "offering-sandbox";
import { redacted } from "../service/investment-file.ts";
import { money } from "./format.ts";
import { factsView } from "./facts.ts";
import { html, type Content, type Markup } from "./html.ts";
import { statusMark } from "./standing.ts";

type Investor = InvestorResource["attributes"];

export function investorsView(investors: readonly InvestorResource[]): Markup {
  if (investors.length === 0) return html`<p class="note">There are no investors.</p>`;
  return html`${investors.map(
    ({ attributes }) =>
      html`<article>
        <h3>${nameOf(attributes)}</h3>
        <p>${[attributes.company, attributes.email, ...rolesOf(attributes)].filter(Boolean).join(" · ")}</p>
        ${factsView(facts(attributes))}
      </article>`,
  )}`;
}

function rolesOf({ is_primary, is_kyc, is_signer }: Investor): (string | false)[] {
  return [is_primary && "primary", is_signer && "signs", is_kyc ? "identity checked" : "identity not checked"];
}

function facts(investor: Investor): [term: string, value: Content][] {
  return [
    ["Tax ID", shown(investor.tax_id)],
    ["EIN", shown(investor.ein)],
    ["Birthdate", shown(investor.birthdate)],
    ["Citizenship", shown(investor.citizenship?.replaceAll("_", " "))],
    ["Accredited", shown(investor.accredited)],
    ["Annual income", shown(investor.annual_income)],
    ["Account type", shown(investor.ta_account_type)],
    ["Account subtype", shown(investor.ta_sub_type)],
    ["Address", address(investor)],
  ];
}

function address(investor: Investor): Content {
  const place = [investor.address_city, investor.address_state, investor.address_postal_code];
  const lines = [
    investor.address_street_1,
    investor.address_street_2,
    place.filter(Boolean).join(" "),
    investor.address_country_code,
  ];
  if (lines.includes(redacted)) return shown(redacted);
  return shown(lines.filter(Boolean).join(", "));
}

/** Shows a value of personal data: the value, that it is withheld, or that there is none. */
function shown(value: string | number | boolean | null | undefined): Content {
  if (value === redacted) return html`<span class="note">Redacted</span>`;
  if (value === null || value === undefined || value === "") return html`<span class="note">Not stored</span>`;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return typeof value === "number" ? money(value) : value;
}

export function signingPartiesView(parties: readonly SigningPartyResource[]): Markup {
  if (parties.length === 0) return html`<p class="note">There are no signing parties.</p>`;
  // A Partner key cannot read telephone numbers.
  const phones = parties.some(({ attributes }) => attributes.phone_number !== undefined);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Signing parties">
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Email</th>
          ${phones && html`<th scope="col">Telephone</th>`}
          <th scope="col">Status</th>
          <th scope="col">Role</th>
        </tr>
      </thead>
      <tbody>
        ${parties.map(
          ({ attributes }) =>
            html`<tr>
              <th scope="row">${nameOf(attributes)}</th>
              <td>${attributes.email}</td>
              ${phones && html`<td>${attributes.phone_number}</td>`}
              <td>${statusMark(attributes)}</td>
              <td>${attributes.countersigner ? "Countersigner" : "Signer"}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

interface Named {
  readonly first_name?: string;
  readonly middle_name?: string | null;
  readonly last_name?: string;
}

function nameOf({ first_name, middle_name, last_name }: Named): Content {
  const name = [first_name, middle_name, last_name].filter(Boolean).join(" ");
  return name || html`<span class="note">No name</span>`;
}
