import { readFile } from "node:fs/promises";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { bodies } from "../../src/control/bodies.ts";
import { adminOperations } from "../../src/control/operations.ts";
import type { AdminOpenApiDocument } from "../../scripts/admin-openapi/document.ts";
import { danglingRefs, unusedComponents } from "../support/components.ts";
import { openAdmin } from "./admin.ts";

const file = new URL("../../schema/openapi-admin.json", import.meta.url);
const document = JSON.parse(await readFile(file, "utf8")) as AdminOpenApiDocument;

test("the document is valid, all its references resolve, and each of its components is used", async () => {
  const { errors } = await new Validator().validate(structuredClone(document) as object as Record<string, unknown>);
  expect(errors).toBeUndefined();
  expect(danglingRefs(document)).toEqual([]);
  expect(unusedComponents(document)).toEqual([]);
});

test("a sandbox serves the document", async () => {
  const { admin } = await openAdmin();
  const { json } = await admin("GET /openapi.json", undefined, { headers: { host: "localhost:4120" } });
  expect(json).toEqual(document);
});

test("the document has everything linters and generators need, and only request bodies are closed", () => {
  const { info, servers, tags, paths, components } = document;
  expect(info).toMatchObject({ license: { identifier: "MIT" }, contact: {} });
  expect(servers).toEqual([{ url: "http://localhost:4120/__admin", description: "Sandbox" }]);
  const declared = tags.filter(({ description }) => description !== "").map(({ name }) => name);
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods)) as Record<string, unknown>[];
  for (const { tags: operationTags, description } of operations) {
    expect(declared).toEqual(expect.arrayContaining(operationTags as string[]));
    expect(description).toMatch(/^Acts on .*\.$/);
  }
  const closedSchemas = Object.entries(components.schemas).filter(([, schema]) =>
    JSON.stringify(schema).includes('"additionalProperties":false'),
  );
  expect(closedSchemas.map(([name]) => name).filter((name) => !Object.hasOwn(bodies, name))).toEqual([]);
  // Orval would generate a constant from such a schema, which does not compile.
  expect(JSON.stringify(components.schemas["Snapshot"])).not.toContain('"const"');
  for (const [, list = ""] of JSON.stringify(components.schemas).matchAll(/"enum":(\[[^\]]*\])/g)) {
    const values = (JSON.parse(list) as unknown[]).map(String);
    expect(values).toEqual([...new Set(values)]);
  }
});

test("docs/admin-api.md lists every call with its parameters, and no other", async () => {
  const page = await readFile(new URL("../../docs/admin-api.md", import.meta.url), "utf8");
  const documentedCalls = [...page.matchAll(/^\| `([A-Z]+) ([^`]+)` \|/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  const calls = Object.values(adminOperations).map(
    ({ method, path }) => `${method} ${path.replace("/environments/{environment}/", "…/")}`,
  );
  expect(documentedCalls.toSorted()).toEqual(calls.toSorted());

  const rows = new Map(
    documentedCalls.map((call) => [call, page.split("\n").find((row) => row.startsWith(`| \`${call}\``))]),
  );
  const undocumentedParameters = Object.values(adminOperations).flatMap((operation, index) => {
    const row = rows.get(calls[index] ?? "") ?? "";
    // The parameters of the journal are listed below the table.
    const text = row.includes("| query `") ? row : page;
    const names = Object.keys("query" in operation ? operation.query : {});
    return names.filter((name) => !text.includes(`\`${name}\``)).map((name) => `${calls[index]}: ${name}`);
  });
  expect(undocumentedParameters).toEqual([]);
});
