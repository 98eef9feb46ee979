/**
 * Returns how many cases a property tries: `cases` in the fast tests, four times as many in the slow ones (see
 * vitest.config.ts).
 */
export function draws(cases: number): number {
  return cases * Number(process.env["DRAWS"] ?? 1);
}
