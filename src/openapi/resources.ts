import { z } from "zod";
import type { Assumptions } from "../assumptions/catalogue.ts";
import { redacted, type RedactedField, redactedFields } from "../model/redaction.ts";
import * as model from "../model/schemas.ts";
import { shownPairs, shownStatuses } from "../model/vocabulary.ts";
import { annotations, type ComponentSchemas } from "./schemas.ts";

/** A reference to a resource, by type and id. */
export function reference<Type extends string>(type: Type) {
  return z.strictObject({ type: z.literal(type), id: model.uuid });
}

export function resource<Type extends string, Attributes extends z.ZodType>(type: Type, attributes: Attributes) {
  return reference(type).extend({ attributes });
}

function toOne<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ data });
}

function toMany<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ data: z.array(data) });
}

const furtherAttributes = { legal_name: z.string(), website: z.null(), tags: z.array(z.string()) };

export function offering(components: ComponentSchemas) {
  const hasMore = components.assumptions["offering.members"] === "more";
  const attributes = hasMore ? model.offeringAttributes.extend(furtherAttributes) : model.offeringAttributes;
  return components.name("OfferingResource", resource("offerings", attributes), {
    description: "An offering (section 2.4).",
    restsOn: ["offering.members"],
  });
}

export function investment(components: ComponentSchemas) {
  const { assumptions } = components;
  const attributes = model.investmentAttributes.extend({ status: investmentStatus(assumptions) });
  const schema = resource("investments", attributes).extend({
    relationships: z.strictObject({
      broker: toOne(broker(assumptions)),
      signing_parties: toMany(reference("signing_parties")),
      investors: toMany(reference("investors")),
      offering: toOne(reference("offerings")),
      payments: toMany(reference("payments")),
    }),
  });
  return components.name("InvestmentResource", schema, {
    description: "An investment (section 2.1).",
    restsOn: ["money.currency"],
  });
}

function broker(assumptions: Assumptions) {
  const isReference = assumptions["investment.broker"] === "reference";
  const description = isReference ? "Null when there is no broker." : "Never set.";
  return (isReference ? reference("brokers").nullable() : z.null()).meta(
    annotations({ description, restsOn: ["investment.broker"] }),
  );
}

function investmentStatus(assumptions: Assumptions) {
  const schema = assumptions["investment.statuses"] === "none" ? z.enum(shownStatuses) : z.string();
  const facts = annotations({ description: "Values seen: CLOSED, PENDING.", restsOn: ["investment.statuses"] });
  return schema.meta({ ...facts, examples: [...shownStatuses] });
}

/** The attributes of an investment in its status and events documents (section 4.2). */
export function statusAttributes(assumptions: Assumptions) {
  return model.investmentAttributes
    .pick({ step: true, status: true, create_date: true })
    .extend({ status: investmentStatus(assumptions) });
}

/** An event: no `attributes` wrapper (sections 2.6 and 4.2). */
export function event(components: ComponentSchemas) {
  return components.name("EventResource", reference("events").extend(model.eventMembers.shape), {
    description: `An event (section 2.6). Pairs of event and action seen: ${shownPairs.join(", ")} (section 6).`,
  });
}

export function payment(components: ComponentSchemas) {
  return components.name("PaymentResource", resource("payments", model.paymentAttributes), {
    description: "A payment (section 2.5).",
    restsOn: ["payment.statuses", "money.currency"],
  });
}

export function partnerInvestor(components: ComponentSchemas) {
  const { assumptions } = components;
  const attributes = model.investorAttributes.extend({
    middle_name: middleName(assumptions),
    birthdate: birthdate(assumptions),
  });
  const named = components.name("PartnerInvestor", attributes, {
    description: "Attributes of an investor, with personal data (sections 2.3 and 5.5).",
  });
  return components.name("PartnerInvestorResource", resource("investors", named), {
    description: "An investor, with personal data (section 2.3).",
  });
}

export function marketingInvestor(components: ComponentSchemas) {
  const { assumptions } = components;
  const attributes = model.investorAttributes.extend({
    middle_name: middleName(assumptions),
    ...redactedAttributes,
    birthdate: redactedBirthdate(assumptions),
  });
  const named = components.name("MarketingInvestor", attributes, {
    description: "Attributes of an investor, personal data redacted (sections 2.3 and 5.5).",
  });
  return components.name("MarketingInvestorResource", resource("investors", named), {
    description: "An investor, personal data redacted (section 2.3).",
  });
}

function middleName(assumptions: Assumptions) {
  const assumed = assumptions["investor.middle_name"];
  const text = z.string();
  const schema = { '""': text, null: text.nullable(), absent: text.exactOptional() }[assumed];
  const unknown = { '""': "An empty string", null: "Null", absent: "Absent" }[assumed];
  return schema.meta(annotations({ description: `${unknown} when unknown.`, restsOn: ["investor.middle_name"] }));
}

function birthdate(assumptions: Assumptions) {
  const isNull = assumptions["investor.birthdate"] === "null";
  const description = `Personal data. ${isNull ? "Null" : "Absent"} when unknown.`;
  return (isNull ? model.calendarDate.nullable() : model.calendarDate.exactOptional()).meta(
    annotations({ description, restsOn: ["investor.birthdate"] }),
  );
}

const redactedValue = z.literal(redacted).meta({ description: "Redacted, known or not." });

const redactedAttributes = Object.fromEntries(redactedFields.map((field) => [field, redactedValue])) as Record<
  RedactedField,
  typeof redactedValue
>;

function redactedBirthdate(assumptions: Assumptions) {
  const isShown = assumptions["investor.redact_absent"] === "redacted";
  const description = isShown ? "Redacted, known or not." : "Redacted; absent when unknown.";
  return (isShown ? redactedValue : redactedValue.exactOptional()).meta(
    annotations({ description, restsOn: ["investor.redact_absent"] }),
  );
}

export function marketingSigningParty(components: ComponentSchemas) {
  const named = components.name("MarketingSigningParty", signingPartySchema(components), {
    description: "Attributes of a signing party, with phone_number (sections 2.2 and 5.5).",
  });
  return components.name("MarketingSigningPartyResource", resource("signing_parties", named), {
    description: "A signing party, with phone_number (section 2.2).",
  });
}

export function partnerSigningParty(components: ComponentSchemas) {
  const attributes = signingPartySchema(components).omit({ phone_number: true });
  const named = components.name("PartnerSigningParty", attributes, {
    description: "Attributes of a signing party, phone_number omitted (sections 2.2 and 5.5).",
  });
  return components.name("PartnerSigningPartyResource", resource("signing_parties", named), {
    description: "A signing party, phone_number omitted (section 2.2).",
  });
}

const optionalName = z.string().exactOptional().meta({ description: "Absent when unknown." });

function signingPartySchema({ assumptions }: ComponentSchemas) {
  const unsigned = assumptions["signing_party.status"];
  // The schema is not an enumeration, because fixtures and scenarios may set other values.
  const status = z.string().meta(
    annotations({
      description: `Value seen: signed. Before signing: ${unsigned}, where no other value was set.`,
      restsOn: ["signing_party.status"],
    }),
  );
  return model.signingPartyAttributes.extend({
    first_name: optionalName,
    middle_name: optionalName,
    last_name: optionalName,
    status,
  });
}
