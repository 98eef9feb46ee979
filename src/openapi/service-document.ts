import { catalogue } from "../assumptions/catalogue.ts";
import { basePath, operations } from "../model/operations.ts";
import { nameDocuments } from "./documents.ts";
import { errorsOf, serviceErrors } from "./errors.ts";
import { carriedHeaders } from "./headers.ts";
import { openDocument } from "./open-document.ts";
import type { Components, JsonObject, OpenApiDocument, Terms } from "./openapi-types.ts";
import { describePaths, tags } from "./paths.ts";
import { errorResponse, type Examples } from "./responses.ts";
import { ComponentSchemas } from "./schemas.ts";

interface OpenApiInput extends Terms {
  /** The version of the sandbox. */
  readonly version: string;
  readonly examples?: Examples;
}

/** Creates the OpenAPI 3.1 document of the service under the assumptions in force: a JSON value. */
export function openApiDocument(input: OpenApiInput): OpenApiDocument {
  return openDocument(describeAnswers(input));
}

/** Creates the closed document: its schemas only allow the sandbox's answers. */
export function describeAnswers({
  assumptions,
  rateLimit,
  version,
  examples = { documents: {}, errors: {} },
}: OpenApiInput): OpenApiDocument {
  const terms: Terms = { assumptions, rateLimit };
  const schemas = new ComponentSchemas(assumptions);
  const documents = nameDocuments(schemas);
  const errors = new Set(operations.flatMap((operation) => errorsOf(operation, terms)));
  const responses = Object.fromEntries(
    Array.from(errors, (name) => [name, errorResponse(name, serviceErrors[name], schemas, terms, examples)] as const),
  );
  const components: Components = {
    securitySchemes: { apiKey: securityScheme },
    headers: carriedHeaders(terms),
    responses,
    schemas: schemas.toJson(),
  };
  return {
    openapi: "3.1.1",
    info: {
      title: "Investment and Offering Reporting Service",
      version,
      summary: "Offerings, the investments made in them, and their history.",
      description: introduction(terms),
      contact: { name: "The offering-sandbox authors" },
      license: { name: "MIT", identifier: "MIT" },
    },
    // Importers name an environment by this description.
    servers: [{ url: basePath, description: "Sandbox" }],
    tags,
    security: [{ apiKey: [] }],
    paths: describePaths(terms, { components, documents, examples }),
    components,
    "x-assumptions": assumptions,
  };
}

/** Returns the description of the document, in Markdown. */
function introduction({ assumptions, rateLimit }: Terms): string {
  const otherMethods = assumptions["errors.method"];
  const limit = rateLimit > 0 ? `${rateLimit} requests per minute per key` : "no limit of requests";
  const inForce = catalogue.map(
    ({ id, question, section }) => `- \`${id}\`: \`${assumptions[id]}\`. ${question} (section ${section}).`,
  );
  return `\
The service as the sandbox emulates it: read-only, GET throughout, ${limit}. HEAD is answered like GET, without a body;
other methods with ${otherMethods}. \`offering-sandbox keys list\` prints the keys. Examples are of the demo data.

Documents may have other members, and texts other values, than those described: the specification leaves both open.

Sections are those of the interface specification. Where it is silent, this document states an assumption of the sandbox:
every part with \`x-assumptions\` rests on the assumptions named there, and may differ in the real service. The assumptions
in force:

${inForce.join("\n")}
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
