import { readFileSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { loadSettings } from "../../src/cli/settings/load.ts";
import { checksumOf } from "../support/checksum.ts";
import { ValidationError, startSandbox, FileReadError, DatabaseError, FileWriteError } from "../../src/index.ts";
import { isAddress } from "../../src/settings/source-kinds.ts";
import { temporaryFolder } from "../cli/cli.ts";
import { knownFixture } from "../support/sandbox.ts";
import { newFile, restart, startOverFixture, startWithDatabase } from "./databases.ts";

/** Creates the text of a database with a run and a second environment. */
async function makeDatabase(): Promise<string> {
  const file = newFile();
  const sandbox = await startWithDatabase(file);
  await sandbox.play("closing");
  await sandbox.openEnvironment({ id: "mine" });
  await sandbox.close();
  return readFile(file, "utf8");
}

let database: Promise<string> | undefined;

/** Writes this database, which is created once for all tests. */
async function writeDatabase(file: string): Promise<string> {
  const text = await (database ??= makeDatabase());
  await writeFile(file, text);
  return text;
}

/** Plain data of any type. */
// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

/** Edits the environments of a database, and updates their checksums. */
async function edit(file: string, change: (environments: Loose[]) => unknown): Promise<string> {
  const { environments, ...head } = JSON.parse(await readFile(file, "utf8"));
  for (const environment of environments) delete environment.checksum;
  const edited: unknown = change(environments) ?? environments;
  const sealed = Array.isArray(edited)
    ? edited.map((environment) => environment && { ...environment, checksum: checksumOf(environment) })
    : edited;
  const text = JSON.stringify({ ...head, environments: sealed });
  await writeFile(file, text);
  return text;
}

test.each<[what: string, change: (environments: Loose[]) => unknown]>([
  ["null for an environment", () => [null]],
  ["no list", () => 7],
  ["no default environment", ([environment]) => void (environment.environment = "other")],
  ["an id twice", ([, second]) => void (second.environment = "default")],
  ["no changes", ([environment]) => void (environment.content.changes = null)],
  ["an unknown change", ([environment]) => void (environment.content.changes[0].kind = "constructor")],
  ["a change without a date", ([environment]) => void (environment.content.changes[0].date = null)],
  ["no setup", ([environment]) => void delete environment.setup],
  ["a run without members", ([environment]) => void (environment.content.runs = [{}])],
  ["an invalid start", ([environment]) => void (environment.content.clock.now = "x")],
])("a database with %s is refused, though its checksums are right", async (_, change) => {
  const file = newFile();
  const before = await writeDatabase(file);
  const text = await edit(file, change);
  expect(text).not.toBe(before);
  const start = startSandbox({ fixture: knownFixture, db: file });
  await expect(start).rejects.toThrow(DatabaseError);
  await expect(start).rejects.toThrow(`${file} has `);
  expect(await readFile(file, "utf8")).toBe(text);
});

test("a database with more environments than the server may open is refused by their number", async () => {
  const file = newFile();
  const before = await writeDatabase(file);
  const start = startSandbox({ fixture: knownFixture, db: file, maxEnvironments: 1 });
  await expect(start).rejects.toThrow(DatabaseError);
  await expect(start).rejects.toThrow(
    "has 2 environments, and --max-environments is 1. The file is unchanged: start with",
  );
  expect(await readFile(file, "utf8")).toBe(before);
});

const empty = "is empty, and not a database of offering-sandbox.";
const foreign = "is not a database of offering-sandbox.";
const damaged = "is damaged, or was edited.";
const edited = "has an environment that cannot be opened: The snapshot was edited or damaged after it was made.";
const former = "was written by offering-sandbox 1.x: version 1.1.0 opens it.";
const later = "was written by a later version of offering-sandbox, which opens it.";

test.each<[what: string, words: string, damage: (text: string) => string]>([
  ["an empty file", empty, () => ""],
  ["a file of blanks", empty, () => "  \n"],
  ["null", foreign, () => "null\n"],
  ["other JSON", foreign, () => `{"offerings":[]}\n`],
  ["a fixture", foreign, () => readFileSync(knownFixture, "utf8")],
  ["a file that is not text", foreign, () => "SQLite format 3\0\u0001\uFFFD"],
  ["a file of zeros", foreign, () => "\0".repeat(5000)],
  ["one whose end is missing", damaged, (text) => text.slice(0, -100)],
  ["one with only a beginning", damaged, (text) => text.slice(0, 60)],
  ["one with a hole", damaged, (text) => text.slice(0, 3000) + "\0".repeat(500) + text.slice(3500)],
  ["one with another letter", edited, (text) => text.replace("REGISTRATION", "REGISTRATIOM")],
  ["one of version 1.0", former, (text) => text.replace(`"version":4`, `"version":2,"checksum":7`)],
  ["one of version 1.1 with lines after it", former, (text) => `${text.replace(`:4`, `:3`)}{"checksum":7}\n`],
  ["one of a later version", later, (text) => text.replace(`"version":4`, `"version":5`)],
])("%s is refused and left unchanged", async (_, message, damage) => {
  const file = newFile();
  const text = damage(await writeDatabase(file));
  await writeFile(file, text);
  const start = startSandbox({ fixture: knownFixture, db: file });
  await expect(start).rejects.toThrow(DatabaseError);
  await expect(start).rejects.toThrow(`${file} ${message} The file is unchanged: use another file`);
  expect(await readFile(file, "utf8")).toBe(text);
  expect(await readdir(dirname(file))).toEqual([basename(file)]);
});

test.each([
  ["another fixture", { fixture: "demo" }, /made from the fixture "known", and not from "demo"/],
  ["another seed", { fixture: knownFixture, seed: 99 }, /"known" as it was before an edit, or with another seed/],
])("a database made from %s is refused and left unchanged", async (_, options, message) => {
  const file = newFile();
  const text = await writeDatabase(file);
  await expect(startSandbox({ ...options, db: file })).rejects.toThrow(message);
  expect(await readFile(file, "utf8")).toBe(text);
});

test("a database made from a fixture edited since is refused", async () => {
  const { db, fixture, rewrite, sandbox } = await startOverFixture();
  await (await restart(sandbox, db, { fixture })).close();
  await rewrite({ name: "Other" });
  await expect(startWithDatabase(db, { fixture })).rejects.toThrow(`"mine" as it was before an edit`);
});

test("an edit taken up by a reload is accepted at the next start, without the earlier environments", async () => {
  const { db, fixture, rewrite, sandbox } = await startOverFixture();
  await sandbox.openEnvironment({ id: "old" });
  await rewrite({ name: "Other" });
  await sandbox.reload({ fixture, db });
  await sandbox.openEnvironment({ id: "new" });
  const again = await restart(sandbox, db, { fixture });
  expect((await again.environments()).map(({ id }) => id)).toEqual(["default", "new"]);
  expect(again.offerings[0]?.name).toBe("Other");
});

test("after a reload under another fixture name, unusable environments are deleted", async () => {
  const { db, fixture, rewrite, sandbox } = await startOverFixture();
  await sandbox.openEnvironment({ id: "old" });
  await sandbox.openEnvironment({ id: "shipped", fixture: "minimal" });
  await rewrite({}, { name: "yours" });
  await sandbox.reload({ fixture, db });
  const again = await restart(sandbox, db, { fixture });
  expect((await again.environments()).map(({ id }) => id)).toEqual(["default", "shipped"]);
});

test("the refusal of a database names the environment of a missing fixture", async () => {
  const { db, fixture, sandbox } = await startOverFixture();
  await sandbox.openEnvironment({ id: "other", fixture: "minimal" });
  await sandbox.close();
  await edit(db, ([, second]) => void (second.fixture = "gone"));
  const start = startWithDatabase(db, { fixture });
  await expect(start).rejects.toThrow(
    `${db} has the environment "other" made from the fixture "gone", and not from "mine"`,
  );
});

test("links to a database file that does not exist yet stay links", async () => {
  const folder = temporaryFolder();
  const file = newFile();
  const [link, outer] = [join(folder, "link.json"), join(folder, "outer.json")];
  await symlink(file, link);
  await symlink("link.json", outer);
  const sandbox = await startWithDatabase(outer);
  expect((await readdir(dirname(file))).toSorted()).toEqual(["stored.json", "stored.json.lock"]);
  await expect(startWithDatabase(link)).rejects.toThrow(`${file} is in use`);
  await sandbox.close();
  expect([await readlink(link), await readlink(outer)]).toEqual([file, "link.json"]);
  const loop = join(folder, "loop.json");
  await symlink(loop, loop);
  await expect(startWithDatabase(loop)).rejects.toThrow(FileReadError);
});

test("an unreadable or unwritable file is reported, and its lock released", async () => {
  const folder = temporaryFolder();
  const unreadable = startWithDatabase(folder);
  await expect(unreadable).rejects.toThrow(FileReadError);
  await expect(unreadable).rejects.toThrow(`${folder} cannot be read: it is not a regular file`);
  const inNone = startWithDatabase(join(folder, "none", "stored.json"));
  await expect(inNone).rejects.toThrow(FileWriteError);
  await expect(inNone).rejects.toThrow("stored.json.lock cannot be written: its folder does not exist.");
  expect(await readdir(folder)).toEqual([]);
  // lowdb writes this file before it renames it.
  await mkdir(join(folder, ".stored.json.tmp"));
  const unwritable = startWithDatabase(join(folder, "stored.json"));
  await expect(unwritable).rejects.toThrow(FileWriteError);
  await expect(unwritable).rejects.toThrow(`${join(folder, "stored.json")} cannot be written: EISDIR`);
  expect(await readdir(folder)).toEqual([".stored.json.tmp"]);
});

test.runIf(process.getuid?.() !== 0)("a write-protected file is not overwritten", async () => {
  const file = newFile();
  const text = await writeDatabase(file);
  await chmod(file, 0o400);
  await expect(startWithDatabase(file)).rejects.toThrow(`${file} cannot be written: EACCES`);
  expect(await readFile(file, "utf8")).toBe(text);
});

test("a start that fails for another reason releases the lock", async () => {
  const file = newFile();
  await expect(startWithDatabase(file, { scenarios: ["nonsense"] })).rejects.toThrow('There is no scenario "nonsense"');
  await expect(startWithDatabase(file, { fixture: "nonsense" })).rejects.toThrow("There is no fixture");
  await startWithDatabase(file);
});

const written = "secret-of-this-test";

test.each([
  ` postgres://guarded:${written}@localhost/sandbox`,
  `"postgres://guarded:${written}@localhost/sandbox"`,
  `mysql://guarded:${written}@localhost/sandbox`,
  `jdbc:postgresql://localhost/sandbox?password=${written}`,
  `postgres:/guarded:${written}@localhost/sandbox`,
  `pg://guarded:${written}@localhost/sandbox`,
  `pg:${written}@localhost`,
  `postgresql//guarded:${written}@localhost/sandbox`,
  `postgres:localhost/${written}`,
  `host=localhost dbname=sandbox password=${written}`,
  `dbname = '${written}'`,
  `service=${written}`,
  `guarded:${written}@localhost/sandbox`,
  `guarded@localhost:5432/${written}`,
  `localhost:5432/${written}`,
])("%s is not a database file, and no part of it is repeated", async (db) => {
  const start = startSandbox({ fixture: knownFixture, db });
  await expect(start).rejects.toThrow(ValidationError);
  await expect(start).rejects.toThrow(
    /^db is an address of another kind; expected a file, or postgres:\/\/user@host:port\/database\.$/,
  );
  const config = join(temporaryFolder(), "config.json");
  await writeFile(config, JSON.stringify({ db }));
  // The folder of a config file comes before a file alone.
  expect((await loadSettings([], [], { OFFERING_SANDBOX_CONFIG: config })).settings.db).toBe(db);
});

test.each(["postgres/mine.json", "pg.json", "team@home.json", "a=b.json", "my host.json", "./host=x.json", "a:b.json"])(
  "%s is a database file",
  (name) => expect(isAddress(name)).toBe(false),
);

test("a draft that is a link to another file is replaced, and not followed", async () => {
  const [file, foreignFile] = [newFile(), join(temporaryFolder(), "other.txt")];
  await writeFile(foreignFile, "of another program", { mode: 0o644 });
  const draft = join(dirname(file), ".stored.json.tmp");
  await symlink(foreignFile, draft);
  const sandbox = await startWithDatabase(file);
  await symlink(foreignFile, draft);
  await sandbox.clock.advance("1h");
  expect(await readFile(foreignFile, "utf8")).toBe("of another program");
  expect((await stat(foreignFile)).mode & 0o777).toBe(0o644);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(dirname(file))).not.toContain(basename(draft));
});
