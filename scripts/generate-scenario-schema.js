// Writes the JSON Schema of scenario files, for editors.
import { writeFile } from "node:fs/promises";
import { scenarioJsonSchema } from "../build/src/scenario/schema.js";

const file = new URL("../schema/scenario.schema.json", import.meta.url);
await writeFile(file, `${JSON.stringify(scenarioJsonSchema(), undefined, 2)}\n`);
