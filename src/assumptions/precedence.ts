import { Mistake } from "../model/mistakes.ts";
import { didYouMean, quoted } from "../model/text.ts";

/**
 * The errors possible for one request, in the conventional order: `404-path` is for an unknown path, `404` for an
 * unknown investment.
 */
const conventional = ["401", "429", "404-path", "405", "403", "400", "404"] as const;

export type OrderedError = (typeof conventional)[number];

/** Errors possible only with a valid key. */
const withKey: readonly OrderedError[] = ["429", "403", "404"];

/** Returns the order in a value of the assumption `precedence`. */
export function orderOfErrors(precedence: string): readonly OrderedError[] {
  return precedence === "conventional" ? conventional : (precedence.split(",") as OrderedError[]);
}

/** Reads an order of errors; undefined for any other text. Throws Mistake for an impossible order. */
export function readOrder(text: string): string | undefined {
  if (!text.includes(",")) return undefined;
  const errors = text.split(",").map((error) => error.trim());
  const expected = `expected each of ${conventional.join(", ")} once.`;
  const names: readonly string[] = conventional;
  const unknown = errors.find((error) => !names.includes(error));
  if (unknown !== undefined)
    throw new Mistake(`${quoted(unknown)} is none of its errors, ${expected}${didYouMean(unknown, names)}`);
  const missing = conventional.find((error) => !errors.includes(error));
  if (missing !== undefined) throw new Mistake(`${missing} is missing, ${expected}`);
  if (errors.length > conventional.length) throw new Mistake(`an error is in it twice, ${expected}`);
  if (withKey.some((error) => errors.indexOf(error) < errors.indexOf("401"))) {
    throw new Mistake(`expected 401 before ${withKey.join(", ")}, which need a valid key.`);
  }
  const order = errors.join(",");
  return order === conventional.join(",") ? "conventional" : order;
}
