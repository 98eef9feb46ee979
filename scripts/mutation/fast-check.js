/** Shortens properties: a surviving mutant is tried with a few dozen cases, and a failing case is not made smaller. */
import fc, { assert as assertAll } from "fast-check";

export * from "fast-check";

export const assert = (property, { numRuns = 100, ...parameters } = {}) =>
  assertAll(property, { ...parameters, numRuns: Math.min(numRuns, 25), endOnFailure: true });

export default { ...fc, assert };
