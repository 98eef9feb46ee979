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
] as const)("completes %j", async ([argumentsBefore, expected]) => {
  const { code, stdout, stderr } = await run(["--get-yargs-completions", "offering-sandbox", ...argumentsBefore], {
    env: { SHELL: "/bin/bash" },
  });
  const candidates = stdout.trimEnd().split("\n");
  expect(candidates).toEqual(expect.arrayContaining([...expected]));
  expect(new Set(candidates).size).toBe(candidates.length);
  expect([code, stderr]).toEqual([0, ""]);
});
