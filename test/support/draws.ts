/** How many cases a property tries: so many in the fast tests, four times as many in the slow ones (see vitest.config.ts). */
export function draws(cases: number): number {
  return cases * Number(process.env["DRAWS"] ?? 1);
}
