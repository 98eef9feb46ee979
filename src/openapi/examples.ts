import { isDeepStrictEqual } from "node:util";
import { keyTypes, type KeyType } from "../model/key-type.ts";
import type { Operation, OperationId } from "../model/operations.ts";
import type { MediaTypeObject } from "./openapi-types.ts";

/** Documents to show as examples: really served bodies, by operation and by the type of key that read them. */
export type Examples = { readonly [Id in OperationId]?: { readonly [Type in KeyType]?: unknown } };

/** The examples of an operation as a media type shows them; one where both types of key read the same. */
export function shownExamples({ id }: Operation, examples: Examples): Pick<MediaTypeObject, "examples"> {
  const documents = examples[id] ?? {};
  const given = keyTypes.filter((type) => documents[type] !== undefined);
  if (given.length === 0) return {};
  if (given.length > 1 && isDeepStrictEqual(documents.marketing, documents.partner)) {
    return { examples: { either: { summary: "As a key of either type reads it", value: documents.partner } } };
  }
  const shown = given.map((type) => [type, { summary: summaries[type], value: documents[type] }]);
  return { examples: Object.fromEntries(shown) };
}

const summaries = {
  marketing: "As a Marketing API key reads it",
  partner: "As a Partner API key reads it",
} as const satisfies Record<KeyType, string>;

/** The id in the path that the examples were read with. */
export function exampleId({ subject }: Operation, examples: Examples): string | undefined {
  const source = subject === "offering" ? examples.getOffering : examples.getInvestment;
  const document = (source?.partner ?? source?.marketing) as { readonly data: { readonly id: string } } | undefined;
  return document?.data.id;
}
