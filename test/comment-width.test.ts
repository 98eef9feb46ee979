import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./support/packed.ts";

const folders = ["bench", "bin", "calibrate", "examples", "portal", "scripts", "src", "test"];
const generated = /node_modules|model\/shapes|server\/paths/;

// The formatter wraps code, but not comments.
test("no comment is wider than 120 columns", () => {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  const wide = files.filter(
    (file) =>
      /\.(?:ts|tsx|js|css)$/.test(file) &&
      !generated.test(file) &&
      /^(?=.{121})\s*(?:\/\*|\*(?!\s{3})|\/\/|\{\/\*)/m.test(readFileSync(join(root, file), "utf8")),
  );
  expect(wide).toEqual([]);
});
