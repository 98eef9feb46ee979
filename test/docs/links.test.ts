import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/packed.ts";
import { pages } from "./pages.ts";

test.for(pages)("all links of %s lead to existing files and headings", async ([page, text]) => {
  const links = Array.from(text.matchAll(/(?:\]\(|\bsrc(?:set)?=")([^)"\s]+)[)"]/g), ([, link = ""]) => link);
  const deadLinks: string[] = [];
  for (const link of links.filter((target) => !/^[a-z]+:/.test(target))) {
    const [path = "", anchor] = link.split("#");
    const file = path === "" ? join(root, page) : join(root, dirname(page), path);
    if (!existsSync(file)) deadLinks.push(link);
    else if (anchor !== undefined && !anchorsOf(await readFile(file, "utf8")).includes(anchor)) deadLinks.push(link);
  }
  expect(deadLinks).toEqual([]);
});

test.for(pages)("all repository files named in %s exist", ([, text]) => {
  const paths = Array.from(
    text.matchAll(/`((?:src|portal|calibrate|test|bench|scripts|docs|examples|fixtures|scenarios|schema)\/[\w./-]+)`/g),
    ([, path = ""]) => path,
  );
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("llms.txt names every guide of the package", async () => {
  const { files } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { readonly files: string[] };
  const guides = pages.flatMap(([page]) => (/^docs[/\\][\w-]+\.md$/.test(page) ? [page.replace("\\", "/")] : []));
  const index = pages.find(([page]) => page === "llms.txt")?.[1] ?? "";
  expect(guides.filter((guide) => !files.includes(`!${guide}`) && !index.includes(`](${guide})`))).toEqual([]);
});

/** GitHub's anchors of the headings. */
function anchorsOf(markdown: string): string[] {
  return Array.from(markdown.matchAll(/^#+ (.*)$/gm), ([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
