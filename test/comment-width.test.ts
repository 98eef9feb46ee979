import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./support/packed.ts";

// The formatter wraps code, but not comments.
test("no comment is wider than 120 columns", () => {
  const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.js", "*.css"], { cwd: root, encoding: "utf8" });
  const wide = files.split("\n").filter((file) => {
    if (file === "" || /^fixtures|model\/shapes|server\/paths/.test(file)) return false;
    return /^(?=.{121})\s*(?:\/\*|\*(?!\s{3})|\/\/|\{\/\*)/m.test(readFileSync(join(root, file), "utf8"));
  });
  expect(wide).toEqual([]);
});
