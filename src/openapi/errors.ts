import { z } from "zod";
import type { AssumptionId, Assumptions } from "../assumptions/catalogue.ts";
import { errorTemplates } from "../assumptions/template.ts";
import { errorCatalogue, type ErrorCode, type KeyError } from "../model/error-catalogue.ts";
import { type Operation, type ParameterName, parameters } from "../model/operations.ts";
import { type HeaderName, limitHeaderNames } from "./headers.ts";
import type { Terms } from "./openapi-types.ts";
import { refusesParameters } from "./parameters.ts";
import { templateSchema } from "./templates.ts";

export interface ServiceError {
  readonly description: string;
  /** The codes of the error, all with one status. */
  readonly codes: readonly [ErrorCode, ...ErrorCode[]];
  readonly headers: readonly HeaderName[];
  /** The wrong part of the request; left out if the error does not name it. */
  readonly source?: { readonly parameter: readonly ParameterName[] } | { readonly header: readonly string[] };
  /** The assumptions behind the error, except the one about the shape of its body. */
  readonly restsOn: readonly AssumptionId[];
}

const keyCodes = Object.keys(errorCatalogue).filter((code) => code.startsWith("key_")) as [KeyError, ...KeyError[]];

/** The errors of section 7, and the assumed ones. */
export const serviceErrors = {
  ParameterInvalid: {
    description: "A query parameter is invalid.",
    codes: ["parameter_invalid"],
    headers: limitHeaderNames,
    source: { parameter: Object.keys(parameters) as ParameterName[] },
    restsOn: ["errors.invalid_parameter", "list.over_max", "list.past_end", "dates.date_only", "dates.repeated"],
  },
  Unauthorized: {
    description: "Key missing, malformed or revoked (section 7).",
    codes: keyCodes,
    headers: ["WWW-Authenticate"],
    source: { header: ["Authorization"] },
    restsOn: ["auth.scheme", "errors.www_authenticate"],
  },
  OfferingForbidden: {
    description: "The key was issued for another offering (section 7).",
    codes: ["offering_forbidden"],
    headers: limitHeaderNames,
    restsOn: ["ids.case"],
  },
  InvestmentNotFound: {
    description: "The investment does not exist, or belongs to another offering (section 7).",
    codes: ["investment_not_found"],
    headers: limitHeaderNames,
    restsOn: ["ids.case"],
  },
  PageNotFound: {
    description: "The page is after the last one.",
    codes: ["page_not_found"],
    headers: limitHeaderNames,
    source: { parameter: ["page"] },
    restsOn: ["list.past_end"],
  },
  TooManyRequests: {
    description: "The key made too many requests within a minute (section 7).",
    codes: ["rate_limit_exceeded"],
    headers: ["Retry-After", ...limitHeaderNames],
    restsOn: ["limit.window", "limit.counts", "limit.retry_after"],
  },
} as const satisfies Readonly<Record<string, ServiceError>>;

export type ServiceErrorName = keyof typeof serviceErrors;

export function errorStatus({ codes }: ServiceError, assumptions: Assumptions): number {
  if (codes[0] === "parameter_invalid" && assumptions["errors.invalid_parameter"] === "422") return 422;
  return errorCatalogue[codes[0]].status;
}

/** Returns the errors of an operation in the order of their statuses. */
export function errorsOf(operation: Operation, terms: Terms): ServiceErrorName[] {
  const { assumptions } = terms;
  const pagesEnd = operation.parameters.includes("page") && assumptions["list.past_end"] === "404";
  const names = [
    refusesParameters(operation, assumptions) && "ParameterInvalid",
    "Unauthorized",
    operation.subject === "offering" ? "OfferingForbidden" : "InvestmentNotFound",
    pagesEnd && "PageNotFound",
    terms.rateLimit > 0 && "TooManyRequests",
  ] as const;
  return names.filter((name) => name !== false);
}

/** Returns the schema of an error's body; undefined where the body is empty. */
export function errorBody(error: ServiceError, assumptions: Assumptions): z.ZodType | undefined {
  const { codes, source } = error;
  const status = errorStatus(error, assumptions);
  const code = z.enum(codes);
  const title = z.enum(codes.map((each) => errorCatalogue[each].title));
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
      return z.strictObject({
        errors: z.array(source ? problem.extend({ source: sourceSchema(source) }) : problem).min(1),
      });
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

function sourceSchema(source: NonNullable<ServiceError["source"]>): z.ZodType {
  return z.strictObject(
    "parameter" in source ? { parameter: z.enum(source.parameter) } : { header: z.enum(source.header) },
  );
}
