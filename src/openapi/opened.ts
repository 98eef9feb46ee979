import type { ClosedOpenApiDocument, Components, JsonObject, OpenApiDocument } from "./openapi-types.ts";
import { resolve } from "./responses.ts";

/**
 * Opens a document where the specification is open: objects may have other members, texts other values than those seen, and
 * numbers have no bounds (sections 2.4, 3 and 9). Leaves out what no operation refers to.
 */
export function opened({
  "x-other-methods": _methods,
  "x-other-paths": _paths,
  ...document
}: ClosedOpenApiDocument): OpenApiDocument {
  const schemas = openEach(document.components.schemas);
  return { ...document, components: withoutUnused({ ...document, components: { ...document.components, schemas } }) };
}

/** Keywords by which a schema admits less than the specification. */
const closing = new Set(["additionalProperties", "minimum", "maximum", "exclusiveMinimum", "minItems", "maxItems"]);

/** Opens a schema. A closed set of texts becomes examples: no generator makes a type of those that a new value breaks. */
function open(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(
    ([keyword]) => !closing.has(keyword) && !(keyword === "pattern" && schema["format"] === "email"),
  );
  return Object.fromEntries(
    kept.map(([keyword, content]) => {
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

function withoutUnused({ paths, components }: Pick<OpenApiDocument, "paths" | "components">): Components {
  const used = new Set<unknown>();
  const follow = (part: unknown): void => {
    for (const [, ref = ""] of JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g)) {
      const component = resolve(ref, components);
      if (used.has(component)) continue;
      used.add(component);
      follow(component);
    }
  };
  follow(paths);
  const usedOf = <Component>(named: Readonly<Record<string, Component>>): Record<string, Component> =>
    Object.fromEntries(Object.entries(named).filter(([, component]) => used.has(component)));
  const { securitySchemes, headers, responses, schemas } = components;
  return { securitySchemes, headers: usedOf(headers), responses: usedOf(responses), schemas: usedOf(schemas) };
}
