import { z } from "zod";
import type { AssumptionId, Assumptions } from "../assumptions/catalog.ts";
import { isTemplateList, Placeholder, type Template } from "../assumptions/template.ts";
import type { KeyType } from "../model/vocabulary.ts";
import type { JsonObject } from "./openapi-types.ts";

/** A group of keys with the same access to personal data (section 5.5). */
interface Audience {
  /** The prefix for the names of its documents' schemas. */
  readonly name: "Marketing" | "Partner" | "UngrantedPartner";
  readonly keyType: KeyType;
  readonly personalData: boolean;
  /** The assumptions that decide which keys are in the group. */
  readonly dependsOn: readonly AssumptionId[];
}

export function audiencesUnder(assumptions: Assumptions): readonly Audience[] {
  const partner = { keyType: "partner", dependsOn: ["auth.partner_data"] } as const;
  const audiences: Audience[] = [
    { name: "Marketing", keyType: "marketing", personalData: false, dependsOn: [] },
    { name: "Partner", personalData: true, ...partner },
  ];
  if (assumptions["auth.partner_data"] === "on-request")
    audiences.push({ name: "UngrantedPartner", personalData: false, ...partner });
  return audiences;
}

/** The annotations of a schema. */
interface Facts {
  readonly description: string;
  /** The assumptions behind the shape. */
  readonly dependsOn?: readonly AssumptionId[];
  /** The type of key that the schema is for; omitted for both. */
  readonly keyType?: KeyType | undefined;
}

/** Converts facts to members of a JSON Schema. */
export function annotations({ description, dependsOn = [], keyType }: Facts): JsonObject {
  return {
    description,
    ...(keyType === undefined ? {} : { "x-key-type": keyType }),
    ...(dependsOn.length > 0 ? { "x-assumptions": [...dependsOn] } : {}),
  };
}

/** The named schemas of a document. Schemas refer to the named schemas inside them. */
export class ComponentSchemas {
  readonly assumptions: Assumptions;
  readonly #named = z.registry<{ readonly id: string }>();
  readonly #byName = new Map<string, z.ZodType>();

  constructor(assumptions: Assumptions) {
    this.assumptions = assumptions;
  }

  /** Names a schema unless the name is taken. Returns the schema of this name. */
  name<Schema extends z.ZodType>(name: string, schema: Schema, facts: Facts): Schema {
    const existing = this.#byName.get(name);
    if (existing) return existing as Schema;
    const annotated = schema.meta(annotations(facts));
    this.#named.add(annotated, { id: name });
    this.#byName.set(name, annotated);
    return annotated;
  }

  /** Returns the named schemas as JSON Schema 2020-12. */
  toJson(): Record<string, JsonObject> {
    const { schemas } = z.toJSONSchema(this.#named, { uri: schemaPath, target: "draft-2020-12" });
    return Object.fromEntries(
      Object.entries(schemas).map(([name, { $schema: _schema, $id: _id, ...schema }]) => [name, schema as JsonObject]),
    );
  }
}

export function schemaPath(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Schemas by the names of placeholders: for values, and for strings that consist of a placeholder. */
interface Fillings {
  readonly values: Readonly<Record<string, z.ZodType>>;
  readonly texts: Readonly<Record<string, z.ZodType>>;
}

/** Returns the schema of a filled template. */
export function templateSchema(template: Template, fillings: Fillings): z.ZodType {
  if (template instanceof Placeholder) return fillings.values[template.name] ?? z.unknown();
  if (typeof template === "string") {
    const [, name = ""] = /^\{(\w+)\}$/.exec(template) ?? [];
    return fillings.texts[name] ?? (hasPlaceholder(template) ? z.string() : z.literal(template));
  }
  if (template === null) return z.null();
  if (typeof template !== "object") return z.literal(template);
  if (isTemplateList(template)) {
    const [first = z.unknown(), ...otherSchemas] = template.map((item) => templateSchema(item, fillings));
    return z.array(otherSchemas.length === 0 ? first : z.union([first, ...otherSchemas])).length(template.length);
  }
  return objectSchema(template, fillings);
}

/** Returns the schema of an object. A member whose name has a placeholder may have any name. */
export function objectSchema(template: Readonly<Record<string, Template>>, fillings: Fillings): z.ZodObject {
  const members = Object.entries(template).map(([name, content]) => [name, templateSchema(content, fillings)] as const);
  const object = z.strictObject(Object.fromEntries(members.filter(([name]) => !hasPlaceholder(name))));
  const [first, ...otherSchemas] = members.filter(([name]) => hasPlaceholder(name)).map(([, schema]) => schema);
  return first ? object.catchall(z.union([first, ...otherSchemas])) : object;
}

function hasPlaceholder(text: string): boolean {
  return /\{\w+\}/.test(text);
}
