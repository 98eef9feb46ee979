import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { openToAsk, temporaryFolder } from "./cli.ts";

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
  const { ask } = await openToAsk({ fixture, seed: 7 });
  await ask("clock advance 1d");
  const written = await ask("snapshot state.json", { cwd });
  expect(written.stdout).toBe('Environment "default" was written to state.json.\n');
  expect(written.stderr).toBe(
    'warning  the snapshot does not contain the fixture "big": start with --fixture big.json --seed 7 --snapshot state.json\n',
  );
  const printed = await ask("snapshot");
  const saved = JSON.parse(readFileSync(join(cwd, "state.json"), "utf8"));
  // Each snapshot has the time at which it was written.
  expect(Date.parse(saved.saved_at)).toBeGreaterThan(Date.parse("2026"));
  expect(JSON.parse(printed.stdout)).toEqual({ ...saved, saved_at: expect.any(String) });
  expect(printed.stderr).toContain("--snapshot FILE\n");

  const snapshot = join(cwd, "state.json");
  const again = await startSandbox({ fixture, seed: 7, snapshot });
  onTestFinished(() => again.close());
  expect((await again.clock.get()).now).toBe("2026-01-16T12:00:00.000Z");
  expect((await again.snapshot())["fixture_checksum"]).toBe(JSON.parse(printed.stdout).fixture_checksum);
  // Other environments of the two sandboxes open from it too.
  expect((await (await again.openEnvironment({ snapshot })).describe()).offerings).toHaveLength(1);
  expect((await ask("environments open mine --snapshot state.json", { cwd })).stdout).toMatch(/^environment +mine\n/);

  const otherFile = write(cwd, "other.json", { ...content, name: "big" }, `${padding} `);
  const way = "start with --fixture big.json --seed 7 --snapshot FILE.";
  await expect(startSandbox({ fixture: otherFile, seed: 7, snapshot })).rejects.toThrow(
    /same name and seed, but other content\. .* --fixture big\.json --seed 7/,
  );
  await expect(startSandbox({ fixture, snapshot })).rejects.toThrow(
    `made from the fixture "big" with seed 7; this environment has "big" with seed 1. The snapshot does not have its fixture: ${way}`,
  );
  await expect(startSandbox({ snapshot })).rejects.toThrow(`fixture "big", which is not in it: ${way}`);
  const demo = await openToAsk();
  for (const line of ["restore state.json", "environments open mine --snapshot state.json"])
    expect(await demo.ask(line, { cwd })).toMatchObject({ code: 1, stderr: expect.stringContaining(way) });
});
