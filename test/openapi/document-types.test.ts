import { expectTypeOf, test } from "vitest";
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
import type { event } from "../../src/openapi/resources.ts";
import type { investment } from "../../src/openapi/resources.ts";
import type { marketingInvestor, partnerInvestor } from "../../src/openapi/resources.ts";
import type { offering } from "../../src/openapi/resources.ts";
import type { payment } from "../../src/openapi/resources.ts";
import type { marketingSigningParty, partnerSigningParty } from "../../src/openapi/resources.ts";

type Described<Schema extends (...inputs: never[]) => z.ZodType> = z.infer<ReturnType<Schema>>;

test("the document's schemas agree with the package's types", () => {
  expectTypeOf<Described<typeof offering>>().toExtend<OfferingResource>();
  expectTypeOf<Described<typeof payment>>().toExtend<PaymentResource>();
  expectTypeOf<Described<typeof event>>().toExtend<EventResource>();
  expectTypeOf<Described<typeof investment>>().toExtend<InvestmentResource>();
  expectTypeOf<Described<typeof marketingSigningParty>>().toExtend<SigningPartyResource<"marketing">>();
  expectTypeOf<Described<typeof partnerSigningParty>>().toExtend<SigningPartyResource<"partner">>();
  expectTypeOf<Described<typeof marketingInvestor>["attributes"]>().toExtend<MarketingInvestor>();
  expectTypeOf<Described<typeof partnerInvestor>["attributes"]>().toExtend<PartnerInvestor>();
});
