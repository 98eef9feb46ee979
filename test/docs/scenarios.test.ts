import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parseScenario } from "../../src/scenario/parse-scenario.ts";
import { effects } from "../../src/scenario/schema/effects.ts";
import { triggers } from "../../src/scenario/schema/step.ts";

const guide = await readFile(new URL("../../docs/scenarios.md", import.meta.url), "utf8");

test("the scenarios of the guide are without mistakes and warnings", () => {
  const examples = Array.from(guide.matchAll(/```yaml\n(.*?)```/gs), (match) => match[1] ?? "");
  expect(examples.length).toBeGreaterThan(1);
  for (const example of examples) expect(parseScenario(example, "guide.yaml").warnings).toEqual([]);
});

test.for([...Object.keys(triggers.shape), ...Object.keys(effects.shape)])("the guide has a row for %s", (name) => {
  expect(guide).toMatch(new RegExp(`^\\| \`${name}: `, "m"));
});
