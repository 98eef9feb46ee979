import { z } from "zod";
import type { Audience } from "../audience.ts";
import type { ComponentSchemas } from "../component-schemas.ts";
import { investment } from "../resources/investment.ts";
import { included } from "./included.ts";

/** Names the schema of `GET /investments/:id` as an audience reads it (section 4.1). */
export function investmentDocument(components: ComponentSchemas, audience: Audience): string {
  const name = `${audience.name}InvestmentDocument`;
  const document = z.strictObject({ data: investment(components), included: included(components, audience) });
  components.name(name, document, {
    description: "An investment with its investors, signing parties, offering and payments (section 4.1).",
    restsOn: audience.restsOn,
    keyType: audience.keyType,
  });
  return name;
}
