// Writes the OpenAPI documents that a sandbox serves by default: conventional assumptions, examples from the demo fixture.
import { writeFile } from "node:fs/promises";
import { startSandbox } from "../build/index.js";

const documents = { "openapi.json": "/openapi.json", "openapi-admin.json": "/__admin/openapi.json" };

const sandbox = await startSandbox();
for (const [file, path] of Object.entries(documents)) {
  const response = await fetch(sandbox.url + path);
  const text = `${JSON.stringify(await response.json(), undefined, 2)}\n`;
  await writeFile(new URL(`../schema/${file}`, import.meta.url), text);
}
await sandbox.close();
