import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import type { EnvironmentSummary, LocalSandbox, SandboxOptions } from "../../../src/index.ts";
import { startRunning } from "../../../src/sandbox/start-running.ts";
import { Postgres } from "../../../src/storage/postgres/postgres.ts";
import { notKnown, type PgModule } from "../../../src/storage/postgres/connection.ts";
import { defaultTimings, Session, type Timings } from "../../../src/storage/postgres/session.ts";
import { known, knownFixture, send } from "../../support/sandbox.ts";
import { until } from "../../support/until.ts";
import { type FakeDatabase, type Held, useFakeDatabase } from "./fake-database.ts";

/** Short ones: nothing here is a matter of milliseconds, but for the waiting of the test. */
const timings = { ...defaultTimings, beat: 5, validity: 100, grace: 100 };

afterAll(() => vi.doUnmock("pg"));

async function startOver(
  database: FakeDatabase,
  user: string,
  options: SandboxOptions = {},
  times: Partial<Timings> = {},
): Promise<LocalSandbox> {
  const db = `postgres://${user}@fake/sandbox`;
  const settings = { db, fixture: knownFixture, rateLimit: 0, clock: "fixture", ...options };
  const { sandbox } = await startRunning(settings, { timings: { ...timings, ...times } });
  onTestFinished(async () => {
    database.accept(user);
    await sandbox.close();
  });
  return sandbox;
}

/** Two sandboxes over one database: the first acts for the default environment. */
async function startTwo(): Promise<{ database: FakeDatabase; one: LocalSandbox; other: LocalSandbox }> {
  const database = useFakeDatabase();
  const one = await startOver(database, "one");
  const other = await startOver(database, "other");
  await one.clock.advance("1h");
  return { database, one, other };
}

/** The owner of the default environment. */
const ownerIn = ({ rows }: FakeDatabase): string | null | undefined => rows.get("default")?.owner;

test("a claim that was made under an earlier number is made again", async () => {
  const { database, one, other } = await startTwo();
  await other.clock.advance("1h");
  const claim = database.hold("one", "claim", "before");
  const read = one.clock.get();
  await claim.reached;
  // The other leaves the environment to nobody, and the claim comes through late, as that of a session that is gone.
  const before = ownerIn(database);
  database.notify("want default 0");
  await until(() => ownerIn(database) === null);
  const sign = database.hold("one", "sign", "after");
  database.endSessions("one");
  await sign.reached;
  sign.end();
  await wait(10);
  claim.end();
  await read;
  expect(ownerIn(database)).not.toBe(before);
  expect(database.isLocked(ownerIn(database))).toBe(true);
  const { now } = await other.clock.advance("1h");
  expect((await one.clock.get()).now).toBe(now);
});

test("a write under the number of a session that is gone is made again under the next one", async () => {
  const { database, one, other } = await startTwo();
  const before = ownerIn(database);
  const write = database.hold("one", "write", "before");
  const command = one.clock.advance("1h");
  await write.reached;
  database.endSessions("one");
  await until(() => ownerIn(database) !== before);
  write.end();
  const { now } = await command;
  expect((await other.clock.get()).now).toBe(now);
});

test("what a broken connection still does, it does under a number of before", async () => {
  const { database, one } = await startTwo();
  const before = ownerIn(database);
  const write = database.hold("one", "write", "before");
  const command = one.clock.advance("1h");
  await write.reached;
  write.end("broken");
  await command;
  expect(database.isLocked(before)).toBe(false);
  expect(database.isLocked(ownerIn(database))).toBe(true);
});

test("a session lost while a claimed environment is opened gives the claim up", async () => {
  const { database, one, other } = await startTwo();
  await other.clock.advance("1h");
  // oxlint-disable-next-line typescript/unbound-method
  const { takeOver } = Postgres.prototype;
  let [open, isOpening] = [() => {}, false];
  const opened = new Promise<void>((resolve) => (open = resolve));
  vi.spyOn(Postgres.prototype, "takeOver").mockImplementationOnce(async function (this: Postgres, ...row) {
    isOpening = true;
    await opened;
    return takeOver.apply(this, row);
  });
  const read = one.clock.get();
  await until(() => isOpening);
  const claimed = ownerIn(database);
  database.endSessions("one");
  await until(() => ownerIn(database) !== claimed);
  const { now } = await other.clock.advance("1h");
  open();
  expect((await read).now).toBe(now);
});

test("a heartbeat that is answered after its session broke is none", async () => {
  const database = useFakeDatabase();
  const { Client, Pool } = (await import("pg")).default as unknown as PgModule;
  const session = new Session(
    { Client, Pool },
    { connectionString: "postgres://one@fake/sandbox" },
    "sandbox",
    timings,
  );
  onTestFinished(() => session.close());
  void session.open({ resume: async () => {}, hear: () => {}, tend: () => {} });
  await session.alive();
  const sign = database.hold("one", "sign", "after");
  await sign.reached;
  database.refuse("one");
  database.endSessions("one");
  sign.end();
  for (let looks = 0; looks < 20; looks++) {
    await wait(1);
    expect([session.isAlive, session.number]).toEqual([false, undefined]);
  }
});

test("a token that is not valid reads no document of the environment that it names", async () => {
  const database = useFakeDatabase();
  const one = await startOver(database, "one", { adminToken: "the-admin-token-of-all" });
  const { id } = await one.openEnvironment({ id: "mine" });
  const other = await startOver(database, "other", { adminToken: "the-admin-token-of-all" });
  const ask = async (token: string): Promise<number> => {
    database.performed.length = 0;
    const { status } = await send(other.url, `/__admin/environments/${id}/clock`, { key: token });
    return status;
  };
  expect(await ask(`sandbox_view_${id}_${"0".repeat(32)}`)).toBe(401);
  expect(database.performed.filter((name) => name === "find" || name === "read" || name === "claim")).toEqual([]);
  const path = `/__admin/environments/${id}/links`;
  const links = await send(one.url, path, { key: "the-admin-token-of-all", method: "POST" });
  expect(await ask(/sandbox_view_[\w-]+/.exec(links.text)?.[0] ?? "")).toBe(200);
});

/** Lets a request change an investment, and holds the write of this change. */
async function holdWrite(
  database: FakeDatabase,
  localSandbox: LocalSandbox,
): Promise<{ write: Held; investment: string }> {
  const steps = [{ after_reads: 1, investment: { status: "CLOSED" } }];
  const {
    investment_ids: [investment = ""],
  } = await localSandbox.play({ offering: known.aurora, investment: { amount: 100 }, steps });
  const write = database.hold("one", "write", "before");
  expect((await send(localSandbox.url, `/api/v1/investments/${investment}`, {})).status).toBe(200);
  await write.reached;
  return { write, investment };
}

test("a write that is delayed does not bring back what was before a transfer and back", async () => {
  const { database, one, other } = await startTwo();
  const { write, investment } = await holdWrite(database, one);
  // The transfer waits for the write; if it did not, the write would come after the next transfer.
  const there = other.clock.advance("1h");
  await Promise.race([there.then(() => one.clock.get()), wait(200)]);
  write.end();
  const { now } = await there;
  await one.clock.get();
  database.refuse("one");
  database.endSessions("one");
  expect((await other.clock.get()).now).toBe(now);
  expect(await statusOf(other, investment)).toBe("CLOSED");
});

test("a write whose connection broke is not repeated after another process has acted", async () => {
  const { database, one, other } = await startTwo();
  const { write } = await holdWrite(database, one);
  database.refuse("one");
  database.endSessions("one");
  const { now } = await other.clock.advance("1h");
  write.end("broken");
  database.accept("one");
  // Another process acts for the environment meanwhile, and a command that had not begun goes on over its content.
  expect((await one.clock.get()).now).toBe(now);
  await one.clock.advance("1h");
  const after = await one.clock.get();
  database.refuse("one");
  database.endSessions("one");
  expect(await other.clock.get()).toEqual(after);
});

test("a command whose process lost the environment meanwhile is not known to be in force", async () => {
  const { database, one, other } = await startTwo();
  const write = database.hold("one", "write", "before");
  const command = one.clock.advance("1h");
  await write.reached;
  database.refuse("one");
  database.endSessions("one");
  const { now } = await other.clock.advance("2h");
  write.end("broken");
  database.accept("one");
  await expect(command).rejects.toMatchObject({
    code: "storage_unavailable",
    message: "The connection to the database was lost. The command may or may not have been applied.",
  });
  expect([(await one.clock.get()).now, (await other.clock.get()).now]).toEqual([now, now]);
});

test("a running clock goes on through a transfer, by the time since its row was written", async () => {
  const database = useFakeDatabase();
  const one = await startOver(database, "one");
  const other = await startOver(database, "other");
  await one.clock.set({ speed: 1 });
  database.notify("want default 0");
  await until(() => ownerIn(database) === null);
  const hour = 3_600_000;
  const row = database.rows.get("default") as { written: number };
  row.written -= hour;
  const before = Date.parse((JSON.parse(database.rows.get("default")?.head ?? "") as EnvironmentSummary).clock.now);
  const passed = Date.parse((await other.clock.get()).now) - before;
  expect(passed).toBeGreaterThanOrEqual(hour);
  // However busy the machine is.
  expect(passed).toBeLessThan(2 * hour);
});

test("a command during which its process lost the environment is not known to be in force", async () => {
  const { database, one, other } = await startTwo();
  // oxlint-disable-next-line typescript/unbound-method
  const { commit } = Postgres.prototype;
  let [write, isWriting] = [() => {}, false];
  const written = new Promise<void>((resolve) => (write = resolve));
  vi.spyOn(Postgres.prototype, "commit").mockImplementationOnce(async function (this: Postgres, environment) {
    isWriting = true;
    await written;
    return commit.call(this, environment);
  });
  const command = one.clock.advance("1h");
  await until(() => isWriting);
  database.refuse("one");
  database.endSessions("one");
  const { now } = await other.clock.advance("2h");
  database.accept("one");
  const before = ownerIn(database);
  expect((await one.clock.get()).now).toBe(now);
  expect(ownerIn(database)).not.toBe(before);
  // The environment is here again, with the content of the other process, and without the command.
  write();
  await expect(command).rejects.toMatchObject({ code: "storage_unavailable", message: notKnown.away });
  expect((await one.clock.get()).now).toBe(now);
});

test("a claim waits for as long as the process of before may response from memory", async () => {
  const slow = { validity: 1500, grace: 1500, patience: 60_000 };
  const database = useFakeDatabase();
  const one = await startOver(database, "one", {}, slow);
  const other = await startOver(database, "other", {}, slow);
  const { now: before } = await one.clock.advance("1h");
  const tell = database.cutOff("one");
  // A message that wakes the claim does not shorten its wait.
  const waking = setInterval(() => database.notify("free default"), 10);
  const { now } = await other.clock.advance("1h");
  clearInterval(waking);
  // It does not know that its session has ended, and has to find out before it responds.
  const read = one.clock.get().then((clock) => clock.now);
  expect(await Promise.race([read, wait(100).then(() => "waits")])).not.toBe(before);
  tell();
  expect(await read).toBe(now);
});

test("a process that hears its own question keeps what it got", async () => {
  const { database, other } = await startTwo();
  database.delayed = [];
  const command = other.clock.advance("1h");
  await until(() => database.delayed?.length === 1);
  const [ask] = database.delayed;
  ask?.();
  await command;
  const owner = ownerIn(database);
  // It comes once more, as to a process that is slow to hear.
  ask?.();
  await wait(100);
  expect(ownerIn(database)).toBe(owner);
});

test("a transfer that PostgreSQL has no room for is refused in its words, and the environment still read", async () => {
  const { database, one, other } = await startTwo();
  const { now } = await one.clock.get();
  const words = 'could not extend file "base/5/16398": No space left on device';
  database.refusal = Object.assign(new Error(words), { code: "53100", severity: "ERROR" });
  const there = other.clock.get();
  await until(() => database.performed.filter((name) => name === "write").length > 3);
  for (let reads = 0; reads < 20; reads++) expect((await one.clock.get()).now).toBe(now);
  await expect(one.clock.advance("1h")).rejects.toMatchObject({
    code: "storage_unavailable",
    message: `${notKnown.refused} PostgreSQL says: ${words}.`,
  });
  database.refusal = undefined;
  const later = await there;
  expect((await one.clock.get()).now).toBe(later.now);
});

async function statusOf(sandbox: LocalSandbox, id: string): Promise<unknown> {
  return (await send(sandbox.url, `/api/v1/investments/${id}`, {})).json.data.attributes.status;
}
