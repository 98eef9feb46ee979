import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { catalogue } from "../../src/assumptions/catalogue.ts";
import { errorCatalogue } from "../../src/errors/http-error.ts";

/** The cells of the table rows in a page, without backquotes. */
async function rowsOf(page: string): Promise<string[][]> {
  const text = await readFile(new URL(`../../docs/${page}`, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.slice(1, -1).split(/(?<!\\)\|/))
    .map((cells) => cells.map((cell) => cell.trim().replace(/^`(.*)`$/, "$1")));
}

test("docs/assumptions.md has every row of the catalogue, every value of each, and nothing else", async () => {
  const documented = (await rowsOf("assumptions.md")).map(
    ([id, question, section, conventional, minimal, values = ""]) => {
      const documentedValues = [...values.matchAll(/`([^`]*)`: /g)].map((match) => match[1]);
      return { id, question, section, conventional, minimal, values: documentedValues };
    },
  );
  expect(documented).toEqual(
    catalogue.map((row) => ({
      id: row.id,
      question: row.question,
      section: row.section,
      conventional: String(row.conventional),
      minimal: String(row.minimal),
      values: Object.keys(row.values),
    })),
  );
});

test("docs/errors.md has every error of the catalogue with its status, and nothing else", async () => {
  const documented = (await rowsOf("errors.md")).map(([code = "", status]) => [code, Number(status)] as const);
  const catalogued = Object.entries(errorCatalogue).map(([code, { status }]) => [code, status] as const);
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(catalogued));
});
