import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalog } from "../../src/assumptions/catalog.ts";
import { errorCatalog } from "../../src/model/error-catalog.ts";
import { shownOfferingStatuses, shownPairs, shownStatuses, shownSteps } from "../../src/model/vocabulary.ts";
import { root } from "../support/packed.ts";
import { pages } from "./pages.ts";

/** The cells of the table rows in a page, without backquotes. */
async function rowsOf(page: string): Promise<string[][]> {
  const text = await readFile(new URL(`../../docs/${page}`, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.slice(1, -1).split(/(?<!\\)\|/))
    .map((cells) => cells.map((cell) => cell.trim().replace(/^`(.*)`$/, "$1")));
}

test("docs/errors.md has every error of the catalog with its status, and nothing else", async () => {
  const documentedStatuses = (await rowsOf("errors.md")).map(([code = "", status]) => [code, Number(status)] as const);
  const catalogStatuses = Object.entries(errorCatalog).map(([code, { status }]) => [code, status] as const);
  expect(Object.fromEntries(documentedStatuses)).toEqual(Object.fromEntries(catalogStatuses));
});

test("docs/specification.md has every section that messages, assumptions and pages cite", async () => {
  const page = await readFile(join(root, "docs/specification.md"), "utf8");
  const describedSections = [...page.matchAll(/^\| ([\d.]+) \|/gm)].map(([, section]) => section);
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const texts = [
    ...pages.map(([, text]) => text),
    ...sources.map((file) => readFileSync(join(root, "src", file), "utf8")),
  ];
  const citedSections = [
    ...texts.flatMap((text) =>
      [...text.matchAll(/(?<!RFC \d+,? )\bsections? ((?:\d(?:\.\d)?\b(?:, | and )?)+)/gi)].map(([, list = ""]) => list),
    ),
    ...catalog.map(({ section }) => section),
  ].flatMap((list) => list.match(/\d(?:\.\d)?/g) ?? []);
  expect(citedSections.length).toBeGreaterThan(catalog.length);
  expect(citedSections.filter((section) => !describedSections.includes(section))).toEqual([]);
});

test("docs/specification.md and docs/scenarios.md list the values that the specification shows", () => {
  const shownValues = [...shownPairs, ...shownStatuses, ...shownSteps, ...shownOfferingStatuses];
  for (const name of ["docs/specification.md", "docs/scenarios.md"]) {
    const text = pages.find(([page]) => page === name)?.[1] ?? "";
    expect(shownValues.filter((value) => !text.includes(`\`${value}\``))).toEqual([]);
  }
});
