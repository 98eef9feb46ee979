import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type {
  EventMembers,
  InvestmentAttributes,
  InvestorAttributes,
  OfferingAttributes,
  PaymentAttributes,
  SigningPartyAttributes,
} from "../../src/model/resources.ts";
import type { FaultRule } from "../../src/model/fault.ts";
import type { eventMembers } from "../../src/model/schemas.ts";
import type { faultRule } from "../../src/model/fault-schema.ts";
import type { investmentAttributes } from "../../src/model/schemas.ts";
import type { investorAttributes } from "../../src/model/schemas.ts";
import type { offeringAttributes } from "../../src/model/schemas.ts";
import type { paymentAttributes } from "../../src/model/schemas.ts";
import type { signingPartyAttributes } from "../../src/model/schemas.ts";

/** The values that a schema lets through, readonly all the way down. */
type Checked<Schema extends z.ZodType> = Frozen<z.infer<Schema>>;
type Frozen<T> = unknown extends T ? T : { readonly [Member in keyof T]: Frozen<T[Member]> };

test("what is checked is what the types say, member by member", () => {
  expectTypeOf<Checked<typeof investmentAttributes>>().toEqualTypeOf<InvestmentAttributes>();
  expectTypeOf<Checked<typeof signingPartyAttributes>>().toEqualTypeOf<SigningPartyAttributes>();
  expectTypeOf<Checked<typeof investorAttributes>>().toEqualTypeOf<InvestorAttributes>();
  expectTypeOf<Checked<typeof offeringAttributes>>().toEqualTypeOf<OfferingAttributes>();
  expectTypeOf<Checked<typeof paymentAttributes>>().toEqualTypeOf<PaymentAttributes>();
  expectTypeOf<Checked<typeof eventMembers>>().toEqualTypeOf<EventMembers>();
  expectTypeOf<Checked<typeof faultRule>>().toEqualTypeOf<FaultRule>();
});
