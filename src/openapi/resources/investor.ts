import { z } from "zod";
import type { Assumptions } from "../../assumptions/catalogue.ts";
import { redacted, redactedFields, type RedactedField } from "../../model/redaction.ts";
import { investorAttributes } from "../../model/schema/investor.ts";
import { calendarDate } from "../../model/schema/values.ts";
import { shown, type ComponentSchemas } from "../component-schemas.ts";
import { resource } from "./resource.ts";

/** An investor with personal data (section 2.3). */
export function partnerInvestor(components: ComponentSchemas) {
  const { assumptions } = components;
  const attributes = investorAttributes.extend({
    middle_name: middleName(assumptions),
    birthdate: heldBirthdate(assumptions),
  });
  const named = components.name("PartnerInvestor", attributes, {
    description: "Attributes of an investor, with personal data (sections 2.3 and 5.5).",
  });
  return components.name("PartnerInvestorResource", resource("investors", named), {
    description: "An investor, with personal data (section 2.3).",
  });
}

/** An investor without personal data (section 2.3). */
export function marketingInvestor(components: ComponentSchemas) {
  const { assumptions } = components;
  const attributes = investorAttributes.extend({
    middle_name: middleName(assumptions),
    ...hidden,
    birthdate: hiddenBirthdate(assumptions),
  });
  const named = components.name("MarketingInvestor", attributes, {
    description: "Attributes of an investor, personal data redacted (sections 2.3 and 5.5).",
  });
  return components.name("MarketingInvestorResource", resource("investors", named), {
    description: "An investor, personal data redacted (section 2.3).",
  });
}

const hiddenValue = z.literal(redacted).meta({ description: "Redacted, held or not." });

const hidden = Object.fromEntries(redactedFields.map((field) => [field, hiddenValue])) as Record<
  RedactedField,
  typeof hiddenValue
>;

function middleName(assumptions: Assumptions) {
  const assumed = assumptions["investor.middle_name"];
  const name = z.string();
  const schema = { '""': name, null: name.nullable(), absent: name.exactOptional() }[assumed];
  const notHeld = { '""': "An empty string", null: "Null", absent: "Absent" }[assumed];
  return schema.meta(shown({ description: `${notHeld} when none is held.`, restsOn: ["investor.middle_name"] }));
}

function heldBirthdate(assumptions: Assumptions) {
  const isNull = assumptions["investor.birthdate"] === "null";
  const description = `Personal data. ${isNull ? "Null" : "Absent"} when none is held.`;
  return (isNull ? calendarDate.nullable() : calendarDate.exactOptional()).meta(
    shown({ description, restsOn: ["investor.birthdate"] }),
  );
}

function hiddenBirthdate(assumptions: Assumptions) {
  const isShown = assumptions["investor.redact_absent"] === "redacted";
  const description = isShown ? "Redacted, held or not." : "Redacted; absent when none is held.";
  return (isShown ? hiddenValue : hiddenValue.exactOptional()).meta(
    shown({ description, restsOn: ["investor.redact_absent"] }),
  );
}
