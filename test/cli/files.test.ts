import { execFileSync } from "node:child_process";
import { existsSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openToAsk, temporaryFolder } from "./cli.ts";

/** Every command that reads a file named by its caller, and the maximum number of megabytes that it reads. */
const doors: readonly (readonly [line: string, most: number])[] = [
  ["start --port 0 --fixture FILE", 2000],
  ["start --port 0 --config FILE", 5],
  ["start --port 0 --snapshot FILE", 64],
  ["start --port 0 --scenario FILE", 5],
  ["environments open mine --fixture FILE", 2000],
  ["environments open mine --scenario FILE", 5],
  ["environments open mine --snapshot FILE", 64],
  ["restore FILE", 64],
  ["replay FILE", 64],
  ["faults add --status 500 --body @FILE", 5],
  ["scenario check FILE", 5],
  ["scenario show FILE", 5],
  ["scenario play FILE", 5],
  ["fixture check FILE", 2000],
  ["fixture expand FILE", 2000],
  ["fixture from-responses FILE", 64],
  ["coverage FOLDER", 5],
  ["calibrate --url http://127.0.0.1:9/api/v1 --offering 00000000-0000-4000-8000-000000000001 --key-file FILE", 5],
];

/** Makes each command read the file that `make` creates, and returns its messages. */
async function refusals(make: (path: string, most: number) => unknown, lines = doors): Promise<string[]> {
  const cwd = temporaryFolder();
  const { ask } = await openToAsk({ fixture: "minimal" });
  const said: string[] = [];
  for (const [line, most] of lines) {
    const file = line.includes("FOLDER") ? "one.part.json" : "one.json";
    rmSync(join(cwd, file), { force: true });
    make(join(cwd, file), most);
    const { code, stdout, stderr } = await ask(line.replace("FILE", file).replace("FOLDER", "."), { cwd });
    expect({ line, code, stdout }).toEqual({ line, code: 2, stdout: "" });
    // The name of a file of keys could be a key itself.
    expect(stderr).toMatch(/^(\.\/)?one(\.part)?\.json |^The file of --key-file /);
    said.push(`${line}: ${stderr}`);
  }
  return said;
}

test("every command reads files of at most its megabytes", async () => {
  // A sparse file takes no room on the disk.
  const said = await refusals((path, most) => {
    writeFileSync(path, "");
    truncateSync(path, most * 1024 * 1024 + 1);
  });
  for (const [at, [, most]] of doors.entries()) {
    const size = (most + 0.1).toLocaleString("en");
    expect(said[at]).toContain(` cannot be read: it has ${size} MB; expected at most ${most} MB.\n`);
  }
});

test("every command says that a file is not there", async () => {
  // `coverage` takes a folder.
  const ofFiles = doors.filter(([line]) => line.includes("FILE"));
  for (const said of await refusals(() => {}, ofFiles))
    expect(said).toContain(" cannot be read: there is no such file.");
});

test.skipIf(process.platform === "win32")("no command reads a device or a pipe", async () => {
  for (const said of await refusals((path) => symlinkSync("/dev/zero", path)))
    expect(said).toContain(" cannot be read: it is not a regular file.\n");
  for (const said of await refusals((path) => execFileSync("mkfifo", [path])))
    expect(said).toContain(" cannot be read: it is a pipe; expected a file, so write its content to one first.\n");
});

test("a command that writes a file makes the folders above it, or says that it cannot", async () => {
  const cwd = temporaryFolder();
  const { ask } = await openToAsk({ fixture: "minimal" });
  writeFileSync(join(cwd, "a.json"), "{}");
  for (const line of ["snapshot FILE", "fixture generate --offerings 1 --investments 1 --out FILE"]) {
    const file = join(line.replaceAll(" ", "-"), "deep", "file.json");
    const { code } = await ask(line.replace("FILE", file), { cwd });
    expect([line, code, existsSync(join(cwd, file))]).toEqual([line, 0, true]);
    const { stderr } = await ask(line.replace("FILE", "a.json/file.json"), { cwd });
    expect([line, stderr]).toEqual([line, expect.stringMatching(/^a\.json\/file\.json cannot be written: ENOTDIR/)]);
  }
});
