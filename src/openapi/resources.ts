import { z } from "zod";
import type { AssumptionId, Assumptions } from "../assumptions/catalog.ts";
import * as model from "../model/schemas.ts";
import { shownPairs, shownStatuses, redacted, type RedactedField, redactedFields } from "../model/vocabulary.ts";
import { capitalized } from "../model/summaries.ts";
import { annotations, type ComponentSchemas } from "./schemas.ts";

/** Returns the schema of a reference to a resource of this type. */
export function reference<Type extends string>(type: Type) {
  return z.strictObject({ type: z.literal(type), id: model.uuid });
}

export function resource<Type extends string, Attributes extends z.ZodType>(type: Type, attributes: Attributes) {
  return reference(type).extend({ attributes });
}

/** The resources in documents. Each is named in the components once. */
export const resources = {
  offering(components: ComponentSchemas) {
    const hasMore = components.assumptions["offering.members"] === "more";
    const attributes = hasMore ? model.offeringAttributes.extend(furtherAttributes) : model.offeringAttributes;
    return components.name("OfferingResource", resource("offerings", attributes), {
      description: "An offering (section 2.4).",
      dependsOn: ["offering.members"],
    });
  },

  investment(components: ComponentSchemas) {
    const { assumptions } = components;
    const attributes = model.investmentAttributes.extend({ status: investmentStatus(assumptions) });
    const schema = resource("investments", attributes).extend({
      relationships: z.strictObject({
        broker: z.strictObject({ data: broker(assumptions) }),
        signing_parties: toMany("signing_parties"),
        investors: toMany("investors"),
        offering: z.strictObject({ data: reference("offerings") }),
        payments: toMany("payments"),
      }),
    });
    return components.name("InvestmentResource", schema, {
      description: "An investment (section 2.1).",
      dependsOn: ["money.currency"],
    });
  },

  /** An event: no `attributes` wrapper (sections 2.6 and 4.2). */
  event(components: ComponentSchemas) {
    return components.name("EventResource", reference("events").extend(model.eventMembers.shape), {
      description: `An event (section 2.6). Pairs of event and action seen: ${shownPairs.join(", ")} (section 6).`,
    });
  },

  payment(components: ComponentSchemas) {
    return components.name("PaymentResource", resource("payments", model.paymentAttributes), {
      description: "A payment (section 2.5).",
      dependsOn: ["payment.statuses", "money.currency"],
    });
  },

  partnerInvestor(components: ComponentSchemas) {
    const isNull = components.assumptions["investor.birthdate"] === "null";
    const date = isNull ? model.calendarDate.nullable() : model.calendarDate.exactOptional();
    const birthdate = assume(date, "investor.birthdate", `Personal data. ${isNull ? "Null" : "Absent"} when unknown.`);
    const attributes = model.investorAttributes.extend({ middle_name: middleName(components.assumptions), birthdate });
    return nameForKeys(components, "PartnerInvestor", "investors", attributes, "an investor, with personal data");
  },

  marketingInvestor(components: ComponentSchemas) {
    const isShown = components.assumptions["investor.redact_absent"] === "redacted";
    const value = isShown ? redactedValue : redactedValue.exactOptional();
    const description = isShown ? "Redacted, known or not." : "Redacted; absent when unknown.";
    const attributes = model.investorAttributes.extend({
      middle_name: middleName(components.assumptions),
      ...redactedAttributes,
      birthdate: assume(value, "investor.redact_absent", description),
    });
    return nameForKeys(components, "MarketingInvestor", "investors", attributes, "an investor, personal data redacted");
  },

  marketingSigningParty(components: ComponentSchemas) {
    const summary = "a signing party, with phone_number";
    return nameForKeys(components, "MarketingSigningParty", "signing_parties", signingPartySchema(components), summary);
  },

  partnerSigningParty(components: ComponentSchemas) {
    const attributes = signingPartySchema(components).omit({ phone_number: true });
    const summary = "a signing party, phone_number omitted";
    return nameForKeys(components, "PartnerSigningParty", "signing_parties", attributes, summary);
  },
};

function toMany<Type extends string>(type: Type) {
  return z.strictObject({ data: z.array(reference(type)) });
}

const furtherAttributes = { legal_name: z.string(), website: z.null(), tags: z.array(z.string()) };

function broker({ "investment.broker": assumed }: Assumptions) {
  return assumed === "reference"
    ? assume(reference("brokers").nullable(), "investment.broker", "Null when there is no broker.")
    : assume(z.null(), "investment.broker", "Never set.");
}

function investmentStatus(assumptions: Assumptions) {
  const schema = assumptions["investment.statuses"] === "none" ? z.enum(shownStatuses) : z.string();
  return assume(schema, "investment.statuses", "Values seen: CLOSED, PENDING.").meta({ examples: [...shownStatuses] });
}

/** Returns the schema of the investment's attributes in its status and events documents (section 4.2). */
export function statusAttributes(assumptions: Assumptions) {
  return model.investmentAttributes
    .pick({ step: true, status: true, create_date: true })
    .extend({ status: investmentStatus(assumptions) });
}

function middleName({ "investor.middle_name": assumed }: Assumptions) {
  const text = z.string();
  const schema = { '""': text, null: text.nullable(), absent: text.exactOptional() }[assumed];
  const unknown = { '""': "An empty string", null: "Null", absent: "Absent" }[assumed];
  return assume(schema, "investor.middle_name", `${unknown} when unknown.`);
}

const redactedValue = z.literal(redacted).meta({ description: "Redacted, known or not." });

const redactedAttributes = Object.fromEntries(redactedFields.map((field) => [field, redactedValue])) as Record<
  RedactedField,
  typeof redactedValue
>;

const optionalName = z.string().exactOptional().meta({ description: "Absent when unknown." });

function signingPartySchema({ assumptions }: ComponentSchemas) {
  const unsigned = assumptions["signing_party.status"];
  const description = `Value seen: signed. Before signing: ${unsigned}, where no other value was set.`;
  return model.signingPartyAttributes.extend({
    first_name: optionalName,
    middle_name: optionalName,
    last_name: optionalName,
    // Not an enumeration, because fixtures and scenarios may set other values.
    status: assume(z.string(), "signing_party.status", description),
  });
}

/** Describes a schema that depends on an assumption. */
function assume<Schema extends z.ZodType>(schema: Schema, id: AssumptionId, description: string): Schema {
  return schema.meta(annotations({ description, dependsOn: [id] }));
}

/** The sections of the resources that keys of one type read as others do not. */
const sections = { investors: "2.3", signing_parties: "2.2" } as const;

/** Names a resource that not all keys read alike, and its attributes. `summary` begins with an article. */
function nameForKeys<Type extends keyof typeof sections, Attributes extends z.ZodType>(
  components: ComponentSchemas,
  name: string,
  type: Type,
  attributes: Attributes,
  summary: string,
) {
  const description = `Attributes of ${summary} (sections ${sections[type]} and 5.5).`;
  const named = components.name(name, attributes, { description });
  return components.name(`${name}Resource`, resource(type, named), {
    description: capitalized(`${summary} (section ${sections[type]}).`),
  });
}
