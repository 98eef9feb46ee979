import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "../support/packed.ts";

const dist = join(root, "dist");

/** The JavaScript files of dist/. */
export const distFiles: readonly string[] = readdirSync(dist, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".js"))
  .map((file) => join(dist, file));

/** Folders of the packages bundled into a file of dist/: the bundler names each module in a comment. */
export function packagesIn(file: string): string[] {
  const moduleComments = readFileSync(file, "utf8").matchAll(/^\/\/ (\S*node_modules\/(?:@[^/\s]+\/)?[^/\s]+)\/\S+$/gm);
  return [...new Set(Array.from(moduleComments, ([, folder = ""]) => resolve(root, folder)))];
}
