import { readFile, readdir } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { editorSchema } from "../../src/files/editor-schema.ts";
import { writtenScenario } from "../../src/scenario/schema.ts";
import { parseScenario } from "../../src/scenario/parse.ts";

const folder = new URL("../../scenarios/", import.meta.url);
const files = (await readdir(folder)).filter((file) => file.endsWith(".yaml")).toSorted();

/** Warnings that are the purpose of a scenario. */
const oddities: Readonly<Record<string, readonly string[]>> = {
  "offering-winds-down.yaml": [
    'steps[5].offering.status is "CLOSED", which the specification does not show; it shows ACTIVE.',
  ],
};

async function textOf(file: string): Promise<string> {
  return readFile(new URL(file, folder), "utf8");
}

test.for(files)("%s has no errors, a long description, and no unexpected warning", async (file) => {
  const { scenario, warnings } = parseScenario(await textOf(file), file);
  expect(warnings.map(({ message }) => message)).toEqual(oddities[file] ?? []);
  expect(scenario.description.length).toBeGreaterThan(80);
  expect(JSON.parse(JSON.stringify(scenario))).toEqual(scenario);
});

test("the schema admits every shipped scenario, and refuses errors", async () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const valid = ajv.compile(editorSchema(writtenScenario));
  for (const file of files) {
    expect(valid(parse(await textOf(file))), file).toBe(true);
  }
  for (const wrong of [{}, { steps: [] }, { steps: [{ evnt: "A B" }] }, { steps: [{ event: "A B", next: false }] }]) {
    expect(valid(wrong)).toBe(false);
  }
});

test("the schema for editors offers known events and statuses, words durations, and titles every member", () => {
  const { properties, $defs } = editorSchema(writtenScenario) as Record<
    string,
    Record<string, Record<string, unknown>>
  >;
  const text = JSON.stringify(properties);
  expect(text).toContain('"examples":["REGISTRATION COMPLETED",');
  expect(text).toContain('"examples":["PENDING","CLOSED"]');
  const titles = Object.values($defs ?? {}).map(({ title }) => title);
  expect(new Set(titles)).toEqual(new Set(["Duration", "Duration or span", "Instant"]));
  expect($defs?.["duration"]?.["patternErrorMessage"]).toMatch(/^Expected a duration such as 90s, /);
  expect(Object.values(properties ?? {}).map(({ title }) => title)).not.toContain(undefined);
});
