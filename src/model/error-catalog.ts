/** The errors that the service returns below its base path: code, status and title. */
export const serviceErrorCatalog = {
  key_missing: { status: 401, title: "Key missing" },
  key_malformed: { status: 401, title: "Key malformed" },
  key_unknown: { status: 401, title: "Key unknown" },
  key_revoked: { status: 401, title: "Key revoked" },
  rate_limit_exceeded: { status: 429, title: "Too many requests" },
  path_not_found: { status: 404, title: "Path not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  offering_forbidden: { status: 403, title: "Another offering's key" },
  parameter_invalid: { status: 400, title: "Parameter invalid" },
  investment_not_found: { status: 404, title: "Investment not found" },
  page_not_found: { status: 404, title: "Page not found" },
  internal_error: { status: 500, title: "Internal error" },
} as const;

/** Every error that a response can have. docs/errors.md explains each. */
export const errorCatalog = {
  ...serviceErrorCatalog,
  admin_token_required: { status: 401, title: "Admin token required" },
  admin_token_insufficient: { status: 403, title: "Admin token insufficient" },
  body_too_large: { status: 413, title: "Body too large" },
  host_not_allowed: { status: 403, title: "Host not allowed" },
  origin_not_allowed: { status: 403, title: "Origin not allowed" },
  admin_disabled: { status: 403, title: "Admin disabled" },
  body_malformed: { status: 400, title: "Body malformed" },
  media_type_unsupported: { status: 415, title: "Media type unsupported" },
  invalid: { status: 400, title: "Invalid" },
  not_found: { status: 404, title: "Not found" },
  conflict: { status: 409, title: "Conflict" },
  refused: { status: 403, title: "Refused" },
  not_saved: { status: 500, title: "Not saved" },
  storage_unavailable: { status: 503, title: "Storage unavailable" },
} as const;

export type ErrorReason = readonly [cause: string, remedy: string];

/** The cause of each error of the service in a sentence, and a remedy, for people. */
export const errorReasons: { readonly [Code in ErrorCode]?: ErrorReason } = {
  key_missing: ["The request had no key.", "Send the header Authorization: Bearer and a key."],
  key_malformed: ["The header Authorization is not Bearer and one key.", "Look for a missing space or a second word."],
  key_unknown: ["This key was never issued here.", "Use a key of this environment; each environment has its own."],
  key_revoked: ["The key is revoked.", "Use another key, or set the clock to a time before it was revoked."],
  rate_limit_exceeded: ["The requests of this minute are used up.", "Wait as Retry-After says, or clear the limit."],
  path_not_found: ["There is no such path.", "Compare it with the nearest path; a slash at the end matters."],
  method_not_allowed: ["The service is read-only.", "Use GET or HEAD."],
  offering_forbidden: ["The key is for another offering.", "Use a key of the offering in the path."],
  parameter_invalid: ["A parameter is invalid.", "Send a value that the message names, or omit the parameter."],
  investment_not_found: ["The key has no such investment.", "Check the id, and the offering of the key."],
  page_not_found: ["The page is after the last one.", "Stop at the last page."],
  internal_error: ["The sandbox has failed.", "Its log says why. Please report it."],
} satisfies Record<ServiceErrorCode, ErrorReason>;

export type ErrorCode = keyof typeof errorCatalog;
export type ServiceErrorCode = keyof typeof serviceErrorCatalog;

/** Why a request has no valid key (section 5.3). */
export type KeyError = Extract<ErrorCode, `key_${string}`>;
