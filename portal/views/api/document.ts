import type { OpenApiDocument, ParameterObject, Ref, ResponseObject } from "../../../src/openapi/openapi-types.ts";

interface Example {
  /** The name in the document; for an error, its code. */
  readonly name: string;
  readonly title: string;
  readonly value: unknown;
}

export interface ResponseDescription {
  readonly status: string;
  readonly description: string;
  readonly headers: readonly string[];
  readonly examples: readonly Example[];
}

export interface Operation {
  readonly id: string;
  /** The path below the base address: `/offerings/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly ParameterObject[];
  readonly responses: readonly ResponseDescription[];
  readonly assumptions: readonly string[];
}

/** Returns the operations of the service's document, with references to shared responses resolved. */
export function operationsOf({ paths, components }: OpenApiDocument): readonly Operation[] {
  function describe(status: string, response: ResponseObject | Ref): ResponseDescription {
    const name = "$ref" in response ? (response.$ref.split("/").at(-1) ?? "") : "";
    const resolved = "$ref" in response ? components.responses[name] : response;
    const examples = Object.values(resolved?.content ?? {}).flatMap((content) =>
      Object.entries(content.examples ?? {}),
    );
    return {
      status,
      description: resolved?.description ?? "",
      headers: Object.keys(resolved?.headers ?? {}),
      examples: examples.map(([code, { summary, value }]) => ({ name: code, title: summary, value })),
    };
  }
  return Object.entries(paths).map(([path, { get }]) => ({
    ...get,
    id: get.operationId,
    path,
    responses: Object.entries(get.responses).map(([status, response]) => describe(status, response)),
    assumptions: get["x-assumptions"],
  }));
}
