import { operations, type OperationId } from "../model/operations.ts";
import { errorsOf } from "./errors/occurring.ts";
import { exampleId, type Examples } from "./examples.ts";
import type { Components, OperationObject, Paths } from "./openapi-types.ts";
import { pathParameter, queryParameters } from "./parameters.ts";
import { errorRefs, okResponse } from "./responses.ts";
import { restsOn } from "./rests-on.ts";
import type { Terms } from "./terms.ts";

/** What paths are written from, beside the terms. */
export interface PathSources {
  readonly components: Components;
  /** The names of the schemas that the documents of an operation have. */
  readonly documents: Readonly<Record<OperationId, readonly string[]>>;
  readonly examples: Examples;
}

/** The paths of section 4, each with its one operation. */
export function paths(terms: Terms, { components, documents, examples }: PathSources): Paths {
  return Object.fromEntries(
    operations.map((operation) => {
      const parameters = [
        pathParameter(operation, exampleId(operation, examples)),
        ...queryParameters(operation, terms.assumptions),
      ];
      const ok = okResponse(operation, documents[operation.id], terms, examples);
      const responses = { "200": ok, ...errorRefs(errorsOf(operation, terms)) };
      const get: OperationObject = {
        operationId: operation.id,
        summary: operation.summary,
        parameters,
        responses,
        "x-assumptions": restsOn([parameters, responses], components),
      };
      return [operation.path.replace(":id", "{id}"), { get }];
    }),
  );
}
