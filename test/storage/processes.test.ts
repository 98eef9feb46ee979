import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { connectSandbox } from "../../src/client/connect.ts";
import { newLockText } from "../../src/storage/file-lock.ts";
import { launch, launchOnFullDisk, type Ready, start } from "../cli/cli.ts";
import { deadPid, newFile } from "./databases.ts";

test("of several processes that find a stale lock at once, one starts", async () => {
  const file = newFile();
  await writeFile(`${file}.lock`, newLockText(deadPid));
  const starters = Array.from({ length: 6 }, () => launch(["--port", "0", "--db", file, "--log-format", "json"]));
  const outcomes = await Promise.all(
    starters.map((starter) =>
      starter.event("ready").then(
        () => "ready",
        () => "refused",
      ),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === "ready")).toHaveLength(1);
});

test.skipIf(process.platform === "win32")("on a full disk, acknowledged commands stay stored", async () => {
  const file = newFile();
  const full = launchOnFullDisk(200, ["--port", "0", "--db", file, "--log-format", "json"]);
  const sandbox = await connectSandbox(((await full.event("ready")) as Ready).url);
  const storedIds: string[] = [];
  const refusedIds: string[] = [];
  for (let nth = 0; refusedIds.length < 5; nth++) {
    const opening = sandbox.openEnvironment({ id: `e-${nth}` });
    await opening.then(
      ({ id }) => storedIds.push(id),
      (error: unknown) => {
        expect(error).toMatchObject({ code: "not_saved", message: expect.stringContaining("EFBIG") });
        refusedIds.push(`e-${nth}`);
      },
    );
  }
  expect(storedIds.length).toBeGreaterThan(20);
  expect(await full.stop("SIGKILL")).toBe(null);
  const { ready } = await start(["--db", file]);
  const open = new Set((await (await connectSandbox(ready.url)).environments()).map(({ id }) => id));
  expect(storedIds.filter((id) => !open.has(id))).toEqual([]);
});
