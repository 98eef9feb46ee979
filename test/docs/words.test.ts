import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import vocabulary from "../../scripts/words/vocabulary.json" with { type: "json" };
import { root } from "../support/packed.ts";
import { pages } from "./pages.ts";

/** Places where an avoided word is right: the page, a part of its line, and the reason. */
const exceptions: readonly (readonly [page: string, part: string, reason: string])[] = [
  ["docs/your-first-scenario.md", "everybody ─", "values of `signed` in the output of scenario show"],
  ["examples/kubernetes/sandbox.yaml", "capabilities: {", "a field of Kubernetes"],
];

/** Returns the paths of a folder's files that have prose and that the linter does not read. */
async function unlintedFiles(folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder));
  return names.filter((name) => /\.(?:md|py|cfg|yaml)$/.test(name)).map((name) => `${folder}/${name}`);
}

// The linter's rule words/vocabulary searches code for the same words.
test("no page, example or scenario has a word that the vocabulary avoids", async () => {
  const examples = await readdir(join(root, "examples"), { withFileTypes: true });
  const folders = examples.filter((entry) => entry.isDirectory()).map(({ name }) => `examples/${name}`);
  const files = (await Promise.all(["bench", "scenarios", ...folders].map(unlintedFiles))).flat();
  const otherPages = await Promise.all(
    ["SECURITY.md", ...files].map(async (page) => [page, await readFile(join(root, page), "utf8")] as const),
  );
  const changelog = await readFile(join(root, "CHANGELOG.md"), "utf8");
  const open = changelog.slice(0, changelog.indexOf("\n## 1.1.0")).replaceAll(/^\|.*$/gm, "");
  const avoidedWords = [...pages, ...otherPages, ["CHANGELOG.md", open] as const].flatMap(([page, text]) =>
    text.split("\n").flatMap((line, index) => {
      if (exceptions.some(([exceptionPage, part]) => exceptionPage === page && line.includes(part))) return [];
      return vocabulary.flatMap(({ avoided, better }) => {
        const [word] = new RegExp(avoided, "i").exec(line) ?? [];
        return word === undefined ? [] : [`${page}:${index + 1}: "${word}" → ${better}`];
      });
    }),
  );
  expect(avoidedWords).toEqual([]);
});
