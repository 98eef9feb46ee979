import { isDeepStrictEqual } from "node:util";
import type { AssumptionId, Assumptions } from "../assumptions/catalogue.ts";
import { errorCatalogue, type ErrorCode } from "../model/error-catalogue.ts";
import type { Operation, OperationId } from "../model/operations.ts";
import { type KeyType, keyTypes } from "../model/vocabulary.ts";
import { errorBody, errorStatus, type ServiceError, type ServiceErrorName, serviceErrors } from "./errors.ts";
import { commonHeaders, headerRefs, limitHeaderNames } from "./headers.ts";
import type { Components, MediaTypeObject, Ref, ResponseObject, Responses, Terms } from "./openapi-types.ts";
import { type ComponentSchemas, schemaPath } from "./schemas.ts";

/** Bodies for the examples, as they are served. */
export interface Examples {
  /** Documents by operation and by type of key. */
  readonly documents: { readonly [Id in OperationId]?: { readonly [Type in KeyType]?: unknown } };
  readonly errors: { readonly [Code in ErrorCode]?: unknown };
}

/** Describes the 200 of an operation. `documents` are the names of its schemas. */
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
    description: others.length > 0 ? "The document, as the type of key reads it (section 5.5)." : "The document.",
    headers: headerRefs([...commonHeaders, ...limitHeaderNames], terms),
    content: { [contentType(terms.assumptions)]: { schema, ...mediaExamples(operation, examples) } },
  };
}

const summaries = {
  marketing: "As a Marketing API key reads it",
  partner: "As a Partner API key reads it",
} as const satisfies Record<KeyType, string>;

/** Returns the examples of an operation: one if both types of key read the same. */
function mediaExamples({ id }: Operation, examples: Examples): Pick<MediaTypeObject, "examples"> {
  const documents = examples.documents[id] ?? {};
  const types = keyTypes.filter((type) => documents[type] !== undefined);
  if (types.length === 0) return {};
  if (types.length > 1 && isDeepStrictEqual(documents.marketing, documents.partner)) {
    return { examples: { either: { summary: "As a key of either type reads it", value: documents.partner } } };
  }
  const entries = types.map((type) => [type, { summary: summaries[type], value: documents[type] }]);
  return { examples: Object.fromEntries(entries) };
}

/** Returns the id in the path from which the examples were read. */
export function exampleId({ subject }: Operation, { documents }: Examples): string | undefined {
  const source = subject === "offering" ? documents.getOffering : documents.getInvestment;
  const document = (source?.partner ?? source?.marketing) as { readonly data: { readonly id: string } } | undefined;
  return document?.data.id;
}

/** Describes the response of an error, and names the schema of its body. */
export function errorResponse(
  name: string,
  error: ServiceError,
  schemas: ComponentSchemas,
  terms: Terms,
  examples: Examples,
): ResponseObject {
  const schemaName = `${name}Error`;
  const body = errorBody(error, terms.assumptions);
  if (body) schemas.name(schemaName, body, { description: error.description, restsOn: ["errors.body"] });
  const isProblem = terms.assumptions["errors.body"] === "problem";
  const type = isProblem ? "application/problem+json" : contentType(terms.assumptions);
  return {
    description: error.description,
    headers: headerRefs([...commonHeaders, ...error.headers], terms),
    ...(body && {
      content: { [type]: { schema: { $ref: schemaPath(schemaName) }, ...errorExamples(error, examples) } },
    }),
    "x-assumptions": [...error.restsOn, "errors.body"],
  };
}

function errorExamples({ codes }: ServiceError, { errors }: Examples): Pick<MediaTypeObject, "examples"> {
  const entries = codes
    .filter((code) => errors[code] !== undefined)
    .map((code) => [code, { summary: errorCatalogue[code].title, value: errors[code] }]);
  return entries.length === 0 ? {} : { examples: Object.fromEntries(entries) };
}

/** Returns references to the responses of errors, by status. */
export function errorRefs(names: readonly ServiceErrorName[], { assumptions }: Terms): Responses {
  return Object.fromEntries(
    names.map((name): [string, Ref] => [
      String(errorStatus(serviceErrors[name], assumptions)),
      { $ref: `#/components/responses/${name}` },
    ]),
  );
}

function contentType(assumptions: Assumptions): string {
  return assumptions["content_type"].replace(/ *;.*/, "");
}

/** The assumptions behind every answer. */
const always = [
  "auth.scheme",
  "content_type",
  "cors",
  "limit.headers",
  "precedence",
  "transport.form",
] satisfies AssumptionId[];

/** Returns the assumptions named in a part of the document, or in the `components` to which it refers. */
export function restsOn(part: object, components: Components): string[] {
  const ids = new Set<string>(always);
  const seen = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [member, content] of Object.entries(value)) {
      if (member === "x-assumptions") for (const id of content as string[]) ids.add(id);
      else if (member === "$ref") follow(content as string);
      else visit(content);
    }
  };
  const follow = (ref: string): void => {
    if (seen.has(ref)) return;
    seen.add(ref);
    visit(resolve(ref, components));
  };
  visit(part);
  return [...ids].toSorted();
}

/** Returns the component to which a reference points. */
function resolve(ref: string, components: Components): unknown {
  const names = ref.replace("#/components/", "").split("/");
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], components);
}
