import { createHash, randomBytes } from "node:crypto";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { Client, ClientConfig } from "pg";
import { codeOf, messageOf, ValidationError } from "../../validation/errors.ts";
import { version } from "../../package.ts";
import { DatabaseError } from "../file-lock.ts";
import {
  boundedConfig,
  inSchema,
  isAway,
  isTransient,
  notInSessionMode,
  type PgModule,
  prepareSession,
  reasonOf,
} from "./connection.ts";
import { newNumber, type Timings } from "./session.ts";
import { format, statements } from "./statements.ts";

const startTimeoutMs = 30_000;
const retryDelayMs = 200;
/** A start says what it waits for after this time. */
const noticeDelayMs = 2000;

/**
 * Throws ValidationError for an address that is none of PostgreSQL. It may have a password, so no message repeats it.
 */
export function addressOf(address: string): { readonly config: ClientConfig; readonly schema: string } {
  const expected = "expected postgres://user@host:port/database, perhaps with ?schema=NAME";
  if (!URL.canParse(address)) throw new ValidationError(`db is not an address; ${expected}.`);
  const url = new URL(address);
  const [schema = "public", ...others] = url.searchParams.getAll("schema");
  if (!/^[a-z_][a-z\d_]{0,54}$/.test(schema) || others.length > 0) {
    throw new ValidationError(`db: the schema is not a name of lower-case letters, digits and "_"; ${expected}.`);
  }
  url.searchParams.delete("schema");
  // Whoever names a schema in another way would get the environments of another one.
  const otherWay = /search_?path|\w*schema/i.exec(url.search)?.[0];
  if (otherWay !== undefined) throw new ValidationError(`db: "${otherWay}" does not choose the schema; ${expected}.`);
  return { config: { connectionString: url.href, application_name: `offering-sandbox ${version}` }, schema };
}

/** What all processes over one database should have alike. */
interface Terms {
  readonly rateLimit: number;
  readonly profile: string;
  readonly adminToken: string | null;
  readonly openToken: string | null;
}

export interface Start {
  readonly config: ClientConfig;
  readonly schema: string;
  readonly timings: Timings;
  readonly terms: Terms;
  /** Called with a sentence if PostgreSQL has not answered after two seconds. */
  readonly onWait: (message: string) => void;
}

/**
 * Waits until PostgreSQL responds, reads back what must hold, and creates the tables if they are missing. Rejects with
 * DatabaseError: after half a minute if PostgreSQL is away or full, at once for any other reason.
 */
export async function prepareTables(pg: PgModule, start: Start) {
  const end = performance.now() + startTimeoutMs;
  const config = boundedConfig(start.config, start.timings.patience);
  const { host, port, user = "" } = newClient(pg, config);
  const place = `PostgreSQL at ${host}:${port}`;
  let reason = "";
  const notice = setTimeout(() => start.onWait(`waiting for ${place}${reason}`), noticeDelayMs).unref();
  try {
    for (;;) {
      const clients = [newClient(pg, config), newClient(pg, config)] as const;
      try {
        return { place, ...(await prepareOver(clients, start)) };
      } catch (error) {
        if (!isTransient(error) || performance.now() >= end) {
          const advice = error instanceof Problem ? error.advice : "";
          throw new DatabaseError(place, problemOf(error, user, start.schema), advice);
        }
        reason = `: ${reasonOf(error)}`;
        await wait(retryDelayMs);
      } finally {
        for (const client of clients) void client.end().catch(() => {});
      }
    }
  } finally {
    clearTimeout(notice);
  }
}

/** Throws DatabaseError for an address with files that cannot be read. */
function newClient(pg: PgModule, config: ClientConfig): Client {
  try {
    return new pg.Client(config).on("error", () => {});
  } catch (error) {
    throw new DatabaseError("PostgreSQL", `cannot be asked: ${messageOf(error)}`, "");
  }
}

/** The message is a clause whose subject is PostgreSQL at its address. */
class Problem extends Error {
  readonly advice: string;

  constructor(message: string, advice = "") {
    super(message);
    this.advice = advice;
  }
}

/** Prepares the tables over the first client. Only a pooler needs the second. */
async function prepareOver([client, second]: readonly [Client, Client], start: Start) {
  const { schema, timings, terms } = start;
  await client.connect();
  const bounds = { lock: timings.patience, silence: startTimeoutMs };
  const check = await prepareSession(client, schema, bounds, newNumber());
  // A pooler gives its clients other numbers than PostgreSQL.
  if ((client as { readonly processID?: number }).processID !== check.pid)
    await expectSessions(client, second, check.pid);
  if (check.encoding !== "UTF8") {
    const advice = "create database sandbox encoding 'UTF8' template template0;";
    const problem = `has a database of the encoding ${check.encoding}, which cannot store every text`;
    throw new Problem(problem, `Use one of UTF8: ${advice}`);
  }
  if (check.isReadOnly) throw new Problem("is read-only, as a standby is", "Use the address of the primary.");
  if (check.grants.length > 0) {
    const advice = `Whoever owns them may run: ${check.grants.join("; ")};`;
    throw new Problem(`refuses its tables to "${client.user}"`, advice);
  }
  const { link_secret: linkSecret } = await readMeta(client, schema, check.isCreated);
  // Tables of the same names may be those of another program.
  await client.query(inSchema(statements.find, schema), ["", null]);
  const name = nameOf(linkSecret, terms);
  return { linkSecret, name: `${start.config.application_name} ${name}`, warnings: await differences(client, name) };
}

/** Rejects unless two clients at once have connections of their own, and keep them. */
async function expectSessions(client: Client, second: Client, pid: number): Promise<void> {
  try {
    await second.connect();
    // In another mode than that of sessions, it takes the connection that the first client had.
    await second.query("begin");
  } catch (error) {
    if (!isAway(error)) throw error;
    throw new Problem("is behind a pooler that has no second connection for this process, which needs five");
  }
  for (const each of [second, client, client]) {
    const { rows } = await each.query<{ readonly pid: number }>(statements.sign);
    if ((rows[0]?.pid === pid) !== (each === client)) throw new Error(notInSessionMode);
  }
}

/** The lock under which tables are created: any number that other programs are unlikely to take. */
const creationLock = "7302894518240557";

interface Meta {
  readonly format: number;
  readonly link_secret: Buffer;
}

async function readMeta(client: Client, schema: string, isCreated: boolean): Promise<Meta> {
  const ask = (text: string, values?: unknown[]) => client.query<Meta>(inSchema(text, schema), values);
  const read = async (): Promise<Meta | undefined> => {
    const [meta] = (await ask(statements.meta)).rows;
    if (!meta || meta.format === format) return meta;
    const age = meta.format > format ? "a later" : "an earlier";
    const advice = "Start that version, or use another database or ?schema=.";
    throw new Problem(`has tables of ${age} version of offering-sandbox`, advice);
  };
  const before = await read().catch((error: unknown) => {
    if (codeOf(error) !== "42P01") throw error;
    return undefined;
  });
  if (before && isCreated) return before;
  await ask("begin");
  await ask("select pg_advisory_xact_lock($1::bigint)", [creationLock]);
  // `if not exists` would ask for the right to create, too.
  const { rows } = await ask("select from pg_namespace where nspname = $1", [schema]);
  if (rows.length === 0) await ask(`create schema "${schema}"`);
  await ask(statements.createTables);
  await ask(statements.addMeta, [format, randomBytes(32)]);
  await ask("commit");
  return (await read()) as Meta;
}

/** `1a2b3c/120/standard/4d5e6f`: the schema, by its secret, and the terms of a process over it. */
function nameOf(linkSecret: Buffer, { rateLimit, profile, adminToken, openToken }: Terms): string {
  const digest = (...texts: readonly unknown[]) =>
    createHash("sha256").update(linkSecret).update(texts.join("\n")).digest("hex").slice(0, 6);
  return [digest(), rateLimit, profile, digest(adminToken, openToken)].join("/");
}

/** Warnings, where processes that run over the same schema have other terms. */
async function differences(client: Client, name: string): Promise<string[]> {
  const [schema, ...own] = name.split("/");
  const pattern = `offering-sandbox % ${schema}/%`;
  const { rows } = await client.query<{ application_name: string }>(statements.names, [pattern]);
  const words = [(value = "") => `--rate-limit ${value}`, (value = "") => `--profile ${value}`, () => "other tokens"];
  const differing = rows.flatMap(({ application_name }) => {
    const theirs = application_name.split("/").slice(1);
    return words.flatMap((word, at) => (theirs[at] === own[at] ? [] : word(theirs[at])));
  });
  const advice = "Processes over one database should have the same settings.";
  return Array.from(new Set(differing), (term) => `Another process over this database has ${term}. ${advice}`);
}

/** The reason as a clause whose subject is PostgreSQL at its address. Has no password. */
function problemOf(error: unknown, user: string, schema: string): string {
  const [code = "", reason] = [codeOf(error), reasonOf(error)];
  if (error instanceof Problem) return reason;
  if (isAway(error)) return `does not respond: ${reason}`;
  if (reason.includes("client password")) return `refuses "${user}": it asks for a password`;
  if (/^(?:28|3D000|08P01|53300)/.test(code)) return `refuses "${user}": ${reason}`;
  if (code === "42501") {
    return `may not create tables in the schema "${schema}" for "${user}"; docs/sharing.md has the statements for somebody who may`;
  }
  if (code === "42704") return "is older than 14, which is needed";
  return `cannot be used: ${reason}`;
}
