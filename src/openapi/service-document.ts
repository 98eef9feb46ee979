import { type AssumptionId, catalog } from "../assumptions/catalog.ts";
import { basePath, type OperationId, operations } from "../model/operations.ts";
import { nameDocuments } from "./documents.ts";
import { describeHeaders } from "./headers.ts";
import type { JsonObject, OpenApiDocument, ServiceSettings } from "./openapi-types.ts";
import { pathParameter, queryParameters } from "./parameters.ts";
import {
  errorRefs,
  errorResponse,
  errorsOf,
  exampleId,
  type Examples,
  okResponse,
  serviceErrors,
} from "./responses.ts";
import { ComponentSchemas } from "./schemas.ts";

interface OpenApiInput extends ServiceSettings {
  /** The version of the sandbox. */
  readonly version: string;
  readonly examples?: Examples;
}

/**
 * Creates the OpenAPI 3.1 document of the service under the current assumptions: a JSON value. It is open like the
 * specification: objects may have other members, strings may have other values, and numbers have no bounds (sections
 * 2.4, 3 and 9).
 */
export function openApiDocument(input: OpenApiInput): OpenApiDocument {
  const document = closedDocument(input);
  return { ...document, components: { ...document.components, schemas: openEach(document.components.schemas) } };
}

/** Creates the closed document: its schemas only allow the sandbox's responses. */
export function closedDocument({
  assumptions,
  rateLimit,
  version,
  examples = { documents: {}, errors: {} },
}: OpenApiInput): OpenApiDocument {
  const settings = { assumptions, rateLimit };
  const schemas = new ComponentSchemas(assumptions);
  const documents = nameDocuments(schemas);
  const errors = new Set(operations.flatMap((operation) => errorsOf(operation, settings)));
  const responses = Object.fromEntries(
    Array.from(
      errors,
      (name) => [name, errorResponse(name, serviceErrors[name], schemas, settings, examples)] as const,
    ),
  );
  const components: OpenApiDocument["components"] = {
    securitySchemes: { apiKey: securityScheme },
    headers: describeHeaders(settings),
    responses,
    schemas: schemas.toJson(),
  };
  return {
    openapi: "3.1.1",
    info: {
      title: "Investment and Offering Reporting Service",
      version,
      summary: "Offerings, the investments made in them, and their history.",
      description: introduction(settings),
      contact: { name: "The offering-sandbox authors" },
      license: { name: "MIT", identifier: "MIT" },
    },
    // Importers name an environment by this description.
    servers: [{ url: basePath, description: "Sandbox" }],
    tags,
    security: [{ apiKey: [] }],
    paths: describePaths(settings, components, documents, examples),
    components,
    "x-assumptions": assumptions,
  };
}

/** Returns the description of the document, in Markdown. */
function introduction({ assumptions, rateLimit }: ServiceSettings): string {
  const otherMethods = assumptions["errors.method"];
  const limit = rateLimit > 0 ? `${rateLimit} requests per minute per key` : "no limit of requests";
  const assumptionLines = catalog.map(
    ({ id, question, section }) => `- \`${id}\`: \`${assumptions[id]}\`. ${question} (section ${section}).`,
  );
  return `\
The service as the sandbox emulates it: read-only, GET throughout, ${limit}. HEAD is handled like GET, without a body;
other methods with ${otherMethods}. \`offering-sandbox keys list\` prints the keys. Examples are from the demo data.

Documents may have other members, and strings other values, than those described: the specification leaves both open.

Sections are those of the interface specification. Where it is silent, this document states an assumption of the sandbox:
every part with \`x-assumptions\` depends on the assumptions named there, and may differ in the real service. The current
assumptions:

${assumptionLines.join("\n")}
`;
}

/** Authorization by key (section 5). */
const securityScheme: JsonObject = {
  type: "http",
  scheme: "bearer",
  description: [
    "`Authorization: Bearer <API_KEY>`. A key is scoped to one offering (section 5).",
    "With a Marketing API key the personal data of investors is redacted, and phone_number is included on signing parties.",
    "With a Partner API key the personal data of investors is included, and phone_number is omitted from signing parties.",
  ].join("\n\n"),
  "x-assumptions": ["auth.scheme", "auth.partner_data"],
};

/** Keywords with which a schema allows less than the specification. */
const closingKeywords = new Set([
  "maxLength",
  "additionalProperties",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "minItems",
  "maxItems",
]);

/** Opens a schema. A closed set of strings becomes examples: generators would make it a type without new values. */
function open(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  const isNullable = Array.isArray(anyOf) && (anyOf as JsonObject[]).some(({ type }) => type === "null");
  // Without its length, a string or null is one type.
  if (isNullable && (anyOf as JsonObject[]).every((each) => Object.keys(open(each)).join() === "type"))
    return open({ ...rest, type: (anyOf as { type: string }[]).map(({ type }) => type) });
  const entries = Object.entries(schema).filter(
    ([keyword]) => !closingKeywords.has(keyword) && !(keyword === "pattern" && schema["format"] === "email"),
  );
  return Object.fromEntries(
    entries.map(([keyword, content]) => {
      if (keyword === "enum") return ["examples", content];
      // Generators that read OpenAPI 3.0 know no `const`.
      if (keyword === "const") return ["enum", [content]];
      if (keyword === "properties") return [keyword, openEach(content as Record<string, JsonObject>)];
      if (keyword === "items") return [keyword, open(content as JsonObject)];
      if (keyword === "anyOf" || keyword === "oneOf") return [keyword, (content as JsonObject[]).map(open)];
      return [keyword, content];
    }),
  );
}

function openEach(schemas: Readonly<Record<string, JsonObject>>): Record<string, JsonObject> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, open(schema)]));
}

/** The groups of operations. */
const tags = [
  { name: "offerings", description: "An offering, as its issuer and partners see it." },
  { name: "investments", description: "The investments made in an offering, their status and their history." },
] as const;

const descriptions: Record<OperationId, { readonly tag: (typeof tags)[number]["name"]; readonly description: string }> =
  {
    getOffering: { tag: "offerings", description: "Returns the offering that the key was issued for." },
    listInvestments: {
      tag: "investments",
      description: "Returns a page of the investments that meet all filters. Bounds of dates are inclusive.",
    },
    getInvestment: {
      tag: "investments",
      description: `\
Returns the investment with its related resources in \`included\`. With a Marketing API key, personal data of investors reads
\`[[redacted]]\`; with a Partner API key, it is shown, and signing parties have no \`phone_number\`.`,
    },
    getInvestmentStatus: {
      tag: "investments",
      description: "Returns the step and the status, without other resources.",
    },
    listInvestmentEvents: {
      tag: "investments",
      description: "Returns the history records of the investment. Filters apply to the creation of the events.",
    },
  };

/** Describes the paths of section 4, each with its one operation. */
function describePaths(
  settings: ServiceSettings,
  components: OpenApiDocument["components"],
  documents: Readonly<Record<OperationId, readonly string[]>>,
  examples: Examples,
): OpenApiDocument["paths"] {
  return Object.fromEntries(
    operations.map((operation) => {
      const { id: operationId, summary } = operation;
      const { tag, description } = descriptions[operationId];
      const parameters = [
        pathParameter(operation, exampleId(operation, examples)),
        ...queryParameters(operation, settings.assumptions),
      ];
      const ok = okResponse(operation, documents[operationId], settings, examples);
      const responses = { "200": ok, ...errorRefs(operation, settings) };
      const assumptions = dependsOn([parameters, responses], components);
      const texts = { operationId, summary, description, tags: [tag] };
      return [
        operation.path.replace(":id", "{id}"),
        { get: { ...texts, parameters, responses, "x-assumptions": assumptions } },
      ];
    }),
  );
}

/** The assumptions behind every response. */
const commonAssumptions = [
  "auth.scheme",
  "content_type",
  "cors",
  "limit.headers",
  "precedence",
  "transport.form",
] satisfies AssumptionId[];

/** Returns the assumptions named in a part of the document, or in the `components` to which it refers. */
export function dependsOn(part: object, components: OpenApiDocument["components"]): string[] {
  const ids = new Set<string>(commonAssumptions);
  const visitedRefs = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [member, content] of Object.entries(value)) {
      if (member === "x-assumptions") for (const id of content as string[]) ids.add(id);
      else if (member === "$ref") follow(content as string);
      else visit(content);
    }
  };
  const follow = (ref: string): void => {
    if (visitedRefs.has(ref)) return;
    visitedRefs.add(ref);
    visit(resolve(ref, components));
  };
  visit(part);
  return [...ids].toSorted();
}

/** Returns the component to which a reference points. */
function resolve(ref: string, components: OpenApiDocument["components"]): unknown {
  const names = ref.replace("#/components/", "").split("/");
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], components);
}
