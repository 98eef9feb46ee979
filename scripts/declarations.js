// Copies the declarations of the entries and of their imports.
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Copies declarations and their imports from this package to the same places in another folder. */
export async function copyDeclarations(entries, from, to) {
  const reached = new Set(entries.map((entry) => resolve(from, entry)));
  for (const file of reached) {
    const copy = resolve(to, file.slice(resolve(from).length + 1));
    await mkdir(dirname(copy), { recursive: true });
    await copyFile(file, copy);
    for (const imported of await imports(file)) reached.add(imported);
  }
}

async function imports(file) {
  const text = await readFile(file, "utf8");
  const paths = Array.from(text.matchAll(/(?:from |import\()"(\.[^"]+)\.[tj]s"/g), ([, path]) => path);
  return paths.map((path) => `${resolve(dirname(file), path)}.d.ts`);
}
