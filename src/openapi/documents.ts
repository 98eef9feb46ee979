import { z } from "zod";
import { listTemplates } from "../assumptions/template.ts";
import type { OperationId } from "../model/operations.ts";
import { reference, resource, resources, statusAttributes } from "./resources.ts";
import { audiencesUnder, type ComponentSchemas, objectSchema, schemaPath } from "./schemas.ts";

type Audience = ReturnType<typeof audiencesUnder>[number];

/** Names the schemas of each operation's documents. Returns the names: several if keys read different documents. */
export function nameDocuments(components: ComponentSchemas): Record<OperationId, readonly string[]> {
  const audiences = audiencesUnder(components.assumptions);
  const includesPeople = components.assumptions["list.included"] === "yes";
  return {
    getOffering: [offeringDocumentSchema(components)],
    listInvestments: includesPeople
      ? audiences.map((audience) => investmentListSchema(components, audience))
      : [investmentListSchema(components)],
    getInvestment: audiences.map((audience) => investmentDocumentSchema(components, audience)),
    getInvestmentStatus: [investmentStatusSchema(components)],
    listInvestmentEvents: [investmentEventsSchema(components)],
  };
}

const count = z.int().nonnegative();
const link = z.string();

function offeringDocumentSchema(components: ComponentSchemas): string {
  const document = z.strictObject({ data: resources.offering(components) });
  const meta = z.strictObject({ investments: count, closed: count, pending: count });
  const hasCounts = components.assumptions["offering.document"] === "resource-with-counts";
  components.name("OfferingDocument", hasCounts ? document.extend({ meta }) : document, {
    description: "An offering. The specification does not show this document (section 4).",
    dependsOn: ["documents.order", "offering.document", ...(hasCounts ? ["investment.statuses" as const] : [])],
  });
  return "OfferingDocument";
}

/** Names the schema of a list of investments, which has `included` if an audience is given. */
function investmentListSchema(components: ComponentSchemas, audience?: Audience): string {
  const name = `${audience?.name ?? ""}InvestmentListDocument`;
  const data = z.array(resources.investment(components));
  const shape = components.assumptions["list.document"];
  const page =
    shape === "resources" || shape === "data"
      ? z.strictObject({ data, ...(shape === "resources" && { meta: z.strictObject(pageCounts), links }) })
      : objectSchema(listTemplates.parse(shape), { values: { data, ...pageCounts, ...links.shape }, texts: {} });
  const document = audience ? page.extend({ included: included(components, audience) }) : page;
  components.name(name, document, {
    description: "A page of an offering's investments. The specification does not show this document (section 4).",
    dependsOn: ["documents.order", "list.document", "list.included", "list.order", ...(audience?.dependsOn ?? [])],
    keyType: audience?.keyType,
  });
  return name;
}

const pageCounts = { page: count, size: z.int().positive(), total: count, pages: count };

const links = z
  .strictObject({ self: link, first: link, prev: link.nullable(), next: link.nullable(), last: link })
  .meta({ description: "Relative to the origin, with the same filters; null where there is no such page." });

function investmentDocumentSchema(components: ComponentSchemas, audience: Audience): string {
  const name = `${audience.name}InvestmentDocument`;
  const document = z.strictObject({ data: resources.investment(components), included: included(components, audience) });
  components.name(name, document, {
    description: "An investment with its investors, signing parties, offering and payments (section 4.1).",
    dependsOn: ["documents.order", ...audience.dependsOn],
    keyType: audience.keyType,
  });
  return name;
}

/** Returns the schema of `included` in documents of investments, as an audience reads it (section 4.1). */
function included(components: ComponentSchemas, { keyType, personalData }: Audience) {
  const hasPhoneNumber = keyType === "marketing";
  const anyResource = z.discriminatedUnion("type", [
    hasPhoneNumber ? resources.marketingSigningParty(components) : resources.partnerSigningParty(components),
    personalData ? resources.partnerInvestor(components) : resources.marketingInvestor(components),
    resources.offering(components),
    resources.payment(components),
  ]);
  const discriminator = {
    propertyName: "type",
    mapping: {
      signing_parties: schemaPath(hasPhoneNumber ? "MarketingSigningPartyResource" : "PartnerSigningPartyResource"),
      investors: schemaPath(personalData ? "PartnerInvestorResource" : "MarketingInvestorResource"),
      offerings: schemaPath("OfferingResource"),
      payments: schemaPath("PaymentResource"),
    },
  };
  return z.array(anyResource.meta({ type: "object", discriminator }));
}

function investmentStatusSchema(components: ComponentSchemas): string {
  const attributes = statusAttributes(components.assumptions);
  const undated = attributes.omit({ create_date: true });
  const document = {
    resource: z.strictObject({ data: resource("investments", attributes) }),
    "resource-without-date": z.strictObject({ data: resource("investments", undated) }),
    flat: undated,
  }[components.assumptions["status.document"]];
  components.name("InvestmentStatusDocument", document, {
    description: "The status of an investment. The specification does not show this document (section 4).",
    dependsOn: ["status.document", "documents.order"],
  });
  return "InvestmentStatusDocument";
}

function investmentEventsSchema(components: ComponentSchemas): string {
  const references = z.array(reference("events")).meta({ description: "One for each event of the response." });
  const attributes = statusAttributes(components.assumptions);
  const relationships = z.strictObject({ events: z.strictObject({ data: references }) });
  const data = resource("investments", attributes).extend({ relationships });
  const document = z.strictObject({ data, included: z.array(resources.event(components)) });
  components.name("InvestmentEventsDocument", document, {
    description: "The events of an investment (section 4.2).",
    dependsOn: ["documents.order", "events.kinds", "events.order"],
  });
  return "InvestmentEventsDocument";
}
