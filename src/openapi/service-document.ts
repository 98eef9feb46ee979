import { type AssumptionId, catalogue } from "../assumptions/catalogue.ts";
import { basePath, type OperationId, operations } from "../model/operations.ts";
import { nameDocuments } from "./documents.ts";
import {
  errorsOf,
  errorsOfOtherMethods,
  errorsOfOtherPaths,
  occurringErrors,
  type ServiceErrorName,
} from "./errors.ts";
import { carriedHeaders } from "./headers.ts";
import type { Components, JsonObject, OpenApiDocument, OtherRequests, Paths, Terms } from "./openapi-types.ts";
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
import { ComponentSchemas } from "./schemas.ts";

interface OpenApiInput extends Terms {
  /** The version of the sandbox. */
  readonly version: string;
  readonly examples?: Examples;
}

/** Creates the OpenAPI 3.1 document of the service under the assumptions in force: a JSON value. */
export function openApiDocument({ assumptions, rateLimit, version, examples = {} }: OpenApiInput): OpenApiDocument {
  const terms: Terms = { assumptions, rateLimit };
  const schemas = new ComponentSchemas(assumptions);
  const documents = nameDocuments(schemas);
  const responses = Object.fromEntries(
    occurringErrors(terms).map((name) => [name, errorResponse(name, schemas, terms)] as const),
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
      description: describe(terms),
    },
    servers: [{ url: basePath, description: "The sandbox that serves this document." }],
    security: [{ apiKey: [] }],
    paths: describePaths(terms, { components, documents, examples }),
    components,
    ...describeOtherRequests(terms, components),
    "x-assumptions": assumptions,
  };
}

/** Returns the description of the document, in Markdown. */
function describe({ assumptions, rateLimit }: Terms): string {
  const limit = rateLimit > 0 ? `${rateLimit} requests per minute per key` : "no limit of requests";
  const inForce = catalogue.map(
    ({ id, question, section }) => `- \`${id}\`: \`${assumptions[id]}\`. ${question} (section ${section}).`,
  );
  return `\
The service as the sandbox emulates it: read-only, GET throughout, ${limit}. HEAD is answered like GET, without a body.

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

interface PathSources {
  readonly components: Components;
  /** The names of the schemas of each operation's documents. */
  readonly documents: Readonly<Record<OperationId, readonly string[]>>;
  readonly examples: Examples;
}

/** Describes the paths of section 4, each with its one operation. */
function describePaths(terms: Terms, { components, documents, examples }: PathSources): Paths {
  return Object.fromEntries(
    operations.map((operation) => {
      const { id: operationId, summary } = operation;
      const parameters = [
        pathParameter(operation, exampleId(operation, examples)),
        ...queryParameters(operation, terms.assumptions),
      ];
      const ok = okResponse(operation, documents[operationId], terms, examples);
      const responses = { "200": ok, ...errorRefs(errorsOf(operation, terms)) };
      const assumptions = restsOn([parameters, responses], components);
      const get = { operationId, summary, parameters, responses, "x-assumptions": assumptions };
      return [operation.path.replace(":id", "{id}"), { get }];
    }),
  );
}

/** Describes the answers to requests that no operation of OpenAPI can describe. */
function describeOtherRequests(terms: Terms, components: Components) {
  const answers = (
    description: string,
    errors: readonly ServiceErrorName[],
    assumptions: readonly AssumptionId[] = [],
  ): OtherRequests => {
    const preflight = terms.assumptions.cors === "yes" ? { "204": preflightResponse(terms) } : {};
    const responses = { ...preflight, ...errorRefs(errors) };
    const all = restsOn([{ "x-assumptions": assumptions }, responses], components);
    return { description, responses, "x-assumptions": all };
  };
  return {
    "x-other-methods": answers("Requests with methods other than GET and HEAD.", errorsOfOtherMethods(terms), [
      "errors.method",
    ]),
    "x-other-paths": answers("Requests to paths that are not described here.", errorsOfOtherPaths(terms)),
  };
}
