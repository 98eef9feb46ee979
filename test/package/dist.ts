import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "../support/packed.ts";

const dist = join(root, "dist");

/** The JavaScript files of dist/. */
export const distFiles: readonly string[] = readdirSync(dist, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".js"))
  .map((file) => join(dist, file));

/** The folders of the packages that a file of dist/ has modules of: the bundler names each module in a comment before it. */
export function packagesIn(file: string): string[] {
  const named = readFileSync(file, "utf8").matchAll(/^\/\/ (\S*node_modules\/(?:@[^/\s]+\/)?[^/\s]+)\/\S+$/gm);
  return [...new Set(Array.from(named, ([, folder = ""]) => resolve(root, folder)))];
}
