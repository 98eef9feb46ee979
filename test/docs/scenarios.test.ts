import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { effects } from "../../src/scenario/schema.ts";
import { triggers } from "../../src/scenario/schema.ts";

const guide = await readFile(new URL("../../docs/scenarios.md", import.meta.url), "utf8");

test.for([...Object.keys(triggers.shape), ...Object.keys(effects.shape)])("the guide has a row for %s", (name) => {
  expect(guide).toMatch(new RegExp(`^\\| \`${name}: `, "m"));
});
