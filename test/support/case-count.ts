/**
 * Returns how many cases a property tries: `cases` in the fast tests, four times as many in the slow ones (see
 * vitest.config.ts).
 */
export function caseCount(fastCount: number): number {
  return fastCount * Number(process.env["CASE_FACTOR"] ?? 1);
}
