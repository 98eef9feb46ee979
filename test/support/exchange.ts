import type { KeyType } from "../../src/model/vocabulary.ts";
import type { ResponseObject, Responses } from "../../src/openapi/openapi-types.ts";
import type { ClosedDocument, OtherRequests } from "./closed-document.ts";

/** A response, its request, and the document with both. */
export interface Exchange {
  readonly document: ClosedDocument;
  readonly method: string;
  /** The path below the base address; may have a query. */
  readonly path: string;
  readonly status: number;
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body's text. */
  readonly body: string;
  /** The type of the key; members for other types do not conform. */
  readonly keyType?: KeyType;
}

/** Returns the part of a document about requests like the one in an exchange. */
export function describedRequest({ document, method, path }: Exchange): OtherRequests {
  const pathSegments = path.replace(/\?.*/s, "").split("/");
  const template = Object.keys(document.paths).find((candidate) => {
    const segments = candidate.split("/");
    return (
      segments.length === pathSegments.length &&
      segments.every((segment, index) =>
        segment === "{id}" ? pathSegments[index] !== "" : segment === pathSegments[index],
      )
    );
  });
  const described = template === undefined ? undefined : document.paths[template];
  if (!described) return document["x-other-paths"];
  return method === "GET" || method === "HEAD" ? described.get : document["x-other-methods"];
}

/** Returns the response with a status, wherever the document has it. */
export function describedResponse(
  document: ClosedDocument,
  responses: Responses,
  status: number,
): ResponseObject | undefined {
  const response = responses[status];
  if (!response || !("$ref" in response)) return response;
  return document.components.responses[response.$ref.replace("#/components/responses/", "")];
}
