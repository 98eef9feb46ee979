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

/** The first segments of paths below the base address; all other paths are from the origin. */
const servicePaths = new Set(operations.map(({ path }) => path.split("/", 2)[1]));

/** Throws Mistake for an unknown key. */
export function previewedCall(environment: Environment, { path, key_id }: PreviewOrder): PreviewedCall {
  const [, first] = path.split(/[/?]/, 2);
  return {
    url: servicePaths.has(first) ? basePath + path : path,
    key: key_id === null ? undefined : findKey(environment.keys, key_id),
  };
}
