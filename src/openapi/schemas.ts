import { z } from "zod";
import type { AssumptionId, Assumptions } from "../assumptions/catalogue.ts";
import type { KeyType } from "../model/vocabulary.ts";
import type { JsonObject } from "./openapi-types.ts";

/** A group of keys with the same access to personal data (section 5.5). */
export interface Audience {
  /** The prefix for the names of its documents' schemas. */
  readonly name: "Marketing" | "Partner" | "UngrantedPartner";
  readonly keyType: KeyType;
  readonly personalData: boolean;
  readonly phoneNumber: boolean;
  /** The assumptions that decide which keys are in the group. */
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

export function audiencesUnder(assumptions: Assumptions): readonly Audience[] {
  return assumptions["auth.partner_data"] === "on-request"
    ? [marketing, partner, ungrantedPartner]
    : [marketing, partner];
}

/** The annotations of a schema. */
interface Facts {
  readonly description: string;
  /** The assumptions behind the shape. */
  readonly restsOn?: readonly AssumptionId[];
  /** The type of key that the schema is for; left out for both. */
  readonly keyType?: KeyType | undefined;
}

/** Returns facts as members of a JSON Schema. */
export function annotations({ description, restsOn = [], keyType }: Facts): JsonObject {
  return {
    description,
    ...(keyType === undefined ? {} : { "x-key-type": keyType }),
    ...(restsOn.length > 0 ? { "x-assumptions": [...restsOn] } : {}),
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

  /** Names a schema, and returns the first one with this name, so that others can extend it. */
  name<Schema extends z.ZodType>(name: string, schema: Schema, facts: Facts): Schema {
    const earlier = this.#byName.get(name);
    if (earlier) return earlier as Schema;
    const described = schema.meta(annotations(facts));
    this.#named.add(described, { id: name });
    this.#byName.set(name, described);
    return described;
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
