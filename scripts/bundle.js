// Puts the compiled modules of build/ into a few files of dist/, which ship: a start loads a handful of files, not hundreds.
import { readdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const folder = (name) => fileURLToPath(new URL(`../${name}/`, import.meta.url));
const dist = folder("dist");

for (const file of await readdir(dist)) if (file.endsWith(".js")) await rm(dist + file);

const bundle = await rolldown({
  input: {
    index: `${folder("build")}index.js`,
    vitest: `${folder("build")}vitest/test.js`,
    main: `${folder("build")}cli/main.js`,
    watchdog: `${folder("build")}cli/exec/watchdog.js`,
  },
  external: /^[^./]/,
  platform: "node",
});
await bundle.write({ dir: dist, format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name].js" });
await bundle.close();
