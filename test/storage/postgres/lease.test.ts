import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import type { EnvironmentSummary, LocalSandbox, SandboxOptions } from "../../../src/index.ts";
import { startRunning } from "../../../src/sandbox/start-running.ts";
import { Postgres } from "../../../src/storage/postgres/postgres.ts";
import { type PgModule } from "../../../src/storage/postgres/connection.ts";
import { outcomeUnknownMessages } from "../../../src/storage/postgres/errors.ts";
import { defaultTimings, Session, type Timings } from "../../../src/storage/postgres/session.ts";
import { known, knownFixture, send } from "../../support/sandbox.ts";
import { until } from "../../support/until.ts";
import { type FakeDatabase, type HeldStatement, useFakeDatabase } from "./fake-database.ts";

/** Short timings, so that the tests wait less. No result depends on them. */
const timings = { ...defaultTimings, heartbeatIntervalMs: 5, leaseDurationMs: 100, takeoverDelayMs: 100 };

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
async function startTwo(): Promise<{ database: FakeDatabase; first: LocalSandbox; second: LocalSandbox }> {
  const database = useFakeDatabase();
  const first = await startOver(database, "one");
  const second = await startOver(database, "other");
  await first.clock.advance("1h");
  return { database, first, second };
}

/** The owner of the default environment. */
const ownerIn = ({ rows }: FakeDatabase): string | null | undefined => rows.get("default")?.owner;

test("a claim with the id of an earlier session is repeated", async () => {
  const { database, first, second } = await startTwo();
  await second.clock.advance("1h");
  const claim = database.hold("one", "claim", "before");
  const read = first.clock.get();
  await claim.reached;
  // The second process releases the environment, and the claim arrives late, with the id of an ended session.
  const before = ownerIn(database);
  database.notify("want default 0");
  await until(() => ownerIn(database) === null);
  const heartbeat = database.hold("one", "heartbeat", "after");
  database.endSessions("one");
  await heartbeat.reached;
  heartbeat.end();
  await wait(10);
  claim.end();
  await read;
  expect(ownerIn(database)).not.toBe(before);
  expect(database.isLocked(ownerIn(database))).toBe(true);
  const { now } = await second.clock.advance("1h");
  expect((await first.clock.get()).now).toBe(now);
});

test("a write with the id of an ended session is repeated with the id of the next session", async () => {
  const { database, first, second } = await startTwo();
  const before = ownerIn(database);
  const write = database.hold("one", "write", "before");
  const command = first.clock.advance("1h");
  await write.reached;
  database.endSessions("one");
  await until(() => ownerIn(database) !== before);
  write.end();
  const { now } = await command;
  expect((await second.clock.get()).now).toBe(now);
});

test("a statement that arrives after its connection was lost has the id of an earlier session", async () => {
  const { database, first } = await startTwo();
  const before = ownerIn(database);
  const write = database.hold("one", "write", "before");
  const command = first.clock.advance("1h");
  await write.reached;
  write.end("broken");
  await command;
  expect(database.isLocked(before)).toBe(false);
  expect(database.isLocked(ownerIn(database))).toBe(true);
});

test("a session that is lost while a claimed environment is opened gives up the claim", async () => {
  const { database, first, second } = await startTwo();
  await second.clock.advance("1h");
  // oxlint-disable-next-line typescript/unbound-method
  const { takeOver } = Postgres.prototype;
  let [open, isOpening] = [() => {}, false];
  const opened = new Promise<void>((resolve) => (open = resolve));
  vi.spyOn(Postgres.prototype, "takeOver").mockImplementationOnce(async function (this: Postgres, ...row) {
    isOpening = true;
    await opened;
    return takeOver.apply(this, row);
  });
  const read = first.clock.get();
  await until(() => isOpening);
  const claimant = ownerIn(database);
  database.endSessions("one");
  await until(() => ownerIn(database) !== claimant);
  const { now } = await second.clock.advance("1h");
  open();
  expect((await read).now).toBe(now);
});

test("a heartbeat that is confirmed after its session was lost does not count", async () => {
  const database = useFakeDatabase();
  const { Client, Pool } = (await import("pg")).default as unknown as PgModule;
  const session = new Session(
    { Client, Pool },
    { connectionString: "postgres://one@fake/sandbox" },
    "sandbox",
    timings,
  );
  onTestFinished(() => session.close());
  void session.open({ onReconnect: async () => {}, onNotification: () => {}, onHeartbeat: () => {} });
  await session.waitUntilAlive();
  const heartbeat = database.hold("one", "heartbeat", "after");
  await heartbeat.reached;
  database.refuse("one");
  database.endSessions("one");
  heartbeat.end();
  for (let checkCount = 0; checkCount < 20; checkCount++) {
    await wait(1);
    expect([session.isAlive, session.sessionId]).toEqual([false, undefined]);
  }
});

test("an invalid token reads no document of the environment that it names", async () => {
  const database = useFakeDatabase();
  const first = await startOver(database, "one", { adminToken: "the-admin-token-of-all" });
  const { id } = await first.openEnvironment({ id: "mine" });
  const second = await startOver(database, "other", { adminToken: "the-admin-token-of-all" });
  const sendWithToken = async (token: string): Promise<number> => {
    database.performed.length = 0;
    const { status } = await send(second.url, `/__admin/environments/${id}/clock`, { key: token });
    return status;
  };
  expect(await sendWithToken(`sandbox_view_${id}_${"0".repeat(32)}`)).toBe(401);
  expect(database.performed.filter((name) => name === "find" || name === "read" || name === "claim")).toEqual([]);
  const path = `/__admin/environments/${id}/links`;
  const links = await send(first.url, path, { key: "the-admin-token-of-all", method: "POST" });
  expect(await sendWithToken(/sandbox_view_[\w-]+/.exec(links.text)?.[0] ?? "")).toBe(200);
});

/** Sends a request that changes an investment, and delays the write of this change. */
async function holdWrite(
  database: FakeDatabase,
  localSandbox: LocalSandbox,
): Promise<{ write: HeldStatement; investment: string }> {
  const steps = [{ after_reads: 1, investment: { status: "CLOSED" } }];
  const {
    investment_ids: [investment = ""],
  } = await localSandbox.play({ offering: known.aurora, investment: { amount: 100 }, steps });
  const write = database.hold("one", "write", "before");
  expect((await send(localSandbox.url, `/api/v1/investments/${investment}`, {})).status).toBe(200);
  await write.reached;
  return { write, investment };
}

test("a delayed write does not restore the state before two transfers", async () => {
  const { database, first, second } = await startTwo();
  const { write, investment } = await holdWrite(database, first);
  // The transfer waits for the write; if it did not, the write would come after the next transfer.
  const there = second.clock.advance("1h");
  await Promise.race([there.then(() => first.clock.get()), wait(200)]);
  write.end();
  const { now } = await there;
  await first.clock.get();
  database.refuse("one");
  database.endSessions("one");
  expect((await second.clock.get()).now).toBe(now);
  expect(await statusOf(second, investment)).toBe("CLOSED");
});

test("a write whose connection was lost is not repeated after another process has acted", async () => {
  const { database, first, second } = await startTwo();
  const { write } = await holdWrite(database, first);
  database.refuse("one");
  database.endSessions("one");
  const { now } = await second.clock.advance("1h");
  write.end("broken");
  database.accept("one");
  // Another process acts for the environment meanwhile. A command that had not begun continues with its content.
  expect((await first.clock.get()).now).toBe(now);
  await first.clock.advance("1h");
  const after = await first.clock.get();
  database.refuse("one");
  database.endSessions("one");
  expect(await second.clock.get()).toEqual(after);
});

test("a command whose process loses the lease during the write may or may not have been applied", async () => {
  const { database, first, second } = await startTwo();
  const write = database.hold("one", "write", "before");
  const command = first.clock.advance("1h");
  await write.reached;
  database.refuse("one");
  database.endSessions("one");
  const { now } = await second.clock.advance("2h");
  write.end("broken");
  database.accept("one");
  await expect(command).rejects.toMatchObject({
    code: "storage_unavailable",
    message: "The connection to the database was lost. The command may or may not have been applied.",
  });
  expect([(await first.clock.get()).now, (await second.clock.get()).now]).toEqual([now, now]);
});

test("a running clock continues through a transfer, by the time since its row was written", async () => {
  const database = useFakeDatabase();
  const first = await startOver(database, "one");
  const second = await startOver(database, "other");
  await first.clock.set({ speed: 1 });
  database.notify("want default 0");
  await until(() => ownerIn(database) === null);
  const hour = 3_600_000;
  const row = database.rows.get("default") as { written: number };
  row.written -= hour;
  const before = Date.parse((JSON.parse(database.rows.get("default")?.head ?? "") as EnvironmentSummary).clock.now);
  const passedMs = Date.parse((await second.clock.get()).now) - before;
  expect(passedMs).toBeGreaterThanOrEqual(hour);
  // However busy the machine is.
  expect(passedMs).toBeLessThan(2 * hour);
});

test("a command whose process loses the lease before the write may or may not have been applied", async () => {
  const { database, first, second } = await startTwo();
  // oxlint-disable-next-line typescript/unbound-method
  const { commit } = Postgres.prototype;
  let [write, isWriting] = [() => {}, false];
  const released = new Promise<void>((resolve) => (write = resolve));
  vi.spyOn(Postgres.prototype, "commit").mockImplementationOnce(async function (this: Postgres, environment) {
    isWriting = true;
    await released;
    return commit.call(this, environment);
  });
  const command = first.clock.advance("1h");
  await until(() => isWriting);
  database.refuse("one");
  database.endSessions("one");
  const { now } = await second.clock.advance("2h");
  database.accept("one");
  const before = ownerIn(database);
  expect((await first.clock.get()).now).toBe(now);
  expect(ownerIn(database)).not.toBe(before);
  // The first process has the environment again, with the content of the second process and without the command.
  write();
  await expect(command).rejects.toMatchObject({
    code: "storage_unavailable",
    message: outcomeUnknownMessages.unreachable,
  });
  expect((await first.clock.get()).now).toBe(now);
});

test("a claim waits for as long as the previous owner may respond from memory", async () => {
  const slow = { leaseDurationMs: 1500, takeoverDelayMs: 1500, queryTimeoutMs: 60_000 };
  const database = useFakeDatabase();
  const first = await startOver(database, "one", {}, slow);
  const second = await startOver(database, "other", {}, slow);
  const { now: before } = await first.clock.advance("1h");
  const endCutSessions = database.cutOff("one");
  // A message that wakes the claim does not shorten its wait.
  const wakeInterval = setInterval(() => database.notify("free default"), 10);
  const { now } = await second.clock.advance("1h");
  clearInterval(wakeInterval);
  // The first process does not know that its session has ended, and has to find out before it responds.
  const read = first.clock.get().then((clock) => clock.now);
  expect(await Promise.race([read, wait(100).then(() => "waits")])).not.toBe(before);
  endCutSessions();
  expect(await read).toBe(now);
});

test("a process ignores its own notifications", async () => {
  const { database, second } = await startTwo();
  database.delayed = [];
  const command = second.clock.advance("1h");
  await until(() => database.delayed?.length === 1);
  const [notify] = database.delayed;
  notify?.();
  await command;
  const owner = ownerIn(database);
  // The notification arrives once more, like in a process that is slow to receive it.
  notify?.();
  await wait(100);
  expect(ownerIn(database)).toBe(owner);
});

test("a transfer that fails for a full disk is refused with the words of PostgreSQL, and reads continue", async () => {
  const { database, first, second } = await startTwo();
  const { now } = await first.clock.get();
  const words = 'could not extend file "base/5/16398": No space left on device';
  database.refusal = Object.assign(new Error(words), { code: "53100", severity: "ERROR" });
  const there = second.clock.get();
  await until(() => database.performed.filter((name) => name === "write").length > 3);
  for (let reads = 0; reads < 20; reads++) expect((await first.clock.get()).now).toBe(now);
  await expect(first.clock.advance("1h")).rejects.toMatchObject({
    code: "storage_unavailable",
    message: `${outcomeUnknownMessages.refused} PostgreSQL says: ${words}.`,
  });
  database.refusal = undefined;
  const later = await there;
  expect((await first.clock.get()).now).toBe(later.now);
});

async function statusOf(sandbox: LocalSandbox, id: string): Promise<unknown> {
  return (await send(sandbox.url, `/api/v1/investments/${id}`, {})).json.data.attributes.status;
}
