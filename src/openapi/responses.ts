import type { Assumptions } from "../assumptions/catalogue.ts";
import type { Operation } from "../model/operations.ts";
import { schemaPath, type ComponentSchemas } from "./component-schemas.ts";
import { errorBody } from "./errors/error-body.ts";
import { serviceErrors, statusOf, type ServiceError, type ServiceErrorName } from "./errors/service-errors.ts";
import { shownExamples, type Examples } from "./examples.ts";
import { commonHeaders, headerRefs, limitHeaders } from "./headers.ts";
import type { Ref, ResponseObject, Responses } from "./openapi-types.ts";
import type { Terms } from "./terms.ts";

/** The 200 of an operation, whose document has one of the named schemas. */
export function okResponse(
  operation: Operation,
  documents: readonly string[],
  terms: Terms,
  examples: Examples,
): ResponseObject {
  const refs = documents.map((name) => ({ $ref: schemaPath(name) }));
  const [first, ...others] = refs;
  const schema = first && others.length === 0 ? first : { anyOf: refs };
  return {
    description: others.length > 0 ? "What was asked for, as the key reads it (section 5.5)." : "What was asked for.",
    headers: headerRefs([...commonHeaders, ...limitHeaders], terms),
    content: { [mediaType(terms.assumptions)]: { schema, ...shownExamples(operation, examples) } },
  };
}

/** The response of an error. Gives the schema of its body a name. */
export function errorResponse(name: ServiceErrorName, schemas: ComponentSchemas, terms: Terms): ResponseObject {
  const error: ServiceError = serviceErrors[name];
  const shape = terms.assumptions["errors.body"];
  const schemaName = `${name}Error`;
  const body = errorBody(shape, error);
  if (body) schemas.name(schemaName, body, { description: error.description, restsOn: ["errors.body"] });
  const type = shape === "problem" ? "application/problem+json" : mediaType(terms.assumptions);
  return {
    description: error.description,
    headers: headerRefs([...commonHeaders, ...error.headers], terms),
    ...(body && { content: { [type]: { schema: { $ref: schemaPath(schemaName) } } } }),
    "x-assumptions": [...error.restsOn, "errors.body"],
  };
}

/** References to the responses of errors, by status. */
export function errorRefs(names: readonly ServiceErrorName[]): Responses {
  return Object.fromEntries(
    names.map((name): [string, Ref] => [String(statusOf(name)), { $ref: `#/components/responses/${name}` }]),
  );
}

/** What a browser is told that asks before a request of another origin. */
export function preflightResponse(terms: Terms): ResponseObject {
  return {
    description: "To a browser's preflight: what is allowed.",
    headers: headerRefs(commonHeaders, terms),
    "x-assumptions": ["cors"],
  };
}

function mediaType(assumptions: Assumptions): string {
  return assumptions["content_type"].replace(/;.*/, "");
}
