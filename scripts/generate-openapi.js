// Writes the OpenAPI documents: of the admin API, as it ships and is served, and of the service, with conventional assumptions
// and examples from the demo fixture.
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { assume } from "../build/src/assumptions/assume.js";
import { describeService } from "../build/src/server/service-description.js";

const write = (file, document) =>
  writeFile(new URL(`../schema/${file}`, import.meta.url), `${JSON.stringify(document, undefined, 2)}\n`);

// Vite runs TypeScript on every version of Node that the package supports.
const { module } = await runnerImport(fileURLToPath(new URL("admin-openapi/document.ts", import.meta.url)));
await write("openapi-admin.json", module.adminOpenApiDocument());

const terms = { assumptions: assume("conventional"), rateLimit: 120 };
await write("openapi.json", await describeService(terms, "http://localhost:4120"));
