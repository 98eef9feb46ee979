import { expect, test } from "vitest";
import { run } from "./cli.ts";

test("completion prints a script for the shell", async () => {
  const { code, stdout } = await run(["completion"]);
  expect(stdout).toContain("offering-sandbox --get-yargs-completions");
  expect(code).toBe(0);
});

test.for([
  [[""], ["start", "exec", "keys", "clock", "completion"]],
  [
    ["keys", ""],
    ["list", "issue", "revoke"],
  ],
  [["--po"], ["--port", "--port-file"]],
  [["--no-s"], ["--no-scenario"]],
  [
    ["keys", "issue", "--"],
    ["--offering", "--label", "--url"],
  ],
] as const)("completes %j", async ([words, expected]) => {
  const { code, stdout, stderr } = await run(["--get-yargs-completions", "offering-sandbox", ...words], {
    env: { SHELL: "/bin/bash" },
  });
  const found = stdout.trimEnd().split("\n");
  expect(found).toEqual(expect.arrayContaining([...expected]));
  expect(new Set(found).size).toBe(found.length);
  expect([code, stderr]).toEqual([0, ""]);
});
