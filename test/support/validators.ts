import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { AdminOpenApiDocument } from "../../scripts/admin-openapi/document.ts";
import type { OpenApiDocument } from "../../src/openapi/openapi-types.ts";

/** Returns the errors in a value under the schema at a path of a document: `#/components/schemas/EventResource`. */
export type Validate = (path: string, value: unknown) => string[];

/** The parts of our document that matter here. */
type Document = Pick<OpenApiDocument | AdminOpenApiDocument, "components">;

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  allErrors: true,
  verbose: true,
  discriminator: true,
  keywords: ["x-default"],
});
formats.default(ajv);
ajv.addVocabulary(["components", "x-assumptions", "x-key-type"]);

const byDocument = new WeakMap<Document, Map<string, ValidateFunction>>();
const byText = new Map<string, ValidateFunction>();

/** Returns the validation by the schemas of a document. Documents share compiled schemas. */
export function validatorOf(document: Document): Validate {
  const known = byDocument.get(document) ?? new Map<string, ValidateFunction>();
  byDocument.set(document, known);
  return (path, value) => {
    const validate = known.get(path) ?? compile(document, path);
    known.set(path, validate);
    return validate(value) ? [] : (validate.errors ?? []).map(formatError);
  };
}

function compile(document: Document, path: string): ValidateFunction {
  // For discriminators, ajv only knows `propertyName`; it derives the mapping.
  const text = JSON.stringify({ components: componentsBehind(document, path) }, (member, value: unknown) =>
    member === "mapping" ? undefined : value,
  );
  const key = path + text;
  const known = byText.get(key);
  if (known) return known;
  const id = `document-${byText.size}`;
  const validate = ajv.addSchema(JSON.parse(text) as object, id).getSchema(id + path);
  if (!validate) throw new Error(`The document has no schema at ${path}.`);
  byText.set(key, validate);
  return validate;
}

type Components = Record<string, Record<string, unknown>>;

/** Returns the components behind a schema's references at any depth, itself included. */
function componentsBehind({ components }: Document, path: string): Components {
  const all = components as unknown as Components;
  const found: Components = {};
  const open = [path];
  for (const reference of open) {
    const [, , kind = "", name = ""] = reference.split("/");
    const component = all[kind]?.[name];
    if (component === undefined || found[kind]?.[name] !== undefined) continue;
    (found[kind] ??= {})[name] = component;
    for (const [, next = ""] of JSON.stringify(component).matchAll(/"\$ref":"([^"]+)"/g)) open.push(next);
  }
  return found;
}

function formatError({ instancePath, message, params, data }: ErrorObject): string {
  const additionalProperty = (params as { additionalProperty?: string }).additionalProperty;
  const found = additionalProperty === undefined ? `is ${excerpt(data)}` : `has ${additionalProperty}`;
  return `${instancePath || "the whole"} ${found}, ${message}`;
}

/** Formats a value as JSON, not too long. */
export function excerpt(value: unknown, longest = 100): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
