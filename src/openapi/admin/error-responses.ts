import type { AdminOperation } from "../../control/operations.ts";
import { errorCatalogue, type ErrorCode } from "../../errors/catalogue.ts";
import { schemaPath } from "./schemas.ts";

/** The errors of the admin API, by status. */
const errorCodes: Readonly<Record<number, readonly ErrorCode[]>> = {
  400: ["invalid", "parameter_invalid", "body_malformed"],
  401: ["admin_token_required"],
  403: ["origin_not_allowed", "host_not_allowed", "admin_closed", "refused"],
  404: ["not_found", "path_not_found"],
  409: ["conflict"],
  413: ["body_too_large"],
  415: ["media_type_unsupported"],
  500: ["not_kept", "internal_error"],
};

/** References to the responses of the errors that an operation can meet, by status. */
export function errorRefs({ open, method, path }: AdminOperation): object {
  const statuses = [
    400,
    ...(open ? [] : [401]),
    403,
    ...(path.includes("{") ? [404] : []),
    ...(method === "GET" ? [] : [409, 413, 415, 500]),
  ];
  return Object.fromEntries(statuses.map((status) => [String(status), { $ref: `#/components/responses/${status}` }]));
}

/** The response of each status that is an error. */
export function errorResponses(): object {
  return Object.fromEntries(
    Object.entries(errorCodes).map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].title}`).join("; "),
        content: { "application/problem+json": { schema: { $ref: schemaPath("Problem") } } },
      },
    ]),
  );
}
