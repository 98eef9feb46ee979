import { operations, type Operation } from "../../model/operations.ts";
import { refusesParameters } from "../parameters.ts";
import type { Terms } from "../terms.ts";
import type { ServiceErrorName } from "./service-errors.ts";

/** The errors that requests of an operation can meet, in the order of their statuses. */
export function errorsOf(operation: Operation, terms: Terms): ServiceErrorName[] {
  const { assumptions } = terms;
  const pagesEnd = operation.parameters.includes("page") && assumptions["list.past_end"] === "404";
  return [
    ...when(refusesParameters(operation, assumptions), "ParameterInvalid"),
    "Unauthorized",
    operation.subject === "offering" ? "OfferingForbidden" : "InvestmentNotFound",
    ...when(pagesEnd, "PageNotFound"),
    ...overLimit(terms),
  ];
}

/** The errors that requests of other methods than GET and HEAD can meet. */
export function errorsOfOtherMethods(terms: Terms): ServiceErrorName[] {
  const refusal = terms.assumptions["errors.method"] === "405" ? "MethodNotAllowed" : "PathNotFound";
  return ["Unauthorized", refusal, ...overLimit(terms)];
}

/** The errors that requests of other paths can meet. */
export function errorsOfOtherPaths(terms: Terms): ServiceErrorName[] {
  return ["Unauthorized", "PathNotFound", ...overLimit(terms)];
}

/** The errors that any request can meet, each once. */
export function occurringErrors(terms: Terms): ServiceErrorName[] {
  const ofOperations = operations.flatMap((operation) => errorsOf(operation, terms));
  return [...new Set([...ofOperations, ...errorsOfOtherMethods(terms), ...errorsOfOtherPaths(terms)])];
}

function overLimit({ rateLimit }: Terms): ServiceErrorName[] {
  return when(rateLimit > 0, "TooManyRequests");
}

function when(condition: boolean, name: ServiceErrorName): ServiceErrorName[] {
  return condition ? [name] : [];
}
