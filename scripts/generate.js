// Writes the checked-in generated files, or those in its arguments, because the build first needs
// `src/model/shapes.ts`. Vite runs TypeScript on every supported version of Node.
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const { module } = await runnerImport(fileURLToPath(new URL("generated.ts", import.meta.url)));
for (const [file, text] of Object.entries(module.generated)) {
  if (process.argv.length > 2 && !process.argv.includes(file)) continue;
  await writeFile(new URL(`../${file}`, import.meta.url), await text());
}
