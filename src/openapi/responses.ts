import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { AssumptionId, Assumptions } from "../assumptions/catalog.ts";
import { errorTemplates } from "../assumptions/template.ts";
import { errorCatalog, type ErrorCode, type KeyError } from "../model/error-catalog.ts";
import { type Operation, type OperationId, type ParameterName, parameters } from "../model/operations.ts";
import { type KeyType, keyTypes } from "../model/vocabulary.ts";
import { commonHeaders, headerRefs, limitHeaderNames } from "./headers.ts";
import type { MediaTypeObject, ResponseObject, Responses, ServiceSettings } from "./openapi-types.ts";
import { refusesParameters } from "./parameters.ts";
import { type ComponentSchemas, schemaPath, templateSchema } from "./schemas.ts";

/** Bodies for the examples, as they are served. */
export interface Examples {
  /** Documents by operation and by type of key. */
  readonly documents: { readonly [Id in OperationId]?: { readonly [Type in KeyType]?: unknown } };
  readonly errors: { readonly [Code in ErrorCode]?: unknown };
}

/** Describes the 200 of an operation. `documents` are the names of its schemas. */
export function okResponse(
  operation: Operation,
  documents: readonly string[],
  settings: ServiceSettings,
  examples: Examples,
): ResponseObject {
  const refs = documents.map((name) => ({ $ref: schemaPath(name) }));
  const [first, ...otherRefs] = refs;
  const schema = first && otherRefs.length === 0 ? first : { anyOf: refs };
  return {
    description: otherRefs.length > 0 ? "The document, as the type of key reads it (section 5.5)." : "The document.",
    headers: headerRefs([...commonHeaders, ...limitHeaderNames], settings),
    content: { [contentType(settings.assumptions)]: { schema, ...mediaExamples(operation, examples) } },
  };
}

const summaries = {
  marketing: "As a Marketing API key reads it",
  partner: "As a Partner API key reads it",
} as const satisfies Record<KeyType, string>;

/** Returns the examples of an operation: one if both types of key read the same. */
function mediaExamples({ id }: Operation, examples: Examples): Pick<MediaTypeObject, "examples"> {
  const documents = examples.documents[id] ?? {};
  const types = keyTypes.filter((type) => documents[type] !== undefined);
  if (types.length === 0) return {};
  if (types.length > 1 && isDeepStrictEqual(documents.marketing, documents.partner)) {
    return { examples: { either: { summary: "As a key of either type reads it", value: documents.partner } } };
  }
  const entries = types.map((type) => [type, { summary: summaries[type], value: documents[type] }]);
  return { examples: Object.fromEntries(entries) };
}

/** Returns the id in the path from which the examples were read. */
export function exampleId({ subject }: Operation, { documents }: Examples): string | undefined {
  const source = subject === "offering" ? documents.getOffering : documents.getInvestment;
  const document = (source?.partner ?? source?.marketing) as { readonly data: { readonly id: string } } | undefined;
  return document?.data.id;
}

/** Describes the response of an error, and names the schema of its body. */
export function errorResponse(
  name: string,
  error: ServiceError,
  schemas: ComponentSchemas,
  settings: ServiceSettings,
  examples: Examples,
): ResponseObject {
  const schemaName = `${name}Error`;
  const body = errorBody(error, settings.assumptions);
  if (body) schemas.name(schemaName, body, { description: error.description, dependsOn: ["errors.body"] });
  const isProblem = settings.assumptions["errors.body"] === "problem";
  const type = isProblem ? "application/problem+json" : contentType(settings.assumptions);
  return {
    description: error.description,
    headers: headerRefs([...commonHeaders, ...error.headers], settings),
    ...(body && {
      content: { [type]: { schema: { $ref: schemaPath(schemaName) }, ...errorExamples(error, examples) } },
    }),
    "x-assumptions": [...error.dependsOn, "errors.body"],
  };
}

function errorExamples({ codes }: ServiceError, { errors }: Examples): Pick<MediaTypeObject, "examples"> {
  const entries = codes
    .filter((code) => errors[code] !== undefined)
    .map((code) => [code, { summary: errorCatalog[code].title, value: errors[code] }]);
  return entries.length === 0 ? {} : { examples: Object.fromEntries(entries) };
}

/** Returns references to the responses of an operation's errors, by status. */
export function errorRefs(operation: Operation, settings: ServiceSettings): Responses {
  const refs = errorsOf(operation, settings).map((name) => [
    String(errorStatus(serviceErrors[name], settings.assumptions)),
    { $ref: `#/components/responses/${name}` },
  ]);
  return Object.fromEntries(refs);
}

function contentType(assumptions: Assumptions): string {
  return assumptions["content_type"].replace(/ *;.*/, "");
}

export interface ServiceError {
  readonly description: string;
  /** The codes of the error, all with one status. */
  readonly codes: readonly [ErrorCode, ...ErrorCode[]];
  readonly headers: Parameters<typeof headerRefs>[0];
  /** The wrong part of the request; omitted if the error does not name it. */
  readonly source?: { readonly parameter: readonly ParameterName[] } | { readonly header: readonly string[] };
  /** The assumptions behind the error, except the one about the shape of its body. */
  readonly dependsOn: readonly AssumptionId[];
}

const keyCodes = Object.keys(errorCatalog).filter((code) => code.startsWith("key_")) as [KeyError, ...KeyError[]];

/** The errors of section 7, and the assumed ones. */
export const serviceErrors = {
  ParameterInvalid: {
    description: "A query parameter is invalid.",
    codes: ["parameter_invalid"],
    headers: limitHeaderNames,
    source: { parameter: Object.keys(parameters) as ParameterName[] },
    dependsOn: ["errors.invalid_parameter", "list.over_max", "list.past_end", "dates.date_only", "dates.repeated"],
  },
  Unauthorized: {
    description: "Key missing, malformed or revoked (section 7).",
    codes: keyCodes,
    headers: ["WWW-Authenticate"],
    source: { header: ["Authorization"] },
    dependsOn: ["auth.scheme", "errors.www_authenticate"],
  },
  OfferingForbidden: {
    description: "The key was issued for another offering (section 7).",
    codes: ["offering_forbidden"],
    headers: limitHeaderNames,
    dependsOn: ["ids.case"],
  },
  InvestmentNotFound: {
    description: "The investment does not exist, or belongs to another offering (section 7).",
    codes: ["investment_not_found"],
    headers: limitHeaderNames,
    dependsOn: ["ids.case"],
  },
  PageNotFound: {
    description: "The page is after the last one.",
    codes: ["page_not_found"],
    headers: limitHeaderNames,
    source: { parameter: ["page"] },
    dependsOn: ["list.past_end"],
  },
  TooManyRequests: {
    description: "The key made too many requests within a minute (section 7).",
    codes: ["rate_limit_exceeded"],
    headers: ["Retry-After", ...limitHeaderNames],
    dependsOn: ["limit.window", "limit.counts", "limit.retry_after"],
  },
} as const satisfies Readonly<Record<string, ServiceError>>;

export function errorStatus({ codes }: ServiceError, assumptions: Assumptions): number {
  if (codes[0] === "parameter_invalid" && assumptions["errors.invalid_parameter"] === "422") return 422;
  return errorCatalog[codes[0]].status;
}

/** Returns the errors of an operation in the order of their statuses. */
export function errorsOf(operation: Operation, settings: ServiceSettings): (keyof typeof serviceErrors)[] {
  const { assumptions } = settings;
  const hasPageNotFound = operation.parameters.includes("page") && assumptions["list.past_end"] === "404";
  const names = [
    refusesParameters(operation, assumptions) && "ParameterInvalid",
    "Unauthorized",
    operation.subject === "offering" ? "OfferingForbidden" : "InvestmentNotFound",
    hasPageNotFound && "PageNotFound",
    settings.rateLimit > 0 && "TooManyRequests",
  ] as const;
  return names.filter((name) => name !== false);
}

/** Returns the schema of an error's body; undefined where the body is empty. */
function errorBody(error: ServiceError, assumptions: Assumptions): z.ZodType | undefined {
  const { codes, source } = error;
  const status = errorStatus(error, assumptions);
  const code = z.enum(codes);
  const title = z.enum(codes.map((errorCode) => errorCatalog[errorCode].title));
  const detail = z.string();
  const shape = assumptions["errors.body"];
  switch (shape) {
    case "empty":
      return undefined;
    case "message":
      return z.strictObject({ message: detail });
    case "problem":
      return z.strictObject({ type: z.literal("about:blank"), title, status: z.literal(status), detail, code });
    case "jsonapi": {
      const problem = z.strictObject({ status: z.literal(String(status)), code, title, detail });
      const sourceMember = source && {
        source: z.strictObject(
          "parameter" in source ? { parameter: z.enum(source.parameter) } : { header: z.enum(source.header) },
        ),
      };
      return z.strictObject({ errors: z.array(sourceMember ? problem.extend(sourceMember) : problem).min(1) });
    }
    default: {
      const parameter = source && "parameter" in source ? z.enum(source.parameter) : z.null();
      return templateSchema(errorTemplates.parse(shape), {
        values: { status: z.literal(status), code, title, detail, parameter },
        texts: { status: z.literal(String(status)), code, title },
      });
    }
  }
}
