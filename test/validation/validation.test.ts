import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { run, temporaryFolder } from "../cli/cli.ts";

/**
 * Each folder has small broken files, and next to each a `.txt` file with all that the command prints for it. A new
 * file gets its text by `npx vitest run --project fast test/validation --update`; read it.
 */
const commands = { fixtures: ["fixture", "check"], scenarios: ["scenario", "check"] };

describe.each(Object.entries(commands))("%s", (folder, command) => {
  const cwd = fileURLToPath(new URL(folder, import.meta.url));
  const names = readdirSync(cwd);
  const broken = names.filter((name) => !name.endsWith(".txt"));
  const textOf = (name: string): string => name.replace(/\.\w+$/, ".txt");

  test.each(broken)(`${command.join(" ")} %s`, async (name) => {
    const { code, stdout, stderr } = await run([...command, name], { cwd });
    await expect((stderr + stdout).replaceAll(cwd, "/home/ada")).toMatchFileSnapshot(join(cwd, textOf(name)));
    expect([code, stderr]).toEqual([name.startsWith("warned-") ? 0 : 2, expect.not.stringContaining("sk_live")]);
  });

  test("each broken file has its output, and each output its file", () => {
    expect(names.filter((name) => name.endsWith(".txt")).toSorted()).toEqual(broken.map(textOf).toSorted());
  });
});

/** Files that are too large to be checked in. */
test.each([
  [
    "a.json",
    "lists that are never closed",
    "[".repeat(1_000_000),
    /^a.json:1:1: This is not JSON, or is nested too deep/,
  ],
  [
    "a.json",
    "lists in lists",
    `{"offerings": ${"[".repeat(200_000)}${"]".repeat(200_000)}}`,
    /^a.json:1:1: .* a list;/,
  ],
  ["a.json", "objects in objects", `{"a":`.repeat(200_000), /^a.json:1:1: This is not JSON, or is nested too deeply\./],
  ["a.json", "quotes", '"'.repeat(100_001), /^a.json:1:3: Expected the end of the file/],
  [
    "a.json",
    "backslashes",
    `{"name": "${"\\\\".repeat(100_000)}`,
    /^a.json:1:10: Expected " at the end of this text\./,
  ],
  [
    "a.json",
    "errors",
    `{"offerings": [{"investments": [${Array(120).fill('{"price":\n-1}').join()}]}]}`,
    /^(?:a.json:.* expected an amount of 0 or more\.\n){99}a.json:101:1: offerings\[0\]\.investments\[99\]\.price.*\n… and 20 more\.\n$/,
  ],
  ["a.yaml", "lists that are never closed", "[".repeat(20_000), /^a.yaml:1:\d+: This is nested too deeply\./],
  ["a.yaml", "values", "steps: [".padEnd(100_000, "1,"), /^a.yaml:1:1: This has too many values and marks;/],
  ["a.yaml", "characters", "#".repeat(100_001), /^a.yaml:1:1: This is longer than 100000 characters;/],
  [
    "a.yaml",
    "changes at once",
    `steps:\n${"  - { event: [A B, A B, A B, A B] }\n".repeat(800)}`,
    /^a.yaml:752:5: steps\[750\] goes too far: more than 3,000 changes on one investment\./,
  ],
  [
    "a.yaml",
    "payments",
    `steps:\n${"  - payment: { amount: 1 }\n".repeat(501)}`,
    /^a.yaml:502:5: steps\[500\] goes too far: more than 500 new payments on one investment\./,
  ],
  [
    "a.yaml",
    "signatures",
    `steps: [{ sign: [${"1,".repeat(501)}] }]`,
    /^a.yaml:1:17: steps\[0\]\.sign is a list; expected at most 500 signing parties\./,
  ],
  [
    "a.yaml",
    "errors",
    `steps:\n${"- {ax,bx,cx}\n".repeat(900)}`,
    /^a.yaml:2:4: .*"at"\?[^]*\n… and at least 900 more\.\n$/,
  ],
])("a file %s of very many %s is refused", async (name, _, text, message) => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, name), text);
  const { code, stderr } = await run([name.endsWith("json") ? "fixture" : "scenario", "check", name], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});
