import { basePath, operations, type OperationId, type ParameterName } from "../model/operations.ts";
import { hidden } from "../model/secrets.ts";
import type { JournalEntry } from "../requests.ts";
import { nameOf, type RiskId } from "./catalogue.ts";

/** Counts a behaviour or a risk at a request. */
export type Count = (id: string, entry: JournalEntry) => void;

/** The names of the operations in the ids of behaviours. */
const operationNames: Readonly<Record<OperationId, string>> = {
  getOffering: "offering",
  listInvestments: "investments",
  getInvestment: "investment",
  getInvestmentStatus: "status",
  listInvestmentEvents: "events",
};

function parametersOf({ path }: JournalEntry): URLSearchParams {
  return new URLSearchParams(path.split("?")[1]);
}

/** The parameters that section 4 names for an operation. */
function knownParameters(operation: OperationId | null): readonly ParameterName[] {
  return operations.find(({ id }) => id === operation)?.parameters ?? [];
}

/** The key, method, path and query; undefined without a key of the environment, or where the journal conceals a part. */
export function requestOf({ key_id, method, path }: JournalEntry): string | undefined {
  return key_id === null || path.includes(hidden) ? undefined : `${key_id} ${method} ${path}`;
}

/** The key, path, filters and size of a list: they are the same on each of its pages. Unknown parameters make no other list. */
export function listOf(entry: JournalEntry): string {
  const query = parametersOf(entry);
  const known = knownParameters(entry.operation).filter((name) => name !== "page" && name !== "size");
  const filters = known.flatMap((name) => query.getAll(name).map((text) => `${name}=${text}`));
  return [entry.key_id, entry.path.split("?")[0], entry.size, ...filters].join(" ");
}

/** Whether a list or the events of an investment were asked for by dates. */
export function isFiltered(entry: JournalEntry): boolean {
  const query = parametersOf(entry);
  return knownParameters(entry.operation).some((name) => name.endsWith("]") && query.has(name));
}

/** Whether the service answered a GET with a document, and nothing spoiled it. */
export function isAnswered(entry: JournalEntry): boolean {
  return entry.method === "GET" && entry.status === 200 && entry.digest !== null && !isBroken(entry);
}

/** Whether the service failed, or its connection ended before the whole answer. */
export function isBroken({ status, fault_id, connection }: JournalEntry): boolean {
  return status === null ? fault_id !== null : status >= 500 || connection !== null;
}

/** The ids of the behaviours and risks that a request meets by itself. */
export function idsOf(entry: JournalEntry): string[] {
  const risk: RiskId[] = isUnknown(entry) ? ["unknown-request"] : [];
  if (entry.method !== "GET") return risk;
  return [...risk, ...(isAnswered(entry) ? answeredIds(entry) : refusedIds(entry))];
}

/** Whether a request asked for something that the service does not have: section 4 names every path and parameter. */
function isUnknown(entry: JournalEntry): boolean {
  const { operation, code, key_id, path } = entry;
  // Browsers ask for paths of their own at the origin, without a key.
  if (operation === null) return key_id !== null || path.startsWith(basePath);
  if (code === "method_not_allowed") return true;
  const known: readonly string[] = knownParameters(operation);
  return Array.from(parametersOf(entry).keys()).some((name) => !known.includes(name));
}

function refusedIds({ status, code, operation, investment_id }: JournalEntry): string[] {
  if (status === 429) return ["refusals.429"];
  switch (code) {
    case "key_missing":
      return ["refusals.missing"];
    case "key_malformed":
    case "key_unknown":
      return ["refusals.malformed"];
    case "key_revoked":
      return ["refusals.revoked"];
    case "offering_forbidden":
      return [operation === "listInvestments" ? "refusals.list" : "refusals.offering"];
    case "investment_not_found":
      return [investment_id === null ? "refusals.unknown" : "refusals.other-offering"];
    case "page_not_found":
      return ["pages.past-end"];
    default:
      return [];
  }
}

function answeredIds(entry: JournalEntry): string[] {
  const { operation, key_type, total, shown } = entry;
  if (operation === null || key_type === null) return [];
  const query = parametersOf(entry);
  const given = knownParameters(operation).filter((name) => query.has(name));
  const isPair = ["create_date", "modify_date"].some((date) =>
    ["gte", "lte"].every((bound) => given.some((name) => name === `${date}[${bound}]`)),
  );
  const isList = operation === "listInvestments";
  const isNone = isFiltered(entry) && (isList ? total : shown) === 0;
  const group = isList ? "filters.list" : "filters.events";
  return [
    `operations.${operationNames[operation]}.${key_type}`,
    ...given.map((name) => `${group}.${nameOf(name)}`),
    ...(isPair ? ["filters.pair"] : []),
    ...(isNone ? [`${group}.none`] : []),
    ...(isList ? [`pages.${given.includes("size") ? "size-given" : "size-none"}`, ...pageIds(entry)] : []),
  ];
}

function pageIds({ shown, total, size }: JournalEntry): string[] {
  if (total === 0) return ["pages.empty"];
  return shown === 0 && size !== 0 ? ["pages.past-end"] : [];
}
