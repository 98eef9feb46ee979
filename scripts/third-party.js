// Collects the licenses of the bundled packages.
import { readFile, readdir } from "node:fs/promises";
import { packageOf } from "./package-of.js";

/** Returns the notices of the packages of these modules: name, version and the license's text. */
export async function thirdPartyNotices(modules) {
  const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== undefined));
  // A package may be there twice, in versions for two other packages.
  const notices = new Set(await Promise.all(Array.from(folders, notice)));
  return `The files of this folder contain code of the packages below.\n\n${[...notices].toSorted().join("\n")}`;
}

function packageFolder(module) {
  const name = packageOf(module);
  if (name === undefined) return undefined;
  const folder = `/node_modules/${name}/`;
  const path = module.replaceAll("\\", "/");
  return path.slice(0, path.lastIndexOf(folder) + folder.length);
}

async function notice(folder) {
  const { name, version, license } = JSON.parse(await readFile(`${folder}package.json`, "utf8"));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} is bundled but has no license file.`);
  const text = await readFile(folder + file, "utf8");
  return `${"-".repeat(80)}\n${name} ${version} (${license})\n\n${text.trim()}\n`;
}
