import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { AdminOpenApiDocument } from "../../scripts/admin-openapi/document.ts";
import type { OpenApiDocument } from "../../src/openapi/openapi-types.ts";

/** What is wrong with a value under the schema at a path of a document, such as `#/components/schemas/EventResource`. */
export type Validate = (path: string, value: unknown) => string[];

/** A document of ours, as far as it matters here. */
type Document = Pick<OpenApiDocument | AdminOpenApiDocument, "components">;

const byDocument = new WeakMap<Document, Validate>();
const byComponents = new Map<string, Validate>();

/** The validation by the schemas of a document, compiled once for all documents with the same components. */
export function validatorOf(document: Document): Validate {
  const known = byDocument.get(document);
  if (known) return known;
  const { components } = document;
  // Of discriminators ajv knows `propertyName` only; it finds the mapping by itself.
  const text = JSON.stringify({ components }, (member, value: unknown) => (member === "mapping" ? undefined : value));
  const validate = byComponents.get(text) ?? compile(JSON.parse(text) as object);
  byComponents.set(text, validate);
  byDocument.set(document, validate);
  return validate;
}

function compile(document: object): Validate {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, verbose: true, discriminator: true });
  formats.default(ajv);
  ajv.addVocabulary(["components", "x-assumptions", "x-key-type"]);
  ajv.addSchema(document, "openapi");
  return (path, value) => {
    const validate = ajv.getSchema(`openapi${path}`);
    if (!validate) throw new Error(`The document has no schema at ${path}.`);
    return validate(value) ? [] : (validate.errors ?? []).map(inWords);
  };
}

function inWords({ instancePath, message, params, data }: ErrorObject): string {
  const stray = (params as { additionalProperty?: string }).additionalProperty;
  const found = stray === undefined ? `is ${excerpt(data)}` : `has ${stray}`;
  return `${instancePath || "the whole"} ${found}, ${message}`;
}

/** A value as JSON, not too long. */
export function excerpt(value: unknown, longest = 100): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
