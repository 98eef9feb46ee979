import { EventEmitter } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { vi } from "vitest";
import { format, statements } from "../../../src/storage/postgres/statements.ts";

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

/** The process of PostgreSQL of each session. */
const pid = 1;

interface Result {
  readonly rows: object[];
}

/** A statement that waits, of one process. */
export interface Held {
  /** Resolves when the statement has come to the point where it is held. */
  readonly reached: Promise<void>;
  /** Lets it go on, or fails it as a broken connection does. */
  readonly end: (outcome?: "broken") => void;
}

/** The part of PostgreSQL that the server uses, in memory. The user of an address names the process. */
export class FakeDatabase {
  readonly rows = new Map<string, FakeRow>();
  /** Messages that come late; undefined if they come at once. */
  delayed: (() => void)[] | undefined;
  /** What PostgreSQL says to each write; undefined if it performs them. */
  refusal: Error | undefined;
  /** The statements that were performed. */
  readonly performed: StatementName[] = [];
  readonly #clients = new Set<FakeClient>();
  readonly #refused = new Set<string>();
  readonly #holds: { user: string; name: StatementName; at: "before" | "after"; arrive: () => Promise<void> }[] = [];

  /** Holds the next statement of this name, before it is in force or before its response. */
  hold(user: string, name: StatementName, at: "before" | "after"): Held {
    let [arrived, end]: [() => void, Held["end"]] = [() => {}, () => {}];
    const reached = new Promise<void>((resolve) => (arrived = resolve));
    const ended = new Promise<void>((resolve, reject) => {
      end = (outcome) => (outcome === "broken" ? reject(new Error("read ECONNRESET")) : resolve());
    });
    this.#holds.push({ user, name, at, arrive: () => (arrived(), ended) });
    return { reached, end };
  }

  async pass(user: string, name: StatementName, at: "before" | "after"): Promise<void> {
    const index = this.#holds.findIndex((hold) => hold.user === user && hold.name === name && hold.at === at);
    if (index >= 0) await this.#holds.splice(index, 1)[0]?.arrive();
  }

  /** Ends the sessions of a process, whose locks are free at once. */
  endSessions(user: string): void {
    for (const client of Array.from(this.#clients)) if (client.user === user) void client.end();
  }

  /** Ends the sessions of a process without its notice: what it asks is not answered. Returns what tells it. */
  cutOff(user: string): () => void {
    const cut = Array.from(this.#clients).filter((client) => client.user === user);
    for (const client of cut) this.#clients.delete(client);
    return () => cut.forEach((client) => void client.end());
  }

  /** Whether PostgreSQL has a session. */
  has(client: FakeClient): boolean {
    return this.#clients.has(client);
  }

  /** Lets no connection of a process come about. */
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

  /** Whether a session has the lock of a number. */
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
    sign: () => [{ pid }],
    meta: () => [{ format, link_secret: Buffer.alloc(32) }],
    claim: (id: string, uid: string, own: string, dead: string | null, _: string, verb: string) => {
      const row = this.rows.get(id);
      if (row?.uid !== uid) return [];
      const { owner } = row;
      const isOver = owner !== null && owner === dead && !this.isLocked(owner);
      if (owner === null || owner === own || isOver) {
        if (isOver) row.traffic = null;
        row.owner = own;
        return [{ ...textsOf(row), owner }];
      }
      this.notify(`${verb} ${id} ${own}`);
      return [{ document: null, owner, isDead: !this.isLocked(owner) }];
    },
    giveUp: (id: string, own: string) => {
      const row = this.rows.get(id);
      if (row?.owner === own) row.owner = null;
      return [];
    },
    resume: (own: string, earlier: readonly string[], ids: readonly string[]) => {
      const owned = Array.from(this.rows).filter(([, { owner }]) => owner !== null && earlier.includes(owner));
      return owned.map(([id, row]) => {
        row.owner = ids.includes(id) ? own : null;
        return { id, isOurs: row.owner !== null };
      });
    },
    write: (
      id: string,
      own: string | null,
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
      if (own === null || row?.owner !== own) return [];
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
      return row ? [{ ...textsOf(row), uid: row.uid, ...(row.uid === uid && { document: null }) }] : [];
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

function textsOf({ document, traffic, head, written }: FakeRow): object {
  return { document, traffic, head: JSON.parse(head) as object, age: Date.now() - written };
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
    // A response that is under way comes, even if the connection breaks.
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

/** A connection of the pool. A statement still arrives after its connection broke. */
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

/** Gives sandboxes whose addresses begin with `postgres://` a database in memory, which is new. */
export function useFakeDatabase(): FakeDatabase {
  vi.doMock("pg", () => ({ default: { Client: FakeClient, Pool: FakePool } }));
  return (database = new FakeDatabase());
}
