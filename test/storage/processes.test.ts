import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { connectSandbox } from "../../src/client/connect.ts";
import { newLockText } from "../../src/storage/file-lock.ts";
import { launch, launchOnFullDisk, type Ready, runProcess, start } from "../cli/cli.ts";
import { deadPid, newFile } from "./databases.ts";

test("a second process is refused with exit code 1", async () => {
  const file = newFile();
  const first = await start(["--db", file]);
  const { code, stderr } = await runProcess(["--port", "0", "--db", file]);
  expect(code).toBe(1);
  expect(stderr).toMatch(`${file} is in use by process ${first.child.pid}.`);
  expect(await first.stop()).toBe(0);
  expect(existsSync(`${file}.lock`)).toBe(false);
});

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

test("a damaged database is refused on the command line with a message and exit code 1", async () => {
  const file = newFile();
  await writeFile(file, "");
  const { code, stdout, stderr } = await runProcess(["--port", "0", "--db", file]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toBe(
    `${file} is empty, and no database of offering-sandbox. It is left as it is: keep environments in another file, or move this one away.\n`,
  );
  expect(await readFile(file, "utf8")).toBe("");
});

test.skipIf(process.platform === "win32")("on a full disk, acknowledged commands stay kept", async () => {
  const file = newFile();
  const full = launchOnFullDisk(200, ["--port", "0", "--db", file, "--log-format", "json"]);
  const sandbox = await connectSandbox(((await full.event("ready")) as Ready).url);
  const kept: string[] = [];
  const refused: string[] = [];
  for (let nth = 0; refused.length < 5; nth++) {
    const opening = sandbox.openEnvironment({ id: `e-${nth}` });
    await opening.then(
      ({ id }) => kept.push(id),
      (error: unknown) => {
        expect(error).toMatchObject({ code: "not_kept", message: expect.stringContaining("EFBIG") });
        refused.push(`e-${nth}`);
      },
    );
  }
  expect(kept.length).toBeGreaterThan(20);
  expect(await full.stop("SIGKILL")).toBe(null);
  const { ready } = await start(["--db", file]);
  const open = new Set((await (await connectSandbox(ready.url)).environments()).map(({ id }) => id));
  expect(kept.filter((id) => !open.has(id))).toEqual([]);
});
