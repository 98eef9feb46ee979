import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { distFiles, packagesIn } from "./dist.ts";
import { root } from "../support/packed.ts";

const bundled = new Set(distFiles.flatMap(packagesIn));

test("THIRD-PARTY.txt has every bundled package with its license", () => {
  const notices = readFileSync(join(root, "dist", "THIRD-PARTY.txt"), "utf8");
  for (const name of ["@faker-js/faker", "@modelcontextprotocol/sdk", "jsonc-parser", "yaml", "yargs", "zod"])
    expect(Array.from(bundled)).toContainEqual(expect.stringMatching(`/node_modules/${name}$`));
  // The portal's program is minified and has no comments with modules.
  for (const name of ["preact", "@preact/signals", "@preact/signals-core"])
    bundled.add(join(root, "node_modules", name));
  for (const folder of bundled) {
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
    const license = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file)) ?? "";
    expect(notices).toContain(`\n${name} ${version} (`);
    expect(notices).toContain(readFileSync(join(folder, license), "utf8").trim());
  }
});

test("only the mcp command loads the SDK of its protocol, and only when it runs", () => {
  const holds = (pattern: RegExp): string[] =>
    distFiles.filter((file) => pattern.test(readFileSync(file, "utf8"))).map((file) => basename(file));
  expect(holds(/^\/\/ \S*node_modules\/@modelcontextprotocol\/sdk\//m)).toEqual(["sdk.js"]);
  expect(holds(/(?:from|import) ?\(?"[./]+\/packages\/sdk\.js"/)).toEqual(["serve.js"]);
  expect(holds(/(?:from|^import) "[./]+\/serve\.js"/m)).toEqual([]);
  expect(holds(/import\("[./]+\/serve\.js"\)/)).toEqual(["command-line.js"]);
});
