import { ValidationError } from "../validation/errors.ts";
import { didYouMean, quoted } from "../text/text.ts";

/** The errors possible for one request, in the conventional order. */
const conventional = [
  { error: "401" },
  { error: "429", needsKey: true },
  { error: "404-path", words: "an unknown path" },
  { error: "405" },
  { error: "403", needsKey: true },
  { error: "400", words: "or 422" },
  { error: "404", words: "an unknown investment", needsKey: true },
] as const satisfies readonly { readonly error: string; readonly words?: string; readonly needsKey?: true }[];

export type OrderedError = (typeof conventional)[number]["error"];

export const conventionalOrder: readonly OrderedError[] = conventional.map(({ error }) => error);

/** `401, 404-path (an unknown path)` */
export function formatOrder(errors: readonly string[]): string {
  const words = new Map<string, string>(
    conventional.flatMap((row) => ("words" in row ? [[row.error, row.words]] : [])),
  );
  return errors.map((error) => (words.has(error) ? `${error} (${words.get(error)})` : error)).join(", ");
}

/** Errors possible only with a valid key. */
const withKey: readonly OrderedError[] = conventional.filter((row) => "needsKey" in row).map(({ error }) => error);

/**
 * Returns the order of all errors that has these pairs. An error without a pair comes after the one before it in the
 * conventional order, and one that needs a valid key after the 401. If the pairs form a circle, the first error that is
 * left comes next.
 */
export function orderWith(
  pairs: readonly { readonly first: OrderedError; readonly second: OrderedError }[],
): readonly OrderedError[] {
  const left = [...conventionalOrder];
  const isNext = (error: OrderedError): boolean => {
    const isPaired = pairs.some(({ first, second }) => error === first || error === second);
    const before = isPaired ? undefined : conventionalOrder[conventionalOrder.indexOf(error) - 1];
    if (before !== undefined && left.includes(before)) return false;
    if (withKey.includes(error) && left.includes("401")) return false;
    return pairs.every(({ first, second }) => second !== error || !left.includes(first));
  };
  const order: OrderedError[] = [];
  while (left.length > 0) order.push(...left.splice(Math.max(0, left.findIndex(isNext)), 1));
  return order;
}

/** The order of the value asked for last: each request asks for one, mostly the same. */
let latest = { value: "conventional", order: conventionalOrder };

/** Returns the order in a value of the assumption `precedence`: errors that it omits stay next to their neighbor. */
export function orderOfErrors(value: string): readonly OrderedError[] {
  if (value === latest.value) return latest.order;
  const errors = value === "conventional" ? [] : (value.split(",") as OrderedError[]);
  const pairs = errors.slice(1).map((second, index) => ({ first: errors[index] ?? second, second }));
  latest = { value, order: orderWith(pairs) };
  return latest.order;
}

/**
 * Reads some or all errors in their order; undefined for any other text. Throws ValidationError for an impossible
 * order.
 */
export function readOrder(text: string): string | undefined {
  if (!text.includes(",")) return undefined;
  const errors = text.split(",").map((error) => error.trim());
  const names: readonly string[] = conventionalOrder;
  const expected = `expected some or all of ${names.join(", ")}, each once.`;
  const unknown = errors.find((error) => !names.includes(error));
  if (unknown !== undefined)
    throw new ValidationError(`${quoted(unknown)} is not one of the errors, ${expected}${didYouMean(unknown, names)}`);
  const twice = errors.find((error, index) => errors.indexOf(error) < index);
  if (twice !== undefined) throw new ValidationError(`${twice} is in it twice, ${expected}`);
  const early = withKey.filter((error) => errors.slice(0, errors.indexOf("401")).includes(error));
  if (errors.includes("401") && early.length > 0) {
    throw new ValidationError(`expected 401 before ${withKey.join(", ")}, which need a valid key.`);
  }
  const order = errors.join(",");
  return orderOfErrors(order).join() === conventionalOrder.join() ? "conventional" : order;
}
