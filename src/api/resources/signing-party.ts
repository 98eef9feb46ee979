import type { SigningPartyResource } from "../../model/documents.ts";
import type { SigningParty } from "../../model/resources.ts";
import type { Ledger } from "../ledger.ts";
import type { Visibility } from "../visibility.ts";

/** A signing party in `included` (section 2.2): names that are not held are absent. */
export function signingPartyResource(
  party: SigningParty,
  visibility: Visibility,
  ledger: Ledger,
): SigningPartyResource {
  const { id, first_name, middle_name, last_name, email, phone_number, signed, countersigner } = party;
  const status = party.status ?? (signed ? "signed" : ledger.value("signing_party.status"));
  const attributes = {
    ...(first_name === null ? {} : { first_name }),
    ...(middle_name === null ? {} : { middle_name }),
    ...(last_name === null ? {} : { last_name }),
    email,
    ...(visibility.phoneNumber ? { phone_number } : {}),
    status,
    signed,
    countersigner,
  };
  return { type: "signing_parties", id, attributes };
}
