import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openForTest, startServer } from "../../src/testing/test-sandbox.ts";
import { openCommandLine, temporaryFolder } from "../cli/cli.ts";
import { knownFixture, startForTest } from "../support/sandbox.ts";

// Windows does not have file modes.
const onUnix = test.skipIf(process.platform === "win32");

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

onUnix("no other user reads a database, even one written earlier, or one whose writer was killed", async () => {
  const db = join(temporaryFolder(), "sandbox.json");
  writeFileSync(join(dirname(db), `.${basename(db)}.tmp`), "half", { mode: 0o644 });
  const sandbox = await startForTest({ db });
  await sandbox.openEnvironment();
  expect(modeOf(db)).toBe("600");
  chmodSync(db, 0o644);
  await sandbox.openEnvironment();
  expect(modeOf(db)).toBe("600");
});

onUnix("no other user reads the file of a snapshot, even one that replaces another", async () => {
  const cwd = temporaryFolder();
  const { runLine } = await openCommandLine();
  for (const _ of [1, 2]) {
    expect(await runLine("snapshot state.json", { cwd })).toMatchObject({ code: 0 });
    expect(modeOf(join(cwd, "state.json"))).toBe("600");
    chmodSync(join(cwd, "state.json"), 0o644);
  }
});

onUnix("no other user reads the snapshot of a failed test", async () => {
  const snapshotDir = join(temporaryFolder(), "cases");
  const server = await startServer({ config: false, fixture: knownFixture, snapshotDir });
  const opened = await openForTest(["one"], server, {});
  await fetch(opened.environment.baseUrl, { headers: { authorization: `Bearer ${opened.environment.keys.partner}` } });
  await opened.close(true, () => {});
  await server.close();
  const files = readdirSync(snapshotDir).map((name) => modeOf(join(snapshotDir, name)));
  expect(files).toEqual(["600"]);
});
