import { ValidationError } from "../validation/errors.ts";
import { didYouMean, quoted } from "../text/text.ts";

/** The errors possible for one request, in the conventional order. */
const errorRows = [
  { error: "401" },
  { error: "429", needsKey: true },
  { error: "404-path", explanation: "an unknown path" },
  { error: "405" },
  { error: "403", needsKey: true },
  { error: "400", explanation: "or 422" },
  { error: "404", explanation: "an unknown investment", needsKey: true },
] as const satisfies readonly { readonly error: string; readonly explanation?: string; readonly needsKey?: true }[];

export type OrderedError = (typeof errorRows)[number]["error"];

export const conventionalOrder: readonly OrderedError[] = errorRows.map(({ error }) => error);

/** Formats errors with their explanations: `401, 404-path (an unknown path)`. */
export function formatOrder(errors: readonly string[]): string {
  const formattedErrors = errors.map((name) => {
    const row = errorRows.find(({ error }) => error === name);
    return row && "explanation" in row ? `${name} (${row.explanation})` : name;
  });
  return formattedErrors.join(", ");
}

/** Errors possible only with a valid key. */
const errorsWithKey: readonly OrderedError[] = errorRows.filter((row) => "needsKey" in row).map(({ error }) => error);

/**
 * Returns an order of all errors in which the first error of each pair precedes the second. An error without a pair
 * follows its predecessor in the conventional order, and an error that needs a valid key follows the 401. If the pairs
 * form a cycle, the first remaining error comes next.
 */
export function orderFromPairs(
  pairs: readonly { readonly first: OrderedError; readonly second: OrderedError }[],
): readonly OrderedError[] {
  const remaining = [...conventionalOrder];
  const isNext = (error: OrderedError): boolean => {
    const isPaired = pairs.some(({ first, second }) => error === first || error === second);
    const previous = isPaired ? undefined : conventionalOrder[conventionalOrder.indexOf(error) - 1];
    if (previous !== undefined && remaining.includes(previous)) return false;
    if (errorsWithKey.includes(error) && remaining.includes("401")) return false;
    return pairs.every(({ first, second }) => second !== error || !remaining.includes(first));
  };
  const order: OrderedError[] = [];
  while (remaining.length > 0) order.push(...remaining.splice(Math.max(0, remaining.findIndex(isNext)), 1));
  return order;
}

/** The latest value with its order, because almost every request needs the order of the same value. */
let latestOrder = { value: "conventional", order: conventionalOrder };

/** Returns the order for a value of `precedence`; an omitted error follows its conventional predecessor. */
export function orderOfErrors(value: string): readonly OrderedError[] {
  if (value === latestOrder.value) return latestOrder.order;
  const errors = value === "conventional" ? [] : (value.split(",") as OrderedError[]);
  const pairs = errors.slice(1).map((second, index) => ({ first: errors[index] ?? second, second }));
  latestOrder = { value, order: orderFromPairs(pairs) };
  return latestOrder.order;
}

/** Reads an order of errors; undefined for a string without a comma. Throws ValidationError if it is impossible. */
export function readOrder(text: string): string | undefined {
  if (!text.includes(",")) return undefined;
  const errors = text.split(",").map((error) => error.trim());
  const names: readonly string[] = conventionalOrder;
  const expected = `expected some or all of ${names.join(", ")}, each once.`;
  const unknownName = errors.find((error) => !names.includes(error));
  if (unknownName !== undefined)
    throw new ValidationError(
      `${quoted(unknownName)} is not one of the errors, ${expected}${didYouMean(unknownName, names)}`,
    );
  const repeatedError = errors.find((error, index) => errors.indexOf(error) < index);
  if (repeatedError !== undefined) throw new ValidationError(`${repeatedError} is in it twice, ${expected}`);
  const earlyErrors = errorsWithKey.filter((error) => errors.slice(0, errors.indexOf("401")).includes(error));
  if (errors.includes("401") && earlyErrors.length > 0)
    throw new ValidationError(`expected 401 before ${errorsWithKey.join(", ")}, which need a valid key.`);
  const order = errors.join(",");
  return orderOfErrors(order).join() === conventionalOrder.join() ? "conventional" : order;
}
