import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { openCommandLine, temporaryFolder } from "./cli.ts";

const content = {
  offerings: [{ alias: "kiln", name: "Kiln", investments: [{ alias: "first", amount: 500, price: 5 }] }],
};
/** Makes a fixture so large that a snapshot does not contain it. */
const padding = " ".repeat(5.1 * 1024 * 1024);

function write(cwd: string, file: string, document: object, rest = ""): string {
  const path = join(cwd, file);
  writeFileSync(path, JSON.stringify(document) + rest);
  return path;
}

test("a snapshot without its large fixture says so, and a start with both files continues from it", async () => {
  const cwd = temporaryFolder();
  const fixture = write(cwd, "big.json", content, padding);
  const { runLine } = await openCommandLine({ fixture, seed: 7 });
  await runLine("clock advance 1d");
  const fileResult = await runLine("snapshot state.json", { cwd });
  expect(fileResult.stdout).toBe('Environment "default" was written to state.json.\n');
  expect(fileResult.stderr).toBe(
    'warning  the snapshot does not contain the fixture "big": start with --fixture big.json --seed 7 --snapshot state.json\n',
  );
  const printResult = await runLine("snapshot");
  const saved = JSON.parse(readFileSync(join(cwd, "state.json"), "utf8"));
  // Each snapshot has the time at which it was written.
  expect(Date.parse(saved.saved_at)).toBeGreaterThan(Date.parse("2026"));
  expect(JSON.parse(printResult.stdout)).toEqual({ ...saved, saved_at: expect.any(String) });
  expect(printResult.stderr).toContain("--snapshot FILE\n");

  const snapshot = join(cwd, "state.json");
  const secondSandbox = await startSandbox({ fixture, seed: 7, snapshot });
  onTestFinished(() => secondSandbox.close());
  expect((await secondSandbox.clock.get()).now).toBe("2026-01-16T12:00:00.000Z");
  expect((await secondSandbox.snapshot())["fixture_checksum"]).toBe(JSON.parse(printResult.stdout).fixture_checksum);
  // Other environments of the two sandboxes open from it too.
  expect((await (await secondSandbox.openEnvironment({ snapshot })).describe()).offerings).toHaveLength(1);
  expect((await runLine("environments open mine --snapshot state.json", { cwd })).stdout).toMatch(
    /^environment +mine\n/,
  );

  const otherFile = write(cwd, "other.json", { ...content, name: "big" }, `${padding} `);
  const advice = "start with --fixture big.json --seed 7 --snapshot FILE.";
  await expect(startSandbox({ fixture: otherFile, seed: 7, snapshot })).rejects.toThrow(
    /same name and seed, but other content\. .* --fixture big\.json --seed 7/,
  );
  await expect(startSandbox({ fixture, snapshot })).rejects.toThrow(
    `made from the fixture "big" with seed 7; this environment has "big" with seed 1. The snapshot does not have its fixture: ${advice}`,
  );
  await expect(startSandbox({ snapshot })).rejects.toThrow(`fixture "big", which is not in it: ${advice}`);
  const demo = await openCommandLine();
  for (const line of ["restore state.json", "environments open mine --snapshot state.json"])
    expect(await demo.runLine(line, { cwd })).toMatchObject({ code: 1, stderr: expect.stringContaining(advice) });
});
