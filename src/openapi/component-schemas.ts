import { z } from "zod";
import type { AssumptionId, Assumptions } from "../assumptions/catalogue.ts";
import type { KeyType } from "../model/vocabulary.ts";
import type { JsonObject } from "./openapi-types.ts";

/** Holders of keys that show the same of persons (section 5.5). */
export interface Audience {
  /** Begins the names of the schemas of their documents. */
  readonly name: "Marketing" | "Partner" | "UngrantedPartner";
  readonly keyType: KeyType;
  readonly personalData: boolean;
  readonly phoneNumber: boolean;
  /** The assumptions that decide who belongs to it. */
  readonly restsOn: readonly AssumptionId[];
}

const marketing: Audience = {
  name: "Marketing",
  keyType: "marketing",
  personalData: false,
  phoneNumber: true,
  restsOn: [],
};

const partner: Audience = {
  name: "Partner",
  keyType: "partner",
  personalData: true,
  phoneNumber: false,
  restsOn: ["auth.partner_data"],
};

const ungrantedPartner: Audience = { ...partner, name: "UngrantedPartner", personalData: false };

/** The audiences that there are under these assumptions. */
export function audiencesUnder(assumptions: Assumptions): readonly Audience[] {
  return assumptions["auth.partner_data"] === "on-request"
    ? [marketing, partner, ungrantedPartner]
    : [marketing, partner];
}

/** What a document says of a schema beside its shape. */
interface Facts {
  readonly description: string;
  /** The assumptions that the shape rests on. */
  readonly restsOn?: readonly AssumptionId[];
  /** The type of key that reads it; left out where either does. */
  readonly keyType?: KeyType | undefined;
}

/** Facts as a JSON Schema shows them. */
export function shown({ description, restsOn = [], keyType }: Facts): JsonObject {
  return {
    description,
    ...(keyType === undefined ? {} : { "x-key-type": keyType }),
    ...(restsOn.length > 0 ? { "x-assumptions": [...restsOn] } : {}),
  };
}

/** The schemas of a document that have names. Wherever a named schema is part of another, the other refers to it. */
export class ComponentSchemas {
  readonly assumptions: Assumptions;
  readonly #named = z.registry<{ readonly id: string }>();
  readonly #byName = new Map<string, z.ZodType>();

  constructor(assumptions: Assumptions) {
    this.assumptions = assumptions;
  }

  /** Gives a schema its name, and answers the one to build others from: the first that was given the name. */
  name<Schema extends z.ZodType>(name: string, schema: Schema, facts: Facts): Schema {
    const known = this.#byName.get(name);
    if (known) return known as Schema;
    const described = schema.meta(shown(facts));
    this.#named.add(described, { id: name });
    this.#byName.set(name, described);
    return described;
  }

  /** The named schemas as JSON Schema 2020-12. */
  toJson(): Record<string, JsonObject> {
    const { schemas } = z.toJSONSchema(this.#named, { uri: schemaPath, target: "draft-2020-12" });
    return Object.fromEntries(
      Object.entries(schemas).map(([name, { $schema: _schema, $id: _id, ...schema }]) => [name, schema as JsonObject]),
    );
  }
}

/** Where in the document the schema of this name is. */
export function schemaPath(name: string): string {
  return `#/components/schemas/${name}`;
}
