import { ComponentSchemas } from "./component-schemas.ts";
import { description } from "./description.ts";
import { nameDocuments } from "./documents/documents.ts";
import { occurringErrors } from "./errors/occurring.ts";
import type { Examples } from "./examples.ts";
import { carriedHeaders } from "./headers.ts";
import type { Components, OpenApiDocument, ResponseObject } from "./openapi-types.ts";
import { otherRequests } from "./other-requests.ts";
import { paths } from "./paths.ts";
import { errorResponse } from "./responses.ts";
import { securityScheme } from "./security-scheme.ts";
import type { Terms } from "./terms.ts";

/** What a document is made from. */
export interface OpenApiInput extends Terms {
  /** The version of the sandbox. */
  readonly version: string;
  readonly examples?: Examples;
}

/** The OpenAPI 3.1 document of the service under the assumptions in force: a JSON value. */
export function openApiDocument({ assumptions, rateLimit, version, examples = {} }: OpenApiInput): OpenApiDocument {
  const terms: Terms = { assumptions, rateLimit };
  const schemas = new ComponentSchemas(assumptions);
  const documents = nameDocuments(schemas);
  const errors = occurringErrors(terms).map((name): [string, ResponseObject] => [
    name,
    errorResponse(name, schemas, terms),
  ]);
  const components: Components = {
    securitySchemes: { apiKey: securityScheme },
    headers: carriedHeaders(terms),
    responses: Object.fromEntries(errors),
    schemas: schemas.toJson(),
  };
  return {
    openapi: "3.1.1",
    info: {
      title: "Investment and Offering Reporting Service",
      version,
      summary: "Offerings, the investments made in them, and their history.",
      description: description(terms),
    },
    servers: [{ url: "/api/v1", description: "The sandbox that serves this document." }],
    security: [{ apiKey: [] }],
    paths: paths(terms, { components, documents, examples }),
    components,
    ...otherRequests(terms, components),
    "x-assumptions": assumptions,
  };
}
