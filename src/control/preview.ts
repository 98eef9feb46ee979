import type { PreviewOrder } from "../control.ts";
import type { Environment } from "../environment/environment.ts";
import { findKey } from "../environment/references.ts";
import { basePath, operations } from "../model/operations.ts";
import type { Key } from "../model/resources.ts";

/** A call to preview. */
export interface PreviewedCall {
  /** From the origin on. */
  readonly url: string;
  readonly key: Key | undefined;
}

/** Paths that begin with these are below the base address; all others are from the origin. */
const belowBase = new Set(operations.map(({ path }) => path.split("/", 2)[1]));

/** Throws Mistake for an unknown key. */
export function previewedCall(environment: Environment, { path, key_id }: PreviewOrder): PreviewedCall {
  const [, first] = path.split(/[/?]/, 2);
  return {
    url: belowBase.has(first) ? basePath + path : path,
    key: key_id === null ? undefined : findKey(environment.keys, key_id),
  };
}
