import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { withVariables } from "../../src/cli/exec/variables.ts";
import { replaceFile } from "../../src/cli/output/replace-file.ts";
import { UnwritableFile } from "../../src/model/mistakes.ts";
import { temporaryFolder } from "./cli.ts";

test("variables are as before once an act is over, also one that failed", async () => {
  vi.stubEnv("OFFERING_SANDBOX_HAD_ONE", "before");
  const variables = { OFFERING_SANDBOX_HAD_ONE: "within", OFFERING_SANDBOX_HAD_NONE: "within" };
  const read = (): unknown[] => Object.keys(variables).map((name) => process.env[name]);
  expect(await withVariables(variables, async () => read())).toEqual(["within", "within"]);
  expect(read()).toEqual(["before", undefined]);
  await expect(withVariables(variables, () => Promise.reject(new Error("on purpose")))).rejects.toThrow("on purpose");
  expect(read()).toEqual(["before", undefined]);
});

test("a file that cannot be replaced leaves no draft behind", async () => {
  const folder = temporaryFolder();
  const taken = join(folder, "taken");
  mkdirSync(taken);
  writeFileSync(join(taken, "inside"), "");
  await expect(replaceFile(taken, "text")).rejects.toThrow(UnwritableFile);
  expect(readdirSync(folder)).toEqual(["taken"]);
});
