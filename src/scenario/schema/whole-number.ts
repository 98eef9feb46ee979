import { z } from "zod";

/** A whole number of a range, which is said in words where it is expected. */
export function wholeNumber(from: number, to: number): z.ZodInt {
  const error = `a whole number from ${from} to ${to}`;
  return z.int({ error }).min(from, { error }).max(to, { error });
}
