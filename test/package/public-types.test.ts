import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { publicTypes } from "../../scripts/public-types.ts";

const report = readFileSync(new URL("public-types.txt", import.meta.url), "utf8");

const changed = `The public types are no longer those of test/package/public-types.txt. If that is meant, run \`npm run generate\`,
read the difference, and see docs/versions.md: a member that is gone, or newly required, waits for a major version.`;

test("the public types are those of the report", () => {
  expect(publicTypes(), changed).toBe(report);
});
