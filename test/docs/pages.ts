import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../support/packed.ts";

/** The pages for readers: path in the checkout and text. */
export const pages: readonly (readonly [page: string, text: string])[] = await Promise.all(
  ["README.md", "SKILL.md", "llms.txt", "CONTRIBUTING.md", "test/README.md", ...(await pagesOf("docs"))].map(
    async (page) => [page, await readFile(join(root, page), "utf8")] as const,
  ),
);

async function pagesOf(folder: string): Promise<string[]> {
  const files = await readdir(join(root, folder), { recursive: true });
  return files.filter((file) => file.endsWith(".md")).map((file) => `${folder}/${file.replaceAll("\\", "/")}`);
}
