import type { Assumptions } from "../../src/assumptions/catalog.ts";
import { type OrderedError, orderOfErrors } from "../../src/assumptions/precedence.ts";
import { operations } from "../../src/model/operations.ts";

import { commonHeaders, headerRefs, limitHeaderNames } from "../../src/openapi/headers.ts";
import type { OpenApiDocument, ResponseObject, Responses, ServiceSettings } from "../../src/openapi/openapi-types.ts";
import { refusesParameters } from "../../src/openapi/parameters.ts";
import { errorResponse, errorStatus, type ServiceError, serviceErrors } from "../../src/openapi/responses.ts";
import { ComponentSchemas } from "../../src/openapi/schemas.ts";
import { closedDocument, dependsOn } from "../../src/openapi/service-document.ts";

/** The responses to requests beyond the operations of OpenAPI. */
export interface OtherRequests {
  readonly responses: Responses;
  /** The assumptions behind all of the responses. */
  readonly "x-assumptions": readonly string[];
}

/** A closed document, which only allows the sandbox's own responses and so can check them. */
export interface ClosedDocument extends OpenApiDocument {
  readonly "x-other-methods": OtherRequests;
  readonly "x-other-paths": OtherRequests;
}

/** The errors of other methods and other paths. */
export const otherErrors = {
  PathNotFound: {
    description: "There is no such path.",
    codes: ["path_not_found"],
    headers: limitHeaderNames,
    dependsOn: [],
  },
  NothingFound: {
    description: "There is no such path for the method, or no such investment.",
    codes: ["path_not_found", "investment_not_found"],
    headers: limitHeaderNames,
    dependsOn: ["errors.method", "ids.case"],
  },
  MethodNotAllowed: {
    description: "A method other than GET and HEAD.",
    codes: ["method_not_allowed"],
    headers: limitHeaderNames,
    dependsOn: ["errors.method"],
  },
} as const satisfies Readonly<Record<string, ServiceError>>;

const errors: Readonly<Record<ErrorName, ServiceError>> = { ...serviceErrors, ...otherErrors };

type ErrorName = keyof typeof serviceErrors | keyof typeof otherErrors;

const allow = {
  description: "The allowed methods.",
  required: true,
  schema: { type: "string", const: "GET, HEAD" },
  "x-assumptions": ["errors.method"],
};

const documents = new Map<string, ClosedDocument>();

/** Returns the closed document of the service under these terms, made once. */
export function closedUnder(terms: ServiceSettings): ClosedDocument {
  const key = JSON.stringify(terms);
  const document = documents.get(key) ?? describe(terms);
  documents.set(key, document);
  return document;
}

function describe(terms: ServiceSettings): ClosedDocument {
  const document = closedDocument({ ...terms, version: "0.0.0" });
  const schemas = new ComponentSchemas(terms.assumptions);
  const responses: Record<string, ResponseObject> = { ...document.components.responses };
  for (const name of new Set([...errorsOfOtherMethods(terms), ...errorsOfOtherPaths(terms)])) {
    responses[name] ??= errorResponse(name, errors[name], schemas, terms, { documents: {}, errors: {} });
  }
  const refused = responses["MethodNotAllowed"];
  if (refused) {
    responses["MethodNotAllowed"] = {
      ...refused,
      headers: { ...refused.headers, Allow: { $ref: "#/components/headers/Allow" } },
    };
  }
  const components = {
    ...document.components,
    headers: { ...document.components.headers, Allow: allow },
    responses,
    schemas: { ...document.components.schemas, ...schemas.toJson() },
  };
  const describeOtherRequests = (names: readonly ErrorName[], assumptions: readonly string[]): OtherRequests => {
    const refs = names.map((name) => {
      return [
        String(errorStatus(errors[name], terms.assumptions)),
        { $ref: `#/components/responses/${name}` },
      ] as const;
    });
    const responsesByStatus = {
      ...(terms.assumptions.cors === "yes" && { "204": preflight(terms) }),
      ...Object.fromEntries(refs),
    };
    return {
      responses: responsesByStatus,
      "x-assumptions": dependsOn([{ "x-assumptions": assumptions }, responsesByStatus], components),
    };
  };
  return {
    ...document,
    components,
    "x-other-methods": describeOtherRequests(errorsOfOtherMethods(terms), ["errors.method"]),
    "x-other-paths": describeOtherRequests(
      errorsOfOtherPaths(terms),
      methodWinsOverPath(terms.assumptions) ? ["errors.method"] : [],
    ),
  };
}

function errorsOfOtherMethods({ assumptions, rateLimit }: ServiceSettings): ErrorName[] {
  const order = orderOfErrors(assumptions.precedence);
  const is405 = assumptions["errors.method"] === "405";
  const refusal = order.indexOf(is405 ? "405" : "404-path");
  const wins = (error: OrderedError): boolean => order.indexOf(error) < refusal;
  const refuses = operations.some((operation) => refusesParameters(operation, assumptions));
  return [
    "Unauthorized",
    ...when(wins("403"), "OfferingForbidden"),
    ...when(wins("400") && refuses, "ParameterInvalid"),
    ...when(wins("404") && is405, "InvestmentNotFound"),
    is405 ? "MethodNotAllowed" : wins("404") ? "NothingFound" : "PathNotFound",
    ...when(rateLimit > 0, "TooManyRequests"),
  ];
}

function errorsOfOtherPaths({ assumptions, rateLimit }: ServiceSettings): ErrorName[] {
  const is405 = assumptions["errors.method"] === "405" && methodWinsOverPath(assumptions);
  return [
    "Unauthorized",
    "PathNotFound",
    ...when(is405, "MethodNotAllowed"),
    ...when(rateLimit > 0, "TooManyRequests"),
  ];
}

/** Whether another method is refused before the path is checked. */
function methodWinsOverPath({ precedence }: Assumptions): boolean {
  const order = orderOfErrors(precedence);
  return order.indexOf("405") < order.indexOf("404-path");
}

function when(condition: boolean, name: ErrorName): ErrorName[] {
  return condition ? [name] : [];
}

function preflight(terms: ServiceSettings): ResponseObject {
  return {
    description: "To a browser's preflight: the allowed methods and headers.",
    headers: headerRefs(commonHeaders, terms),
    "x-assumptions": ["cors"],
  };
}
