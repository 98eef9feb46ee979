// Completes each fixture of fixtures/source into the one that ships.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { complete } from "../build/src/fixture/complete/complete.js";
import { printFixture } from "../build/src/fixture/print.js";

const folder = new URL("../fixtures/", import.meta.url);

async function completeSource(file) {
  const sparse = JSON.parse(await readFile(new URL(`source/${file}`, folder), "utf8"));
  const completed = complete(sparse, { name: file.replace(".json", "") });
  await writeFile(new URL(file, folder), [...printFixture(completed, "resource")].join(""));
}

await Promise.all((await readdir(new URL("source/", folder))).map(completeSource));
