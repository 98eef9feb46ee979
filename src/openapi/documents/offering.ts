import { z } from "zod";
import type { ComponentSchemas } from "../component-schemas.ts";
import { offering } from "../resources/offering.ts";

const count = z.int().nonnegative();

/** Names the schema of `GET /offerings/:id`. */
export function offeringDocument(components: ComponentSchemas): string {
  const document = z.strictObject({ data: offering(components) });
  const meta = z.strictObject({ investments: count, closed: count, pending: count });
  const counted = components.assumptions["offering.document"] === "resource-with-counts";
  components.name("OfferingDocument", counted ? document.extend({ meta }) : document, {
    description: "An offering. The specification does not show this document (section 4).",
    restsOn: ["offering.document"],
  });
  return "OfferingDocument";
}
