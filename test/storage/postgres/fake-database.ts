import { EventEmitter } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { vi } from "vitest";
import { tableFormat, statements } from "../../../src/storage/postgres/statements.ts";

type StatementName = keyof typeof statements | "listen";

interface FakeRow {
  readonly uid: string;
  owner: string | null;
  document: string;
  head: string;
  keys: readonly string[];
  traffic: string | null;
  written: number;
}

/** The server process of every session. */
const pid = 1;

interface Result {
  readonly rows: object[];
}

/** A statement of one process that the test delays. */
export interface HeldStatement {
  /** Resolves when the statement has reached the point at which it waits. */
  readonly reached: Promise<void>;
  /** Lets the statement continue, or fails it like a lost connection. */
  readonly end: (outcome?: "broken") => void;
}

/** The part of PostgreSQL that the server uses, in memory. The user of an address names the process. */
export class FakeDatabase {
  readonly rows = new Map<string, FakeRow>();
  /** Notifications that the test sends later; undefined if they are sent at once. */
  delayed: (() => void)[] | undefined;
  /** The error of PostgreSQL for each write; undefined if it performs them. */
  refusal: Error | undefined;
  /** The statements that were performed. */
  readonly performed: StatementName[] = [];
  readonly #clients = new Set<FakeClient>();
  readonly #refused = new Set<string>();
  readonly #holds: { user: string; name: StatementName; at: "before" | "after"; onArrival: () => Promise<void> }[] = [];

  /** Delays the next statement of this name, before it is performed or before its response. */
  hold(user: string, name: StatementName, at: "before" | "after"): HeldStatement {
    let [arrived, end]: [() => void, HeldStatement["end"]] = [() => {}, () => {}];
    const reached = new Promise<void>((resolve) => (arrived = resolve));
    const released = new Promise<void>((resolve, reject) => {
      end = (outcome) => (outcome === "broken" ? reject(new Error("read ECONNRESET")) : resolve());
    });
    this.#holds.push({ user, name, at, onArrival: () => (arrived(), released) });
    return { reached, end };
  }

  async pass(user: string, name: StatementName, at: "before" | "after"): Promise<void> {
    const index = this.#holds.findIndex((hold) => hold.user === user && hold.name === name && hold.at === at);
    if (index >= 0) await this.#holds.splice(index, 1)[0]?.onArrival();
  }

  /** Ends the sessions of a process, whose locks are free at once. */
  endSessions(user: string): void {
    for (const client of Array.from(this.#clients)) if (client.user === user) void client.end();
  }

  /** Ends the sessions of a process, which gets no more responses. Returns a function that reports the end to it. */
  cutOff(user: string): () => void {
    const cutClients = Array.from(this.#clients).filter((client) => client.user === user);
    for (const client of cutClients) this.#clients.delete(client);
    return () => cutClients.forEach((client) => void client.end());
  }

  /** Whether PostgreSQL has the session of a client. */
  has(client: FakeClient): boolean {
    return this.#clients.has(client);
  }

  /** Refuses all new connections of a process. */
  refuse(user: string): void {
    this.#refused.add(user);
  }

  accept(user: string): void {
    this.#refused.delete(user);
  }

  connect(client: FakeClient): void {
    if (this.#refused.has(client.user)) throw new Error("connect ECONNREFUSED");
    this.#clients.add(client);
  }

  disconnect(client: FakeClient): void {
    this.#clients.delete(client);
  }

  /** Whether a session has locked a session id. */
  isLocked(number: string | null | undefined): boolean {
    return Array.from(this.#clients).some(({ lock }) => lock !== undefined && lock === number);
  }

  perform(name: StatementName, values: readonly never[]): object[] {
    this.performed.push(name);
    if (this.refusal && name === "write") throw this.refusal;
    return (this.#statements[name] as ((...all: readonly unknown[]) => object[]) | undefined)?.(...values) ?? [];
  }

  readonly #statements: Partial<Record<StatementName, (...values: never[]) => object[]>> = {
    check: () => [{ pid, encoding: "UTF8", isReadOnly: false, isPrepared: true, isCreated: true, grants: [] }],
    heartbeat: () => [{ pid }],
    meta: () => [{ format: tableFormat, link_secret: Buffer.alloc(32) }],
    claim: (id: string, uid: string, ownId: string, deadOwner: string | null, _: string, verb: string) => {
      const row = this.rows.get(id);
      if (row?.uid !== uid) return [];
      const { owner } = row;
      const isTakeover = owner !== null && owner === deadOwner && !this.isLocked(owner);
      if (owner === null || owner === ownId || isTakeover) {
        if (isTakeover) row.traffic = null;
        row.owner = ownId;
        return [{ ...columnsOf(row), owner }];
      }
      this.notify(`${verb} ${id} ${ownId}`);
      return [{ document: null, owner, isDead: !this.isLocked(owner) }];
    },
    giveUp: (id: string, ownId: string) => {
      const row = this.rows.get(id);
      if (row?.owner === ownId) row.owner = null;
      return [];
    },
    resume: (ownId: string, earlierIds: readonly string[], ids: readonly string[]) => {
      const ownedRows = Array.from(this.rows).filter(([, { owner }]) => owner !== null && earlierIds.includes(owner));
      return ownedRows.map(([id, row]) => {
        row.owner = ids.includes(id) ? ownId : null;
        return { id, isOurs: row.owner !== null };
      });
    },
    write: (
      id: string,
      ownId: string | null,
      _: string,
      document: string,
      head: string,
      keys: string[],
      __: null,
      age: number,
      traffic: string | null,
    ) => {
      const row = this.rows.get(id);
      // Nothing equals null.
      if (ownId === null || row?.owner !== ownId) return [];
      Object.assign(row, { document, head, keys, written: Date.now() - age });
      if (traffic !== null) {
        Object.assign(row, { owner: null, traffic });
        this.notify(`free ${id}`);
      }
      return [{}];
    },
    add: (id: string, uid: string, _: number, document: string, head: string, keys: readonly string[]) => {
      const row = this.rows.get(id);
      if (row) return [{ refusal: row.uid === uid ? null : "id" }];
      this.rows.set(id, { uid, owner: null, document, head, keys, traffic: null, written: Date.now() });
      return [{ refusal: null }];
    },
    findToken: (id: string) => {
      const row = this.rows.get(id);
      return row ? [{ uid: row.uid, isIssued: false }] : [];
    },
    find: (id: string, uid: string | null) => {
      const row = this.rows.get(id);
      return row ? [{ ...columnsOf(row), uid: row.uid, ...(row.uid === uid && { document: null }) }] : [];
    },
  };

  /** Sends a message to all sessions. */
  notify(payload: string): void {
    const send = (): void => {
      for (const client of this.#clients) if (client.listens) client.emit("notification", { payload });
    };
    if (this.delayed) this.delayed.push(send);
    else setImmediate(send);
  }
}

function columnsOf({ document, traffic, head, written }: FakeRow): object {
  return { document, traffic, head: JSON.parse(head) as object, ageMs: Date.now() - written };
}

let database = new FakeDatabase();

/** `Client` of the package. */
class FakeClient extends EventEmitter {
  readonly processID = pid;
  readonly host = "fake";
  readonly port = 5432;
  readonly user: string;
  lock: string | undefined;
  listens = false;
  readonly #database = database;
  readonly broken: Promise<never>;
  #break: (error: Error) => void = () => {};
  #isBroken = false;

  constructor({ connectionString }: { readonly connectionString: string }) {
    super();
    this.user = new URL(connectionString).username;
    this.broken = new Promise((_, reject) => (this.#break = reject));
    this.broken.catch(() => {});
  }

  async connect(): Promise<unknown> {
    await turn();
    return this.#database.connect(this);
  }

  async query(text: string, values: readonly never[] = []): Promise<Result> {
    await turn();
    if (this.#isBroken) throw new Error("Client was closed and is not queryable");
    if (!this.#database.has(this)) return this.broken;
    return this.perform(nameOf(text), values, this.broken);
  }

  async perform(name: StatementName, values: readonly never[], broken?: Promise<never>): Promise<Result> {
    const arrival = this.#database.pass(this.user, name, "before");
    await (broken ? Promise.race([arrival, broken]) : arrival);
    if (name === "prepare") this.lock = values[3];
    if (name === "listen") this.listens = true;
    const rows = this.#database.perform(name, values);
    // A response that was already sent arrives, even if the connection is lost.
    await this.#database.pass(this.user, name, "after");
    return { rows };
  }

  async end(): Promise<void> {
    this.#isBroken = true;
    this.#database.disconnect(this);
    this.#break(new Error("Connection terminated unexpectedly"));
    this.emit("end");
  }
}

/** A connection of the pool. A statement still arrives after its connection was lost. */
class FakeConnection extends FakeClient {
  override async query(text: string, values: readonly never[] = []): Promise<Result> {
    const arriving = this.perform(nameOf(text), values);
    arriving.catch(() => {});
    return Promise.race([arriving, this.broken]);
  }

  release(): void {}
}

class FakePool extends EventEmitter {
  readonly #config: { readonly connectionString: string };

  constructor(config: { readonly connectionString: string }) {
    super();
    this.#config = config;
  }

  async connect(): Promise<FakeConnection> {
    await turn();
    return new FakeConnection(this.#config);
  }

  async end(): Promise<void> {}
}

function nameOf(text: string): StatementName {
  if (text.startsWith("listen")) return "listen";
  const found = Object.entries(statements).find(([, statement]) => statement === text.replaceAll('"public".', ""));
  if (!found) throw new Error(`The fake database does not know ${text}`);
  return found[0] as StatementName;
}

/** Creates a database in memory for all sandboxes whose addresses begin with `postgres://`. */
export function useFakeDatabase(): FakeDatabase {
  vi.doMock("pg", () => ({ default: { Client: FakeClient, Pool: FakePool } }));
  return (database = new FakeDatabase());
}
