import { createHash, randomBytes } from "node:crypto";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { Client, ClientConfig } from "pg";
import { codeOf, messageOf, Mistake } from "../../model/mistakes.ts";
import { version } from "../../package.ts";
import { UnusableDatabase } from "../file-lock.ts";
import { isBroken, type PgModule, reasonOf, type Timings } from "./session.ts";
import { createTables, creationLock, format } from "./statements.ts";

/** Milliseconds in which PostgreSQL must answer at a start. */
const startTime = 30_000;
/** Milliseconds before the next try. */
const startInterval = 200;

/** Rejects with UnusableDatabase if the package is missing. */
export async function importPg(): Promise<PgModule> {
  try {
    return (await import("pg")).default;
  } catch (error) {
    if (codeOf(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new UnusableDatabase("--db postgres://…", 'needs the package "pg": npm install pg', "");
  }
}

/** Throws Mistake for an address that is none of PostgreSQL. It may have a password, so no message repeats it. */
export function addressOf(address: string): { readonly config: ClientConfig; readonly schema: string } {
  const expected = "expected postgres://user@host:port/database, perhaps with ?schema=NAME";
  if (!URL.canParse(address)) throw new Mistake(`db is not an address; ${expected}.`);
  const url = new URL(address);
  const schema = url.searchParams.get("schema") ?? "public";
  if (!/^[a-z_][a-z\d_]{0,54}$/.test(schema)) {
    throw new Mistake(`db: the schema is not a name of lower-case letters, digits and "_"; ${expected}.`);
  }
  // In the address, `pg` would take them for all options.
  const options = url.searchParams.get("options") ?? "";
  for (const name of ["schema", "options"]) url.searchParams.delete(name);
  const config = { connectionString: url.href, application_name: `offering-sandbox ${version}` };
  return { config: { ...config, options: `${options} -c search_path=${schema}` }, schema };
}

/** What all processes over one database should have alike. */
export interface Terms {
  readonly rateLimit: number;
  readonly profile: string;
  readonly adminToken: string | null;
  readonly openToken: string | null;
}

/**
 * Creates the tables if they are missing. Returns the name of the place for messages, the secret of links, and the
 * differences from processes that run. The name of the sessions shows the terms. Rejects with UnusableDatabase.
 */
export async function prepareTables(
  pg: PgModule,
  config: ClientConfig,
  schema: string,
  { silence, patience }: Timings,
  terms: Terms,
): Promise<Pick<ClientConfig, "application_name"> & { place: string; linkSecret: Buffer; warnings: string[] }> {
  const end = performance.now() + startTime;
  for (;;) {
    const options = `${config.options ?? ""} -c idle_session_timeout=${silence}`;
    const client = newClient(pg, { ...config, options, connectionTimeoutMillis: patience });
    client.on("error", () => {});
    const place = `PostgreSQL at ${client.host}:${client.port}`;
    try {
      await client.connect();
      const meta = await readMeta(client, schema);
      if (meta.format === format) {
        const linkSecret = meta.link_secret;
        const name = nameOf(linkSecret, terms);
        const application_name = `${config.application_name} ${name}`;
        return { place, linkSecret, application_name, warnings: await differences(client, name) };
      }
      const age = meta.format > format ? "a later" : "an earlier";
      throw new UnusableDatabase(place, `has tables of ${age} version of offering-sandbox`, otherVersion);
    } catch (error) {
      if (error instanceof UnusableDatabase) throw error;
      if (isBroken(error) && performance.now() < end) await wait(startInterval);
      else throw new UnusableDatabase(place, problemOf(error, client.user ?? "", schema), "");
    } finally {
      void client.end().catch(() => {});
    }
  }
}

/** Throws UnusableDatabase for an address with files that cannot be read. */
function newClient(pg: PgModule, config: ClientConfig): Client {
  try {
    return new pg.Client(config);
  } catch (error) {
    throw new UnusableDatabase("PostgreSQL", `cannot be asked: ${messageOf(error)}`, "");
  }
}

interface Meta {
  readonly format: number;
  readonly link_secret: Buffer;
}

const otherVersion = "Start that version, or use another database or ?schema=.";

async function readMeta(client: Client, schema: string): Promise<Meta> {
  const read = async () => (await client.query<Meta>("select * from sandbox_meta")).rows[0];
  let meta = await read().catch((error: unknown) => {
    if (codeOf(error) !== "42P01") throw error;
    return undefined;
  });
  if (!meta) {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock($1::bigint)", [creationLock]);
    // `if not exists` would ask for the right to create, too.
    const { rows } = await client.query("select from pg_namespace where nspname = $1", [schema]);
    if (rows.length === 0) await client.query(`create schema ${schema}`);
    await client.query(createTables);
    const values = [format, randomBytes(32)];
    await client.query("insert into sandbox_meta (format, link_secret) values ($1, $2) on conflict do nothing", values);
    await client.query("commit");
    meta = await read();
  }
  return meta as Meta;
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
  const { rows } = await client.query<{ application_name: string }>(
    "select distinct application_name from pg_stat_activity where application_name like $1",
    [`offering-sandbox % ${schema}/%`],
  );
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
  const code = codeOf(error) ?? "";
  if (isBroken(error)) return `does not answer: ${reasonOf(error)}`;
  if (/client password/.test(messageOf(error))) return `refuses "${user}": it asks for a password`;
  if (code.startsWith("28") || code === "3D000") return `refuses "${user}": ${messageOf(error)}`;
  if (code === "42501") {
    return `may not create tables in the schema "${schema}" for "${user}"; docs/sharing.md has the statements for somebody who may`;
  }
  if (code === "42704") return "is older than 14, which is needed";
  return `cannot be used: ${messageOf(error)}`;
}
