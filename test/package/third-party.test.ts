import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { distFiles, packagesIn } from "./dist.ts";
import { root } from "../support/packed.ts";

const bundledFolders = new Set(distFiles.flatMap(packagesIn));

test("THIRD-PARTY.txt has every bundled package with its license", () => {
  const notices = readFileSync(join(root, "dist", "THIRD-PARTY.txt"), "utf8");
  for (const name of ["@faker-js/faker", "@modelcontextprotocol/sdk", "jsonc-parser", "yaml", "yargs", "zod"])
    expect(Array.from(bundledFolders)).toContainEqual(expect.stringMatching(`/node_modules/${name}$`));
  // The portal's program is minified and has no comments with modules.
  for (const name of ["preact", "@preact/signals", "@preact/signals-core"])
    bundledFolders.add(join(root, "node_modules", name));
  for (const folder of bundledFolders) {
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
    const license = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file)) ?? "";
    expect(notices).toContain(`\n${name} ${version} (`);
    expect(notices).toContain(readFileSync(join(folder, license), "utf8").trim());
  }
});

test("only the mcp command loads the SDK of its protocol, and only when it runs", () => {
  const filesMatching = (pattern: RegExp): string[] =>
    distFiles.filter((file) => pattern.test(readFileSync(file, "utf8"))).map((file) => basename(file));
  expect(filesMatching(/^\/\/ \S*node_modules\/@modelcontextprotocol\/sdk\//m)).toEqual(["sdk.js"]);
  expect(filesMatching(/(?:from|import) ?\(?"[./]+\/packages\/sdk\.js"/)).toEqual(["serve.js"]);
  expect(filesMatching(/(?:from|^import) "[./]+\/serve\.js"/m)).toEqual([]);
  expect(filesMatching(/import\("[./]+\/serve\.js"\)/)).toEqual(["command-line.js"]);
});
