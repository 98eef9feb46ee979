import type { AssumptionId } from "../../assumptions/catalogue.ts";
import { errorCatalogue, type ErrorCode } from "../../errors/catalogue.ts";
import { parameters, type ParameterName } from "../../model/operations.ts";
import { limitHeaders, type HeaderName } from "../headers.ts";

/** An error that the service answers with. */
export interface ServiceError {
  readonly description: string;
  /** All of one status. */
  readonly codes: readonly [ErrorCode, ...ErrorCode[]];
  readonly headers: readonly HeaderName[];
  /** What is wrong in the request, where an error says so. */
  readonly source?: { readonly parameter: readonly ParameterName[] } | { readonly header: readonly string[] };
  /** The assumptions that it rests on beside the shape of its body. */
  readonly restsOn: readonly AssumptionId[];
}

/** The errors of section 7 and those that exist by assumption, by name. */
export const serviceErrors = {
  ParameterInvalid: {
    description: "A query parameter is invalid.",
    codes: ["parameter_invalid"],
    headers: limitHeaders,
    source: { parameter: Object.keys(parameters) as ParameterName[] },
    restsOn: ["errors.invalid_parameter", "list.over_max", "dates.date_only", "dates.repeated"],
  },
  Unauthorized: {
    description: "Key missing, malformed or revoked (section 7).",
    codes: ["key_missing", "key_malformed", "key_unknown", "key_revoked"],
    headers: ["WWW-Authenticate"],
    source: { header: ["Authorization"] },
    restsOn: ["auth.scheme", "errors.www_authenticate"],
  },
  OfferingForbidden: {
    description: "The offering concerned is not the one the key was issued for (section 7).",
    codes: ["offering_forbidden"],
    headers: limitHeaders,
    restsOn: ["ids.case"],
  },
  InvestmentNotFound: {
    description: "The investment does not exist, or belongs to another offering (section 7).",
    codes: ["investment_not_found"],
    headers: limitHeaders,
    restsOn: ["ids.case"],
  },
  PageNotFound: {
    description: "The page lies after the last.",
    codes: ["page_not_found"],
    headers: limitHeaders,
    source: { parameter: ["page"] },
    restsOn: ["list.past_end"],
  },
  PathNotFound: {
    description: "There is no such path.",
    codes: ["path_not_found"],
    headers: limitHeaders,
    restsOn: [],
  },
  MethodNotAllowed: {
    description: "Another method than GET or HEAD.",
    codes: ["method_not_allowed"],
    headers: ["Allow", ...limitHeaders],
    restsOn: ["errors.method"],
  },
  TooManyRequests: {
    description: "Too many requests within a minute were made with the key (section 7).",
    codes: ["rate_limit_exceeded"],
    headers: ["Retry-After", ...limitHeaders],
    restsOn: ["limit.window", "limit.counts", "limit.retry_after"],
  },
} as const satisfies Readonly<Record<string, ServiceError>>;

export type ServiceErrorName = keyof typeof serviceErrors;

/** The status of an error. */
export function statusOf(name: ServiceErrorName): number {
  return errorCatalogue[serviceErrors[name].codes[0]].status;
}
