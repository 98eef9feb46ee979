import type { Assumptions } from "../assumptions/catalog.ts";
import type { OperationId } from "../model/operations.ts";

/*
 * The part of OpenAPI 3.1 that the service's document uses: narrower than the types of any package, and few parts are
 * optional.
 */

/** The settings behind the service's responses. */
export interface ServiceSettings {
  readonly assumptions: Assumptions;
  /** Requests per minute and key; 0 is off. */
  readonly rateLimit: number;
}

type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export type JsonObject = { readonly [member: string]: Json };

export type Ref = { readonly $ref: string };

type ByName<Value> = Readonly<Record<string, Value>>;

export interface ParameterObject {
  readonly name: string;
  readonly in: "path" | "query";
  readonly description: string;
  readonly required?: true;
  readonly schema: JsonObject;
  readonly example?: string | number;
  readonly "x-assumptions"?: readonly string[];
}

export interface HeaderObject {
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonObject;
  readonly "x-assumptions"?: readonly string[];
}

export interface MediaTypeObject {
  readonly schema: Ref | { readonly anyOf: readonly Ref[] };
  readonly examples?: ByName<{ readonly summary: string; readonly value: unknown }>;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers: ByName<Ref>;
  /** Omitted if the body is empty. */
  readonly content?: ByName<MediaTypeObject>;
  readonly "x-assumptions"?: readonly string[];
}

/** Responses by status. */
export type Responses = ByName<ResponseObject | Ref>;

interface OperationObject {
  readonly operationId: OperationId;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly ParameterObject[];
  readonly responses: Responses;
  /** Every assumption behind one of the responses. */
  readonly "x-assumptions": readonly string[];
}

export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: object;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly object[];
  /** Operations by path; `{id}` stands for a UUID. */
  readonly paths: ByName<{ readonly get: OperationObject }>;
  readonly components: {
    readonly securitySchemes: ByName<JsonObject>;
    readonly headers: ByName<HeaderObject>;
    readonly responses: ByName<ResponseObject>;
    readonly schemas: ByName<JsonObject>;
  };
  readonly "x-assumptions": Assumptions;
}
