import type { PreviewOrder } from "../control.ts";
import type { Environment } from "../environment/environment.ts";
import { findKey } from "../environment/references.ts";
import { Mistake } from "../model/mistakes.ts";
import { basePath, operations } from "../model/operations.ts";
import type { Key } from "../model/resources.ts";
import { inWords } from "../model/text.ts";

/** A call to preview. */
export interface PreviewedCall {
  /** From the origin on. */
  readonly url: string;
  readonly key: Key | undefined;
}

/** Nobody can send others: a fragment stays with the client, and a request line is ASCII without spaces. */
export const previewedPath = { pattern: '^/[!"$-~]*$', maxLength: 8000 };

const [isPath, mostCharacters] = [new RegExp(previewedPath.pattern), previewedPath.maxLength];

/** Paths that begin with these are below the base address; all others are from the origin. */
const belowBase = new Set(operations.map(({ path }) => path.split("/", 2)[1]));

/** Checks an order of a preview. Throws Mistake. */
export function previewedCall(environment: Environment, order: PreviewOrder): PreviewedCall {
  const { path, key_id } = order;
  if (path.length > mostCharacters)
    throw new Mistake(`path has ${path.length} characters; expected ${mostCharacters} at most.`);
  if (!isPath.test(path)) {
    const expected =
      'a path and a query, from the origin or below the base address, such as "/investments/<id>?page=1"';
    throw new Mistake(`path is ${inWords(path)}; expected ${expected}, in ASCII without spaces or "#".`);
  }
  const [, first] = path.split(/[/?]/, 2);
  return {
    url: belowBase.has(first) ? basePath + path : path,
    key: key_id === null ? undefined : findKey(environment.keys, key_id),
  };
}
