import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { keyTypes } from "../../src/model/vocabulary.ts";
import type { MediaTypeObject, OpenApiDocument, ResponseObject } from "../../src/openapi/openapi-types.ts";
import { valueDeviations } from "../support/body-deviations.ts";
import { closedDocument, send } from "../support/sandbox.ts";

const file = new URL("../../schema/openapi.json", import.meta.url);
const document = JSON.parse(await readFile(file, "utf8")) as OpenApiDocument;

/** Requests the document from a sandbox with the demo. */
async function ask(headers: Record<string, string>, method = "GET") {
  await using sandbox = await startSandbox();
  return await send(sandbox.url, "/openapi.json", { method, key: null, headers });
}

test("the file in schema/ is the document of a sandbox with default options, readable from any origin", async () => {
  const headers = { host: "localhost:4120", origin: "https://editor.example" };
  const response = await ask(headers);
  expect(document, "run `npm run generate`").toEqual(response.json);
  const preflight = await ask({ ...headers, "access-control-request-method": "GET" }, "OPTIONS");
  expect(preflight.status).toBe(204);
  for (const { headers: carried } of [response, preflight]) {
    expect(carried["access-control-allow-origin"]).toBe("*");
    expect(carried).not.toHaveProperty("access-control-allow-credentials");
  }
});

test.each([
  [{ host: "app.localhost:9" }, "http://app.localhost:9/api/v1"],
  [{ host: "[::1]:80" }, "http://[::1]/api/v1"],
  [{ host: "localhost", "x-forwarded-proto": "https" }, "https://localhost/api/v1"],
  [{ host: "localhost", "x-forwarded-proto": "HTTPS" }, "https://localhost/api/v1"],
  [{ host: "localhost", "x-forwarded-proto": "https, http" }, "https://localhost/api/v1"],
  [{ host: "localhost", "x-forwarded-proto": "http, https" }, "http://localhost/api/v1"],
])("requested at %j, the document has the address %s", async (headers, url) => {
  expect((await ask(headers)).json.servers).toEqual([{ url, description: "Sandbox" }]);
});

test("the document has everything that linters and importers need", () => {
  expect(document).toMatchObject({ info: { license: { identifier: "MIT" }, contact: {} } });
  const declared = document.tags.map(({ name }) => name);
  for (const { get } of Object.values(document.paths)) {
    expect(declared).toEqual(expect.arrayContaining([...get.tags]));
    expect(get.description).toMatch(/\w{3}.*\.$/s);
  }
  for (const { description } of document.tags) expect(description).toMatch(/\.$/);
});

test("requests built only from the examples get data", async () => {
  await using sandbox = await startSandbox();
  for (const [path, { get }] of Object.entries(document.paths)) {
    const query = new URLSearchParams();
    let target = path;
    for (const { name, in: place, example } of get.parameters) {
      if (place === "path") target = target.replace(`{${name}}`, String(example));
      else query.set(name, String(example));
    }
    const headers = { authorization: `Bearer ${sandbox.keys.partner}` };
    const response = await fetch(`${sandbox.baseUrl}${target}?${query.toString()}`, { headers });
    expect(response.status, target).toBe(200);
    const { data, included = data } = (await response.json()) as { data: object; included?: object };
    expect([data].flat()).not.toEqual([]);
    expect([included].flat()).not.toEqual([]);
  }
});

test("every body has examples, which conform to the public and the closed document", () => {
  const closed = closedDocument({ rateLimit: 120 });
  const ofOperations = Object.values(document.paths).map(({ get }) => get.responses["200"] as ResponseObject);
  for (const { description, content = {} } of [...ofOperations, ...Object.values(document.components.responses)]) {
    for (const { schema, examples } of Object.values<MediaTypeObject>(content)) {
      expect(examples, description).toBeDefined();
      for (const [name, { value }] of Object.entries(examples ?? {})) {
        const keyType = keyTypes.find((type) => type === name);
        for (const each of [document, closed]) expect(valueDeviations(each, schema, value, keyType)).toEqual([]);
      }
    }
  }
});
