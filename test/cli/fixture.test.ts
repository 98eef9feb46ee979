import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, temporaryFolder } from "./cli.ts";

function folderWith(fixture: object): string {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "mine.json"), JSON.stringify(fixture));
  return cwd;
}

const valid = { name: "mine", offerings: [{ alias: "one", investments: [{}, {}] }] };

test("fixture expand prints a fixture that expands to itself", async () => {
  const cwd = folderWith(valid);
  const { stdout: once } = await run(["fixture", "expand", "mine.json"], { cwd });
  writeFileSync(join(cwd, "completed.json"), once);
  const { stdout: twice } = await run(["fixture", "expand", "completed.json"], { cwd });
  expect(twice).toBe(once);
  const { stdout: otherwise } = await run(["fixture", "expand", "mine.json", "--seed", "7"], { cwd });
  expect(otherwise).not.toBe(once);
});

test("fixture generate writes a fixture, shows its progress, and overwrites a file only with a flag", async () => {
  const cwd = temporaryFolder();
  const args = ["fixture", "generate", "--offerings", "3", "--investments", "50", "--seed", "42", "--out", "big.json"];
  const first = await run(args, { cwd });
  expect(first.stderr.trim().split("\n").at(-1)).toBe("Writing big.json 100 %");
  expect([first.code, first.stdout]).toEqual([0, ""]);
  const fileText = readFileSync(join(cwd, "big.json"), "utf8");
  expect(JSON.parse(fileText)).toMatchObject({ offerings: [{}, {}, {}], seed: 42 });

  const second = await run(args, { cwd });
  expect(second.stderr).toContain("--force");
  expect(second.code).toBe(2);

  expect((await run([...args, "--force"], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, "big.json"), "utf8")).toBe(fileText);
});
