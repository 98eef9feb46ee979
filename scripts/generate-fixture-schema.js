// Writes the JSON Schema of fixture files.
import { writeFile } from "node:fs/promises";
import { fixtureJsonSchema } from "../build/src/fixture/schema.js";

const file = new URL("../schema/fixture.schema.json", import.meta.url);
await writeFile(file, `${JSON.stringify(fixtureJsonSchema(), undefined, 2)}\n`);
