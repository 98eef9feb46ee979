import type { KeyType } from "../../src/model/vocabulary.ts";
import type { MediaTypeObject, OpenApiDocument, ResponseObject } from "../../src/openapi/openapi-types.ts";
import type { Exchange } from "./exchange.ts";
import { excerpt, validatorOf } from "./validators.ts";

/** Returns how a body and its media type deviate from a described response. */
export function bodyDeviations(exchange: Exchange, { content }: ResponseObject): string[] {
  const { document, method, headers, body, keyType } = exchange;
  const type = headers["content-type"];
  const [described] = Object.entries(content ?? {});
  if (!described) {
    return [
      ...(type === undefined ? [] : [`the Content-Type ${type} is of no body`]),
      ...(body === "" ? [] : ["there is a body"]),
    ];
  }
  const [mediaType, { schema }] = described;
  const expected = currentMediaType(mediaType, document);
  const wrongType = type === expected ? [] : [`the Content-Type is ${excerpt(type)}, not ${expected}`];
  if (method === "HEAD") return [...wrongType, ...(body === "" ? [] : ["the response to HEAD has a body"])];
  const value = parseOrError(body);
  return [
    ...wrongType,
    ...(value instanceof SyntaxError
      ? [`the body is no JSON: ${value}`]
      : valueDeviations(document, schema, value, keyType)),
  ];
}

function parseOrError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

/** Returns a media type as the current assumption writes it, with its parameters. */
function currentMediaType(mediaType: string, document: OpenApiDocument): string {
  const currentType = document["x-assumptions"]["content_type"];
  return currentType.split(/ *;/)[0] === mediaType ? currentType : mediaType;
}

/** Returns how a parsed body deviates from its schema. */
export function valueDeviations(
  document: OpenApiDocument,
  schema: MediaTypeObject["schema"],
  value: unknown,
  keyType: KeyType | undefined,
): string[] {
  const validate = validatorOf(document);
  const refs = "anyOf" in schema ? schema.anyOf : [schema];
  const attempts = refs
    .map(({ $ref }) => $ref.replace("#/components/schemas/", ""))
    .filter((name) => isReadBy(document, name, keyType))
    .map((name) => validate(`#/components/schemas/${name}`, value).map((deviation) => `${name}: ${deviation}`));
  // Report against the closest of several schemas: the document was meant for it.
  const [closest = ["no schema is for the key's type"]] = attempts.toSorted(
    (left, right) => left.length - right.length,
  );
  return closest;
}

function isReadBy(document: OpenApiDocument, name: string, keyType: KeyType | undefined): boolean {
  const keyTypeOfSchema = document.components.schemas[name]?.["x-key-type"];
  return keyTypeOfSchema === undefined || keyType === undefined || keyTypeOfSchema === keyType;
}
