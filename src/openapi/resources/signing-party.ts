import { z } from "zod";
import { signingPartyAttributes } from "../../model/schema/signing-party.ts";
import { shown, type ComponentSchemas } from "../component-schemas.ts";
import { resource } from "./resource.ts";

/** A signing party with its phone number (section 2.2). */
export function marketingSigningParty(components: ComponentSchemas) {
  const named = components.name("MarketingSigningParty", shownAttributes(components), {
    description: "Attributes of a signing party, with phone_number (sections 2.2 and 5.5).",
  });
  return components.name("MarketingSigningPartyResource", resource("signing_parties", named), {
    description: "A signing party, with phone_number (section 2.2).",
  });
}

/** A signing party without a phone number (section 2.2). */
export function partnerSigningParty(components: ComponentSchemas) {
  const attributes = shownAttributes(components).omit({ phone_number: true });
  const named = components.name("PartnerSigningParty", attributes, {
    description: "Attributes of a signing party, phone_number omitted (sections 2.2 and 5.5).",
  });
  return components.name("PartnerSigningPartyResource", resource("signing_parties", named), {
    description: "A signing party, phone_number omitted (section 2.2).",
  });
}

const name = z.string().exactOptional().meta({ description: "Absent when none is held." });

function shownAttributes({ assumptions }: ComponentSchemas) {
  const unsigned = assumptions["signing_party.status"];
  // Not an enumeration: fixtures and scenarios may set any other.
  const status = z.string().meta(
    shown({
      description: `Value seen: signed. Before signing ${unsigned}, where nothing else was set.`,
      restsOn: ["signing_party.status"],
    }),
  );
  return signingPartyAttributes.extend({ first_name: name, middle_name: name, last_name: name, status });
}
