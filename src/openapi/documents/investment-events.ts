import { z } from "zod";
import type { ComponentSchemas } from "../component-schemas.ts";
import { event } from "../resources/event.ts";
import { investmentStatus } from "../resources/investment.ts";
import { reference, resource } from "../resources/resource.ts";

/** Names the schema of `GET /investments/:id/events` (section 4.2). */
export function investmentEventsDocument(components: ComponentSchemas): string {
  const references = z.array(reference("events")).meta({ description: "One for each event returned." });
  const data = resource("investments", investmentStatus(components)).extend({
    relationships: z.strictObject({ events: z.strictObject({ data: references }) }),
  });
  components.name("InvestmentEventsDocument", z.strictObject({ data, included: z.array(event(components)) }), {
    description: "The events of an investment (section 4.2).",
    restsOn: ["events.order"],
  });
  return "InvestmentEventsDocument";
}
