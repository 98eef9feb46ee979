import { readFile, writeFile } from "node:fs/promises";

const file = new URL("README.md", import.meta.url);

/** Replaces the tables of a part in README.md, between its markers. */
export async function writeSection(id, text) {
  const readme = await readFile(file, "utf8");
  const [begin, end] = [`<!-- ${id} -->`, `<!-- end of ${id} -->`];
  const [from, until] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from < 0 || until < from) throw new Error(`bench/README.md has no place for "${id}".`);
  await writeFile(file, `${readme.slice(0, from + begin.length)}\n\n${text}\n\n${readme.slice(until)}`);
}
