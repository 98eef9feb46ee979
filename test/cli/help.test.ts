import { expect, test } from "vitest";
import { startSettings } from "../../src/cli/settings/start-settings.ts";
import { version } from "../../src/version.ts";
import { run } from "./cli.ts";

test("help shows every flag, every command and examples", async () => {
  const { code, stdout, stderr } = await run(["--help"]);
  for (const name of Object.keys(startSettings)) expect(stdout).toMatch(new RegExp(`--(no-)?${name}\\b`));
  for (const command of ["assumptions", "openapi", "fixture check", "fixture expand", "fixture generate"]) {
    expect(stdout).toContain(`offering-sandbox ${command}`);
  }
  expect(stdout).toContain("Examples:");
  expect(stdout).not.toContain("undefined");
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  expect([code, stderr]).toEqual([0, ""]);
});

test.for(["start", "assumptions", "openapi", "fixture", "fixture check", "fixture expand", "fixture generate"])(
  "%s has help of its own",
  async (command) => {
    const { code, stdout } = await run([...command.split(" "), "-h"]);
    expect(stdout).toContain("Flags:");
    expect(code).toBe(0);
  },
);

test("-v is the version", async () => {
  expect(await run(["-v"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});
