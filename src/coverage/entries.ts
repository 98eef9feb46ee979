import type { ErrorCode, ServiceErrorCode } from "../model/error-catalogue.ts";
import { basePath, type OperationId } from "../model/operations.ts";
import { hidden } from "../secrets/secrets.ts";
import type { KeyType } from "../model/vocabulary.ts";
import type { JournalEntry } from "../public/requests.ts";
import type { onlyIfMet } from "./catalogue.ts";

/** An entry of the journal while its answer is made. The journal fills the object again later. */
export type CountedEntry = Omit<JournalEntry, "recorded_at" | "as_of">;

const idsOf = (name: string): Readonly<Record<KeyType, string>> => ({
  marketing: `operations.${name}.marketing`,
  partner: `operations.${name}.partner`,
});

/** The ids of the operations' behaviours, made once rather than at each request. */
const operationIds: Readonly<Record<OperationId, Readonly<Record<KeyType, string>>>> = {
  getOffering: idsOf("offering"),
  listInvestments: idsOf("investments"),
  getInvestment: idsOf("investment"),
  getInvestmentStatus: idsOf("status"),
  listInvestmentEvents: idsOf("events"),
};

/** What a report needs of a call in addition to its entry. */
export interface CountedCall {
  /** When it arrived, in milliseconds of `performance.now()`. */
  readonly start: number;
  /** The hints name parameters that its operation does not have. */
  readonly target: { readonly hints: readonly string[] };
}

/** The key, path and query of a GET; undefined for other requests, and where the journal conceals a part. */
export function requestOf({ key_id, method, path }: CountedEntry): string | undefined {
  return key_id === null || method !== "GET" || path.includes(hidden) ? undefined : `${key_id} ${path}`;
}

/** Whether the service answered with a document, and no fault changed it. */
export function isAnswered({ status, digest, connection }: CountedEntry): boolean {
  return status === 200 && digest !== null && connection === null;
}

/** The failure that a request met: of the service, or of the connection before the whole answer was out. */
export function failureOf({ status, connection }: CountedEntry): string | undefined {
  if (connection === "truncated") return "failures.truncated";
  if (connection !== null) return "failures.connection";
  return status !== null && status >= 500 ? "failures.status" : undefined;
}

/** The behaviour that a GET meets by itself. */
export function behaviourOf(entry: CountedEntry): string | undefined {
  const { method, operation, key_type } = entry;
  if (method !== "GET") return undefined;
  if (isAnswered(entry)) return operation && key_type ? operationIds[operation][key_type] : undefined;
  return failureOf(entry) ?? refusalOf(entry);
}

type Refusal = string | undefined | ((entry: CountedEntry) => string);

/** The behaviour that each error shows; undefined for those that no report counts as a refusal. */
const refusals: { readonly [Code in ErrorCode]?: Refusal } = {
  key_missing: "refusals.missing",
  key_malformed: "refusals.malformed",
  key_unknown: "refusals.malformed",
  key_revoked: "refusals.revoked",
  rate_limit_exceeded: "refusals.429",
  path_not_found: undefined,
  method_not_allowed: undefined,
  offering_forbidden: ({ operation }) => (operation === "listInvestments" ? "refusals.list" : "refusals.offering"),
  parameter_invalid: "refusals.400" satisfies typeof onlyIfMet,
  investment_not_found: ({ investment_id }) =>
    investment_id === null ? "refusals.unknown" : "refusals.other-offering",
  page_not_found: undefined,
  internal_error: undefined,
} satisfies Record<ServiceErrorCode, Refusal>;

function refusalOf(entry: CountedEntry): string | undefined {
  // A fault's answer has no code.
  if (entry.code === null) return entry.status === 429 ? "refusals.429" : undefined;
  const refusal = refusals[entry.code];
  return typeof refusal === "function" ? refusal(entry) : refusal;
}

/** Whether a request asked for something that the service does not have: section 4 names every path and parameter. */
export function isUnknown({ operation, code, key_id, path }: CountedEntry, { target }: CountedCall): boolean {
  // Browsers themselves request some paths at the origin, without a key.
  if (operation === null) return key_id !== null || path.startsWith(basePath);
  return code === "method_not_allowed" || target.hints.length > 0;
}
