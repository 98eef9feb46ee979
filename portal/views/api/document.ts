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

/** The operations of the service's document, with references to shared responses resolved. */
export function operationsOf({ paths, components }: OpenApiDocument): readonly Operation[] {
  function described(status: string, response: ResponseObject | Ref): ResponseDescription {
    const name = "$ref" in response ? (response.$ref.split("/").at(-1) ?? "") : "";
    const whole = "$ref" in response ? components.responses[name] : response;
    const examples = Object.values(whole?.content ?? {}).flatMap((content) => Object.entries(content.examples ?? {}));
    return {
      status,
      description: whole?.description ?? "",
      headers: Object.keys(whole?.headers ?? {}),
      examples: examples.map(([code, { summary, value }]) => ({ name: code, title: summary, value })),
    };
  }
  return Object.entries(paths).map(([path, { get }]) => ({
    ...get,
    id: get.operationId,
    path,
    responses: Object.entries(get.responses).map(([status, response]) => described(status, response)),
    assumptions: get["x-assumptions"],
  }));
}
