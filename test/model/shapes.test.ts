import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { faultRule } from "../../src/model/fault-schema.ts";
import type * as schemas from "../../src/model/schemas.ts";
import type * as shapes from "../../src/model/shapes.ts";

/** The output of a schema, readonly at every depth. */
type Checked<Schema extends z.ZodType> = Frozen<z.infer<Schema>>;
type Frozen<T> = unknown extends T ? T : { readonly [Member in keyof T]: Frozen<T[Member]> };

test("the schemas of attributes and of fault rules have the same members as the public types", () => {
  expectTypeOf<Checked<typeof schemas.investmentAttributes>>().toEqualTypeOf<shapes.InvestmentAttributes>();
  expectTypeOf<Checked<typeof schemas.signingPartyAttributes>>().toEqualTypeOf<shapes.SigningPartyAttributes>();
  expectTypeOf<Checked<typeof schemas.investorAttributes>>().toEqualTypeOf<shapes.InvestorAttributes>();
  expectTypeOf<Checked<typeof schemas.offeringAttributes>>().toEqualTypeOf<shapes.OfferingAttributes>();
  expectTypeOf<Checked<typeof schemas.paymentAttributes>>().toEqualTypeOf<shapes.PaymentAttributes>();
  expectTypeOf<Checked<typeof schemas.eventMembers>>().toEqualTypeOf<shapes.EventMembers>();
  expectTypeOf<Checked<typeof faultRule>>().toEqualTypeOf<shapes.FaultRule>();
});
