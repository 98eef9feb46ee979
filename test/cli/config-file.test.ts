import { expect, test } from "vitest";
import { givenByConfig } from "../../src/cli/settings/config-file.ts";

test.each([
  ["digits as written", "admin-token: 0012", [["adminToken", "0012", "c.yaml:1:14: admin-token"]]],
  [
    "an alias as the value of its anchor",
    "rate-limit: &limit 7\nport: *limit",
    [
      ["rateLimit", "7", "c.yaml:1:20: rate-limit"],
      ["port", "7", "c.yaml:2:7: port"],
    ],
  ],
  ["a span from its list", "delay: [50ms, 200ms]", [["delay", "50ms..200ms", "c.yaml:1:8: delay"]]],
  [
    "each item in its place, an empty one too",
    "scenarios:\n  - closing\n  -\n",
    [
      ["scenarios", "closing", "c.yaml:2:5: scenarios"],
      ["scenarios", "", "c.yaml:3:4: scenarios"],
    ],
  ],
])("a config file gives %s", (_, text, expected) => {
  const mistakes: string[] = [];
  const given = givenByConfig("c.yaml", text, mistakes);
  expect(mistakes).toEqual([]);
  expect(given.map((one) => [one.setting, one.text, one.place])).toEqual(expected);
});

test("mistakes of YAML in a config file have a place, and no line that may hold a token", () => {
  const mistakes: string[] = [];
  givenByConfig("c.yaml", "port: 1\nadmin-token: secret: x\nport: 2", mistakes);
  expect(mistakes.join("\n")).toMatch(/^c\.yaml:2:14: Expected one "name: value" on a line;/);
  expect(mistakes.join("\n")).not.toContain("secret");
});
