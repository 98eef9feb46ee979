// Writes the OpenAPI document that a sandbox serves by default: conventional assumptions, examples from the demo fixture.
import { writeFile } from "node:fs/promises";
import { startSandbox } from "../dist/index.js";

const file = new URL("../schema/openapi.json", import.meta.url);
const sandbox = await startSandbox();
const response = await fetch(`${sandbox.url}/openapi.json`);
await writeFile(file, `${JSON.stringify(await response.json(), undefined, 2)}\n`);
await sandbox.close();
