import { z } from "zod";
import { faultRule } from "../src/model/fault-schema.ts";
import * as schemas from "../src/model/schemas.ts";
import { describeDefault } from "../src/text/json-text.ts";

type Schema = z.core.JSONSchema.BaseSchema;

/** The types by name: the schema of each, and its docstring. */
const types: Readonly<Record<string, readonly [schema: z.ZodType, docs: string]>> = {
  InvestmentAttributes: [
    schemas.investmentAttributes,
    "`data.attributes` of an investment (section 2.1). Amounts are in decimal units with two places.",
  ],
  SigningPartyAttributes: [
    schemas.signingPartyAttributes,
    "The attributes of a signing party (section 2.2). A name that is null is absent from documents.",
  ],
  InvestorAttributes: [
    schemas.investorAttributes,
    'The attributes of an investor, unredacted (section 2.3). Null is "not stored".',
  ],
  OfferingAttributes: [schemas.offeringAttributes, "The attributes of an offering (section 2.4)."],
  PaymentAttributes: [schemas.paymentAttributes, "The attributes of a payment (section 2.5)."],
  EventMembers: [schemas.eventMembers, "The members of an event next to its type and id (section 2.6)."],
  FaultRule: [
    faultRule,
    "A rule that makes matching requests fail or wait: one of `respond`, `connection`, `truncate` and `drip`, with or without a `delay`, or a `delay` alone.",
  ],
};

/** The text of `src/model/shapes.ts`. */
export function publishedTypes(): string {
  const interfaces = Object.entries(types).flatMap(([name, [type, docs]]) => {
    const schema = z.toJSONSchema(type, { override: ({ jsonSchema }) => describeDefault(jsonSchema) });
    return [
      `/** ${docs} */\nexport ${interfaceOf(name, schema)}`,
      ...objectMembersOf(schema).map(([part, nested]) => interfaceOf(memberTypeName(name, part), nested)),
    ];
  });
  return [head, ...interfaces].join("\n");
}

const head = `\
// Made by \`npm run generate\` from schemas.ts and fault-schema.ts: published types may not name zod.
import type { Duration, Span } from "../time/duration.ts";
import type { Instant } from "../time/instant.ts";
`;

/** Returns the objects among the members, which become interfaces. */
function objectMembersOf({ properties = {} }: Schema): [name: string, schema: Schema][] {
  return (Object.entries(properties) as [string, Schema][]).filter(([, schema]) => schema.properties);
}

function memberTypeName(name: string, part: string): string {
  return name + part.replace(/^./, (first) => first.toUpperCase());
}

function interfaceOf(name: string, { properties = {}, required = [] }: Schema): string {
  const members = (Object.entries(properties) as [string, Schema][]).map(([member, schema]) => {
    const type = schema.properties ? memberTypeName(name, member) : typeOf(schema);
    const docs = schema.description === undefined ? "" : `  /** ${schema.description} */\n`;
    const optional = type === "unknown" ? `?: ${type}` : `?: ${type} | undefined`;
    return `${docs}  readonly ${member}${required.includes(member) ? `: ${type}` : optional};\n`;
  });
  return `interface ${name} {\n${members.join("")}}\n`;
}

function typeOf({ $ref, anyOf, enum: values, type, format, additionalProperties }: Schema): string {
  if ($ref !== undefined) return memberTypeName("", $ref.replace(/.*\//, ""));
  if (anyOf) return anyOf.map(typeOf).join(" | ");
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(type)) return type.join(" | ");
  if (type === "object") return `Readonly<Record<string, ${typeOf(additionalProperties as Schema)}>>`;
  if (format === "date-time") return "Instant";
  return type === "integer" ? "number" : (type ?? "unknown");
}
