// Writes the published types of values checked by zod. It runs before the build, which needs them.
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const { module } = await runnerImport(fileURLToPath(new URL("published-types.ts", import.meta.url)));
await writeFile(new URL("../src/model/shapes.ts", import.meta.url), module.publishedTypes());
