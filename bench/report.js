// Puts the tables of a run into README.md, each between the markers of its part; the words around them stay.
import { readFile, writeFile } from "node:fs/promises";

const file = new URL("README.md", import.meta.url);

export async function writeSection(id, text) {
  const before = await readFile(file, "utf8");
  const [begin, end] = [`<!-- ${id} -->`, `<!-- end of ${id} -->`];
  const [from, until] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || until < from) throw new Error(`bench/README.md has no place for "${id}".`);
  await writeFile(file, `${before.slice(0, from + begin.length)}\n\n${text}\n\n${before.slice(until)}`);
}
