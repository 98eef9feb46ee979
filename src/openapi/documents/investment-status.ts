import { z } from "zod";
import type { ComponentSchemas } from "../component-schemas.ts";
import { investmentStatus } from "../resources/investment.ts";
import { resource } from "../resources/resource.ts";

/** Names the schema of `GET /investments/:id/status`. */
export function investmentStatusDocument(components: ComponentSchemas): string {
  const dated = investmentStatus(components);
  const undated = dated.omit({ create_date: true });
  const document = {
    resource: z.strictObject({ data: resource("investments", dated) }),
    "resource-without-date": z.strictObject({ data: resource("investments", undated) }),
    flat: undated,
  }[components.assumptions["status.document"]];
  components.name("InvestmentStatusDocument", document, {
    description: "The status of an investment. The specification does not show this document (section 4).",
    restsOn: ["status.document"],
  });
  return "InvestmentStatusDocument";
}
