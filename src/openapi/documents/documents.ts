import type { OperationId } from "../../model/operations.ts";
import { audiencesUnder } from "../audience.ts";
import type { ComponentSchemas } from "../component-schemas.ts";
import { investmentEventsDocument } from "./investment-events.ts";
import { investmentListDocument } from "./investment-list.ts";
import { investmentStatusDocument } from "./investment-status.ts";
import { investmentDocument } from "./investment.ts";
import { offeringDocument } from "./offering.ts";

/**
 * Names the schemas of what the operations answer with 200, and answers the names: several where different keys read
 * different documents.
 */
export function nameDocuments(components: ComponentSchemas): Record<OperationId, readonly string[]> {
  const audiences = audiencesUnder(components.assumptions);
  const listsPersons = components.assumptions["list.included"] === "yes";
  return {
    getOffering: [offeringDocument(components)],
    listInvestments: listsPersons
      ? audiences.map((audience) => investmentListDocument(components, audience))
      : [investmentListDocument(components)],
    getInvestment: audiences.map((audience) => investmentDocument(components, audience)),
    getInvestmentStatus: [investmentStatusDocument(components)],
    listInvestmentEvents: [investmentEventsDocument(components)],
  };
}
