import { paymentAttributes } from "../../model/schema/payment.ts";
import type { ComponentSchemas } from "../component-schemas.ts";
import { resource } from "./resource.ts";

/** A payment (section 2.5). */
export function payment(components: ComponentSchemas) {
  return components.name("PaymentResource", resource("payments", paymentAttributes), {
    description: "A payment (section 2.5).",
    restsOn: ["payment.statuses", "money.currency"],
  });
}
