// Writes the entries for CommonJS. Node and bundlers require the same module, but TypeScript takes a file either as an
// ES module or as a CommonJS one, and refuses an ES module in code that is compiled to `require`.
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";

/**
 * Writes a module with these names of `entry`, and their declarations next to `declarations`; both are paths without
 * their endings. Names of classes, which are also types, begin with a capital letter.
 */
export async function writeCommonJs(entry, declarations, names) {
  const assignments = names.map((name) => `exports.${name} = entry.${name};`);
  const isModule = `Object.defineProperty(exports, "__esModule", { value: true });`;
  const code = [isModule, `const entry = require("./${basename(entry)}.js");`, ...assignments];
  await writeFile(`${entry}.cjs`, `${code.join("\n")}\n`);
  const source = `"./${basename(declarations)}.js" with { "resolution-mode": "import" }`;
  const lines = [`import type * as entry from ${source};`, `export type * from ${source};`];
  for (const name of names) {
    if (name === "default") lines.push("declare const main: typeof entry.default;", "export default main;");
    else lines.push(`export declare const ${name}: typeof entry.${name};`);
    if (/^[A-Z]/.test(name)) lines.push(`export type ${name} = entry.${name};`);
  }
  await writeFile(`${declarations}.d.cts`, `${lines.join("\n")}\n`);
}
