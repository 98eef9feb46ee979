import type { z } from "zod";
import type {
  EventResource,
  InvestmentResource,
  MarketingInvestor,
  OfferingResource,
  PartnerInvestor,
  PaymentResource,
  SigningPartyResource,
} from "../../src/index.ts";
import type { resources } from "../../src/openapi/resources.ts";

type Described<Name extends keyof typeof resources> = z.infer<ReturnType<(typeof resources)[Name]>>;

interface Documented {
  offering: Described<"offering">;
  payment: Described<"payment">;
  event: Described<"event">;
  investment: Described<"investment">;
  signingParties: [Described<"marketingSigningParty">, Described<"partnerSigningParty">];
  investors: [Described<"marketingInvestor">["attributes"], Described<"partnerInvestor">["attributes"]];
}

interface Published {
  offering: OfferingResource;
  payment: PaymentResource;
  event: EventResource;
  investment: InvestmentResource;
  signingParties: [SigningPartyResource<"marketing">, SigningPartyResource<"partner">];
  investors: [MarketingInvestor, PartnerInvestor];
}

/** Only compiles if the schemas of the OpenAPI document agree with the types of the package. */
export const published = (documented: Documented): Published => documented;
