import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { keyTypes } from "../../src/model/vocabulary.ts";
import type { OpenApiDocument, ResponseObject } from "../../src/openapi/openapi-types.ts";
import { bodyDeviations } from "../support/body-deviations.ts";

const file = new URL("../../schema/openapi.json", import.meta.url);
const document = JSON.parse(await readFile(file, "utf8")) as OpenApiDocument;

test("the file in schema/ is the document that a sandbox serves by default", async () => {
  await using sandbox = await startSandbox();
  const response = await fetch(`${sandbox.url}/openapi.json`);
  expect(document, "run `npm run generate`").toEqual(await response.json());
});

test.each(Object.entries(document.paths))("the examples of %s are what their schemas say", (path, { get }) => {
  const response = get.responses["200"] as ResponseObject;
  const [media] = Object.values(response.content ?? {});
  const { either, ...byType } = media?.examples ?? {};
  for (const keyType of keyTypes) {
    const body = JSON.stringify((byType[keyType] ?? either)?.value);
    const headers = { "content-type": document["x-assumptions"].content_type };
    const exchange = { document, method: "GET", path, status: 200, headers, body, keyType };
    expect(bodyDeviations(exchange, response)).toEqual([]);
  }
});
