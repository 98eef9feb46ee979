import { type AssumptionId, catalogue } from "../assumptions/catalogue.ts";
import { type OperationId, operations } from "../model/operations.ts";
import { ComponentSchemas } from "./schemas.ts";
import { nameDocuments } from "./documents.ts";
import {
  errorsOf,
  errorsOfOtherMethods,
  errorsOfOtherPaths,
  occurringErrors,
  type ServiceErrorName,
} from "./errors.ts";
import { carriedHeaders } from "./headers.ts";
import type {
  Components,
  JsonObject,
  OpenApiDocument,
  OperationObject,
  OtherRequests,
  Paths,
  ResponseObject,
  Terms,
} from "./openapi-types.ts";
import { pathParameter, queryParameters } from "./parameters.ts";
import {
  errorRefs,
  errorResponse,
  exampleId,
  type Examples,
  okResponse,
  preflightResponse,
  restsOn,
} from "./responses.ts";

/** What the document says of itself, in Markdown. */
export function description({ assumptions, rateLimit }: Terms): string {
  const limit = rateLimit > 0 ? `${rateLimit} requests per minute per key` : "no limit of requests";
  const inForce = catalogue.map(
    ({ id, question, section }) => `- \`${id}\`: \`${assumptions[id]}\`. ${question} (section ${section}).`,
  );
  return `\
The service as the sandbox emulates it: read-only, GET throughout, ${limit}. HEAD is answered as GET, without a body.

Sections are those of the interface specification. Where it is silent, this document states an assumption of the sandbox:
everything that carries \`x-assumptions\` rests on those named there, and may be otherwise in the real service. The
assumptions in force:

${inForce.join("\n")}
`;
}

/** What is answered to requests that no operation of OpenAPI can describe. */
export function otherRequests(
  terms: Terms,
  components: Components,
): Pick<OpenApiDocument, "x-other-methods" | "x-other-paths"> {
  const answers = (
    description: string,
    errors: readonly ServiceErrorName[],
    marks: readonly AssumptionId[] = [],
  ): OtherRequests => {
    const preflight = terms.assumptions.cors === "yes" ? { "204": preflightResponse(terms) } : {};
    const responses = { ...preflight, ...errorRefs(errors) };
    return { description, responses, "x-assumptions": restsOn([{ "x-assumptions": marks }, responses], components) };
  };
  return {
    "x-other-methods": answers("Requests of other methods than GET and HEAD.", errorsOfOtherMethods(terms), [
      "errors.method",
    ]),
    "x-other-paths": answers("Requests of paths that are not described here.", errorsOfOtherPaths(terms)),
  };
}

/** What paths are written from, beside the terms. */
export interface PathSources {
  readonly components: Components;
  /** The names of the schemas that the documents of an operation have. */
  readonly documents: Readonly<Record<OperationId, readonly string[]>>;
  readonly examples: Examples;
}

/** The paths of section 4, each with its one operation. */
export function paths(terms: Terms, { components, documents, examples }: PathSources): Paths {
  return Object.fromEntries(
    operations.map((operation) => {
      const parameters = [
        pathParameter(operation, exampleId(operation, examples)),
        ...queryParameters(operation, terms.assumptions),
      ];
      const ok = okResponse(operation, documents[operation.id], terms, examples);
      const responses = { "200": ok, ...errorRefs(errorsOf(operation, terms)) };
      const get: OperationObject = {
        operationId: operation.id,
        summary: operation.summary,
        parameters,
        responses,
        "x-assumptions": restsOn([parameters, responses], components),
      };
      return [operation.path.replace(":id", "{id}"), { get }];
    }),
  );
}

/** How requests carry a key (section 5). */
export const securityScheme: JsonObject = {
  type: "http",
  scheme: "bearer",
  description: [
    "`Authorization: Bearer <API_KEY>`. A key is scoped to one offering (section 5).",
    "With a Marketing API key the personal data of investors is redacted, and phone_number is included on signing parties.",
    "With a Partner API key the personal data of investors is included, and phone_number is omitted from signing parties.",
  ].join("\n\n"),
  "x-assumptions": ["auth.scheme", "auth.partner_data"],
};

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
