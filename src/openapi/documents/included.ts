import { z } from "zod";
import type { Audience } from "../audience.ts";
import { schemaPath, type ComponentSchemas } from "../component-schemas.ts";
import { marketingInvestor, partnerInvestor } from "../resources/investor.ts";
import { offering } from "../resources/offering.ts";
import { payment } from "../resources/payment.ts";
import { marketingSigningParty, partnerSigningParty } from "../resources/signing-party.ts";

/** `included` of investments, as an audience reads it (section 4.1). */
export function included(components: ComponentSchemas, { personalData, phoneNumber }: Audience) {
  const resources = z.discriminatedUnion("type", [
    phoneNumber ? marketingSigningParty(components) : partnerSigningParty(components),
    personalData ? partnerInvestor(components) : marketingInvestor(components),
    offering(components),
    payment(components),
  ]);
  const discriminator = {
    propertyName: "type",
    mapping: {
      signing_parties: schemaPath(phoneNumber ? "MarketingSigningPartyResource" : "PartnerSigningPartyResource"),
      investors: schemaPath(personalData ? "PartnerInvestorResource" : "MarketingInvestorResource"),
      offerings: schemaPath("OfferingResource"),
      payments: schemaPath("PaymentResource"),
    },
  };
  return z.array(resources.meta({ type: "object", discriminator }));
}
