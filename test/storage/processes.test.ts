import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { newLockText } from "../../src/storage/file-lock.ts";
import { launch, runProcess, start } from "../cli/cli.ts";
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
