import { execFileSync } from "node:child_process";
import { existsSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCommandLine, temporaryFolder } from "./cli.ts";

/** Every command that reads a file named by its caller, and the maximum number of megabytes that it reads. */
const readingCommands: readonly (readonly [line: string, most: number])[] = [
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

/** Makes each command read the file that `makeFile` creates, and returns the messages. */
async function refusals(
  makeFile: (path: string, maxMegabytes: number) => unknown,
  lines = readingCommands,
): Promise<string[]> {
  const cwd = temporaryFolder();
  const { runLine } = await openCommandLine({ fixture: "minimal" });
  const messages: string[] = [];
  for (const [line, maxMegabytes] of lines) {
    const file = line.includes("FOLDER") ? "one.part.json" : "one.json";
    rmSync(join(cwd, file), { force: true });
    makeFile(join(cwd, file), maxMegabytes);
    const { code, stdout, stderr } = await runLine(line.replace("FILE", file).replace("FOLDER", "."), { cwd });
    expect({ line, code, stdout }).toEqual({ line, code: 2, stdout: "" });
    // The name of a file of keys could be a key itself.
    expect(stderr).toMatch(/^(\.\/)?one(\.part)?\.json |^The file of --key-file /);
    messages.push(`${line}: ${stderr}`);
  }
  return messages;
}

test("every command refuses a file with more than its maximum of megabytes", async () => {
  // A sparse file takes no room on the disk.
  const messages = await refusals((path, maxMegabytes) => {
    writeFileSync(path, "");
    truncateSync(path, maxMegabytes * 1024 * 1024 + 1);
  });
  for (const [index, [, maxMegabytes]] of readingCommands.entries()) {
    const size = (maxMegabytes + 0.1).toLocaleString("en");
    expect(messages[index]).toContain(` cannot be read: it has ${size} MB; expected at most ${maxMegabytes} MB.\n`);
  }
});

test("every command names a file that does not exist", async () => {
  // `coverage` takes a folder.
  const commandsWithFile = readingCommands.filter(([line]) => line.includes("FILE"));
  for (const message of await refusals(() => {}, commandsWithFile))
    expect(message).toContain(" cannot be read: there is no such file.");
});

test.skipIf(process.platform === "win32")("no command reads a device or a pipe", async () => {
  for (const message of await refusals((path) => symlinkSync("/dev/zero", path)))
    expect(message).toContain(" cannot be read: it is not a regular file.\n");
  for (const message of await refusals((path) => execFileSync("mkfifo", [path])))
    expect(message).toContain(" cannot be read: it is a pipe; expected a file, so write its content to one first.\n");
});

test("a command that writes a file makes the folders above it, or says why it cannot", async () => {
  const cwd = temporaryFolder();
  const { runLine } = await openCommandLine({ fixture: "minimal" });
  writeFileSync(join(cwd, "a.json"), "{}");
  for (const line of ["snapshot FILE", "fixture generate --offerings 1 --investments 1 --out FILE"]) {
    const file = join(line.replaceAll(" ", "-"), "deep", "file.json");
    const { code } = await runLine(line.replace("FILE", file), { cwd });
    expect([line, code, existsSync(join(cwd, file))]).toEqual([line, 0, true]);
    const { stderr } = await runLine(line.replace("FILE", "a.json/file.json"), { cwd });
    expect([line, stderr]).toEqual([line, expect.stringMatching(/^a\.json\/file\.json cannot be written: ENOTDIR/)]);
  }
});
