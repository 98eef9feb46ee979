import type { JsonObject, OpenApiDocument } from "./openapi-types.ts";

/**
 * Opens a document where the specification is open: objects may have other members, texts may have values not seen yet,
 * and numbers have no bounds (sections 2.4, 3 and 9).
 */
export function openDocument(document: OpenApiDocument): OpenApiDocument {
  return { ...document, components: { ...document.components, schemas: openEach(document.components.schemas) } };
}

/** Keywords with which a schema allows less than the specification. */
const closing = new Set(["additionalProperties", "minimum", "maximum", "exclusiveMinimum", "minItems", "maxItems"]);

/**
 * Opens a schema. A closed set of texts becomes examples: generators would turn it into a type, which a new value would
 * break.
 */
function open(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).filter(
    ([keyword]) => !closing.has(keyword) && !(keyword === "pattern" && schema["format"] === "email"),
  );
  return Object.fromEntries(
    entries.map(([keyword, content]) => {
      if (keyword === "enum") return ["examples", content];
      if (keyword === "properties") return [keyword, openEach(content as Record<string, JsonObject>)];
      if (keyword === "items") return [keyword, open(content as JsonObject)];
      if (keyword === "anyOf" || keyword === "oneOf") return [keyword, (content as JsonObject[]).map(open)];
      return [keyword, content];
    }),
  );
}

function openEach(schemas: Readonly<Record<string, JsonObject>>): Record<string, JsonObject> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, open(schema)]));
}
