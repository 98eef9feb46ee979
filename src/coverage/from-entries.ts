import { operations, type OperationId } from "../model/operations.ts";
import type { JournalEntry } from "../options.ts";
import { nameOf } from "./catalogue.ts";

/** The names of the operations in the ids of behaviours. */
const operationNames: Readonly<Record<OperationId, string>> = {
  getOffering: "offering",
  listInvestments: "investments",
  getInvestment: "investment",
  getInvestmentStatus: "status",
  listInvestmentEvents: "events",
};

export function parametersOf({ path }: JournalEntry): URLSearchParams {
  return new URLSearchParams(path.split("?")[1]);
}

/** The filters of a list, with its path: they are the same on each of its pages. */
export function filterOf(entry: JournalEntry): string {
  const parameters = parametersOf(entry);
  parameters.delete("page");
  parameters.delete("size");
  parameters.sort();
  return `${entry.path.split("?")[0]}?${parameters.toString()}`;
}

/** Whether the service answered with a document, and nothing spoiled it. */
export function isAnswered(entry: JournalEntry): boolean {
  return entry.status === 200 && entry.digest !== null && !isBroken(entry);
}

/** Whether a connection ended before the whole answer, or the service failed. */
export function isBroken({ status, fault_id, hints }: JournalEntry): boolean {
  if (status === null) return fault_id !== null;
  return status >= 500 || (fault_id !== null && hints.some((hint) => hint.includes("ends the connection")));
}

/** The ids of the behaviours that a request has met by itself, without its body. */
export function idsOfEntry(entry: JournalEntry): string[] {
  if (entry.method !== "GET" && entry.status !== 405) return [];
  return isAnswered(entry) ? answeredIds(entry) : refusedIds(entry);
}

/** Whether a request asked for something that does not exist: section 4 names every path and parameter. */
export function isUnknown({ code, hints }: JournalEntry): boolean {
  const isNowhere = code === "path_not_found" || code === "method_not_allowed";
  return isNowhere || hints.some((hint) => hint.startsWith("unknown parameter"));
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
    case "parameter_invalid":
      return ["apart.400"];
    case "method_not_allowed":
      return ["apart.405"];
    default:
      return [];
  }
}

function answeredIds(entry: JournalEntry): string[] {
  const { operation, key_type, total } = entry;
  if (operation === null || key_type === null) return [];
  const known = operations.find(({ id }) => id === operation)?.parameters ?? [];
  const given = known.filter((name) => parametersOf(entry).has(name));
  const isList = operation === "listInvestments";
  const prefix = isList ? "filters.list" : "filters.events";
  const isPair = ["create_date", "modify_date"].some((date) =>
    ["gte", "lte"].every((bound) => given.some((name) => name === `${date}[${bound}]`)),
  );
  const isFiltered = given.some((name) => name.endsWith("]"));
  return [
    `operations.${operationNames[operation]}.${key_type}`,
    ...given.map((name) => `${prefix}.${nameOf(name)}`),
    ...(isPair ? ["filters.pair"] : []),
    ...(isList && isFiltered && total === 0 ? ["filters.list.none"] : []),
    ...(isList ? [`pages.${given.includes("size") ? "size-given" : "size-none"}`, ...pageIds(entry)] : []),
  ];
}

function pageIds({ shown, total, size }: JournalEntry): string[] {
  if (total === 0) return ["pages.empty"];
  return shown === 0 && size !== 0 ? ["pages.past-end"] : [];
}
