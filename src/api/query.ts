/** The parameters of a request, decoded, in the order in which they were sent. */
export type Query = readonly (readonly [name: string, value: string])[];

/** A request's target, taken apart. */
export interface Target {
  readonly path: string;
  /** Undefined where there is no `?`. */
  readonly query: Query | undefined;
}

/** Takes the target of a request apart. */
export function parseTarget(url: string): Target {
  const at = url.indexOf("?");
  if (at === -1) return { path: url, query: undefined };
  return { path: url.slice(0, at), query: [...new URLSearchParams(url.slice(at + 1))] };
}
