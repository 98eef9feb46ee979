import { readFile, writeFile } from "node:fs/promises";

const file = new URL("README.md", import.meta.url);

/** Replaces the tables of a part in README.md, between its markers. */
export async function writeSection(id, text) {
  const readme = await readFile(file, "utf8");
  const [openingMarker, closingMarker] = [`<!-- ${id} -->`, `<!-- end of ${id} -->`];
  const [start, end] = [readme.indexOf(openingMarker), readme.indexOf(closingMarker)];
  if (start < 0 || end < start) throw new Error(`bench/README.md has no place for "${id}".`);
  await writeFile(file, `${readme.slice(0, start + openingMarker.length)}\n\n${text}\n\n${readme.slice(end)}`);
}
