import { readFileSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { startSandbox, UnreadableFile, UnusableDatabase, UnwritableFile } from "../../src/index.ts";
import { temporaryFolder } from "../cli/cli.ts";
import { knownFixture } from "../support/sandbox.ts";
import { newFile, startKept } from "./kept.ts";

/** A database with something in it. */
async function writeDatabase(file: string): Promise<string> {
  const sandbox = await startKept(file);
  await sandbox.play("closing");
  await sandbox.openEnvironment({ id: "mine" });
  await sandbox.close();
  return readFile(file, "utf8");
}

const empty = "is empty, and no database of offering-sandbox.";
const foreign = "is no database of offering-sandbox.";
const damaged = "is damaged, or was edited by hand.";

test.each<[what: string, words: string, damage: (text: string) => string]>([
  ["an empty file", empty, () => ""],
  ["a file of blanks", empty, () => "  \n"],
  ["null", foreign, () => "null\n"],
  ["other JSON", foreign, () => `{"offerings":[]}\n`],
  ["a fixture", foreign, () => readFileSync(knownFixture, "utf8")],
  ["a file that is no text", foreign, () => "SQLite format 3\0\u0001\uFFFD"],
  ["a file of zeros", foreign, () => "\0".repeat(5000)],
  ["one whose end is missing", damaged, (text) => text.slice(0, -100)],
  ["one of which there is a beginning", damaged, (text) => text.slice(0, 60)],
  ["one with a hole", damaged, (text) => text.slice(0, 3000) + "\0".repeat(500) + text.slice(3500)],
  ["one with another letter", damaged, (text) => text.replace("REGISTRATION", "REGISTRATIOM")],
  ["one that was formatted anew", damaged, (text) => text.replaceAll("},", "},\n  ")],
  [
    "one of a version to come",
    "is a database of another version of offering-sandbox.",
    (text) => text.replace(`"version":2`, `"version":3`),
  ],
])("%s is refused and left as it is", async (_, words, damage) => {
  const file = newFile();
  const text = damage(await writeDatabase(file));
  await writeFile(file, text);
  const refused = startSandbox({ fixture: knownFixture, db: file });
  await expect(refused).rejects.toThrow(UnusableDatabase);
  await expect(refused).rejects.toThrow(`${file} ${words} It is left as it is: keep environments in another file`);
  expect(await readFile(file, "utf8")).toBe(text);
  expect(await readdir(dirname(file))).toEqual([basename(file)]);
});

test.each([
  ["another fixture", { fixture: "demo" }, /made from the fixture "known", and not from "demo"/],
  ["another seed", { fixture: knownFixture, seed: 99 }, /"known" as it was before an edit, or with another seed/],
])("one made from %s is refused and left as it is", async (_, options, words) => {
  const file = newFile();
  const text = await writeDatabase(file);
  await expect(startSandbox({ ...options, db: file })).rejects.toThrow(words);
  expect(await readFile(file, "utf8")).toBe(text);
});

test("one made from a fixture that was edited since is refused", async () => {
  const fixture = join(temporaryFolder(), "mine.json");
  const file = newFile();
  await writeFile(fixture, `{"name":"mine","offerings":[{"alias":"one"}]}`);
  await (await startKept(file, { fixture })).close();
  await (await startKept(file, { fixture })).close();
  await writeFile(fixture, `{"name":"mine","offerings":[{"alias":"one","name":"Other"}]}`);
  await expect(startKept(file, { fixture })).rejects.toThrow(`"mine" as it was before an edit`);
});

test("an edit that a running sandbox has taken up is no edit any more", async () => {
  const fixture = join(temporaryFolder(), "mine.json");
  const file = newFile();
  await writeFile(fixture, `{"name":"mine","offerings":[{"alias":"one"}]}`);
  const sandbox = await startKept(file, { fixture });
  await sandbox.openEnvironment({ id: "old" });
  await writeFile(fixture, `{"name":"mine","offerings":[{"alias":"one","name":"Other"}]}`);
  await sandbox.reload({ fixture, db: file });
  await sandbox.openEnvironment({ id: "new" });
  await sandbox.close();
  const again = await startKept(file, { fixture });
  expect((await again.environments()).map(({ id }) => id)).toEqual(["default", "new"]);
  expect(again.offerings[0]?.name).toBe("Other");
});

test("a fixture that a running sandbox knows by another name now leaves no environment that cannot be opened", async () => {
  const fixture = join(temporaryFolder(), "mine.json");
  const file = newFile();
  await writeFile(fixture, `{"name":"mine","offerings":[{"alias":"one"}]}`);
  const sandbox = await startKept(file, { fixture });
  await sandbox.openEnvironment({ id: "old" });
  await sandbox.openEnvironment({ id: "shipped", fixture: "minimal" });
  await writeFile(fixture, `{"name":"yours","offerings":[{"alias":"one"}]}`);
  await sandbox.reload({ fixture, db: file });
  await sandbox.close();
  const again = await startKept(file, { fixture });
  expect((await again.environments()).map(({ id }) => id)).toEqual(["default", "shipped"]);
});

test("an environment over a fixture that is not there is named, with the file", async () => {
  const fixture = join(temporaryFolder(), "mine.json");
  const file = newFile();
  await writeFile(fixture, `{"name":"mine","offerings":[{"alias":"one"}]}`);
  const sandbox = await startKept(file, { fixture });
  await sandbox.openEnvironment({ id: "other", fixture: "minimal" });
  await sandbox.close();
  const text = await readFile(file, "utf8");
  const [head = "", ...rest] = text.split("\n");
  const body = rest.join("\n").replace(`"fixture":{"name":"minimal"`, `"fixture":{"name":"gone"`);
  await writeFile(file, `${head.replace(/"checksum":\d+/, `"checksum":${crc32(body)}`)}\n${body}`);
  const refused = startKept(file, { fixture });
  await expect(refused).rejects.toThrow(
    `${file} keeps the environment "other" made from the fixture "gone", and not from "mine"`,
  );
});

test("a link to a file that is not there yet stays a link, and so does a link to that link", async () => {
  const folder = temporaryFolder();
  const file = newFile();
  const [link, outer] = [join(folder, "link.json"), join(folder, "outer.json")];
  await symlink(file, link);
  await symlink("link.json", outer);
  const sandbox = await startKept(outer);
  expect((await readdir(dirname(file))).toSorted()).toEqual(["kept.json", "kept.json.lock"]);
  await expect(startKept(link)).rejects.toThrow(`${file} is in use`);
  await sandbox.close();
  expect([await readlink(link), await readlink(outer)]).toEqual([file, "link.json"]);
  const loop = join(folder, "loop.json");
  await symlink(loop, loop);
  await expect(startKept(loop)).rejects.toThrow(UnreadableFile);
});

test("what cannot be read or written is said, and let go of", async () => {
  const folder = temporaryFolder();
  const unreadable = startKept(folder);
  await expect(unreadable).rejects.toThrow(UnreadableFile);
  await expect(unreadable).rejects.toThrow(`${folder} cannot be read: EISDIR`);
  await expect(startKept(join(folder, "none", "kept.json"))).rejects.toThrow(UnwritableFile);
  expect(await readdir(folder)).toEqual([]);
  // Where lowdb writes before it renames.
  await mkdir(join(folder, ".kept.json.tmp"));
  const unwritable = startKept(join(folder, "kept.json"));
  await expect(unwritable).rejects.toThrow(UnwritableFile);
  await expect(unwritable).rejects.toThrow(`${join(folder, "kept.json")} cannot be written: EISDIR`);
  expect(await readdir(folder)).toEqual([".kept.json.tmp"]);
});

test.runIf(process.getuid?.() !== 0)("a file that is protected is not written over", async () => {
  const file = newFile();
  const text = await writeDatabase(file);
  await chmod(file, 0o400);
  await expect(startKept(file)).rejects.toThrow(`${file} cannot be written: EACCES`);
  expect(await readFile(file, "utf8")).toBe(text);
});

test("a start that fails for another reason lets go of the file", async () => {
  const file = newFile();
  await expect(startKept(file, { scenarios: ["nonsense"] })).rejects.toThrow('There is no scenario "nonsense"');
  await expect(startKept(file, { fixture: "nonsense" })).rejects.toThrow("There is no fixture");
  await startKept(file);
});
