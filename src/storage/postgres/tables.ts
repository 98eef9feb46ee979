import { createHash, randomBytes } from "node:crypto";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { Client, ClientConfig } from "pg";
import { codeOf, messageOf, ValidationError } from "../../validation/errors.ts";
import { version } from "../../package.ts";
import { DatabaseError } from "../file-lock.ts";
import { boundedConfig, inSchema, type PgModule, prepareSession } from "./connection.ts";
import { isTransient, isUnreachable, sessionModeMessage, reasonOf } from "./errors.ts";
import { newSessionId, type Timings } from "./session.ts";
import { tableFormat, statements } from "./statements.ts";

const startTimeoutMs = 30_000;
const retryDelayMs = 200;
/** After this time, a start reports what it waits for. */
const noticeDelayMs = 2000;

/**
 * Parses an address of PostgreSQL. Throws ValidationError for any other. The address may have a password, so no message
 * repeats it.
 */
export function addressOf(address: string): { readonly config: ClientConfig; readonly schema: string } {
  const expected = "expected postgres://user@host:port/database, perhaps with ?schema=NAME";
  if (!URL.canParse(address)) throw new ValidationError(`db is not an address; ${expected}.`);
  const url = new URL(address);
  const [schema = "public", ...furtherSchemas] = url.searchParams.getAll("schema");
  if (!/^[a-z_][a-z\d_]{0,54}$/.test(schema) || furtherSchemas.length > 0) {
    throw new ValidationError(`db: the schema is not a name of lower-case letters, digits and "_"; ${expected}.`);
  }
  url.searchParams.delete("schema");
  // A person who names the schema by another parameter expects its environments, and would get those of "public".
  const parameter = /search_?path|\w*schema/i.exec(url.search)?.[0];
  if (parameter !== undefined) throw new ValidationError(`db: "${parameter}" does not choose the schema; ${expected}.`);
  return { config: { connectionString: url.href, application_name: `offering-sandbox ${version}` }, schema };
}

/** The settings that should be the same in all processes over one database. */
interface SharedSettings {
  readonly rateLimit: number;
  readonly profile: string;
  readonly adminToken: string | null;
  readonly openToken: string | null;
}

export interface StartOptions {
  readonly config: ClientConfig;
  readonly schema: string;
  readonly timings: Timings;
  readonly sharedSettings: SharedSettings;
  /** Called with a message if PostgreSQL has not responded after two seconds. */
  readonly onWait: (message: string) => void;
}

/**
 * Waits until PostgreSQL responds, checks the connection, and creates missing tables. Rejects with DatabaseError: after
 * half a minute if PostgreSQL is unreachable or full, at once for any other reason.
 */
export async function prepareTables(pg: PgModule, options: StartOptions) {
  const deadline = performance.now() + startTimeoutMs;
  const config = boundedConfig(options.config, options.timings.queryTimeoutMs);
  const { host, port, user = "" } = newClient(pg, config);
  const serverName = `PostgreSQL at ${host}:${port}`;
  let reason = "";
  const noticeTimer = setTimeout(() => options.onWait(`waiting for ${serverName}${reason}`), noticeDelayMs).unref();
  try {
    for (;;) {
      const clients = [newClient(pg, config), newClient(pg, config)] as const;
      try {
        return { serverName, ...(await prepareWithClients(clients, options)) };
      } catch (error) {
        if (!isTransient(error) || performance.now() >= deadline) {
          const advice = error instanceof PreparationError ? error.advice : "";
          throw new DatabaseError(serverName, formatProblem(error, user, options.schema), advice);
        }
        reason = `: ${reasonOf(error)}`;
        await wait(retryDelayMs);
      } finally {
        for (const client of clients) void client.end().catch(() => {});
      }
    }
  } finally {
    clearTimeout(noticeTimer);
  }
}

/** Creates a client. Throws DatabaseError if the address names files that cannot be read. */
function newClient(pg: PgModule, config: ClientConfig): Client {
  try {
    return new pg.Client(config).on("error", () => {});
  } catch (error) {
    throw new DatabaseError("PostgreSQL", `cannot be used: ${messageOf(error)}`, "");
  }
}

/** A reason not to use the database. The message is a clause whose subject is PostgreSQL at its address. */
class PreparationError extends Error {
  readonly advice: string;

  constructor(message: string, advice = "") {
    super(message);
    this.advice = advice;
  }
}

/** Prepares the tables over the first client. The second client serves to find out how a pooler works. */
async function prepareWithClients([client, secondClient]: readonly [Client, Client], options: StartOptions) {
  const { schema, timings, sharedSettings } = options;
  await client.connect();
  const timeouts = { lockMs: timings.queryTimeoutMs, idleSessionMs: startTimeoutMs };
  const check = await prepareSession(client, schema, timeouts, newSessionId());
  // A pooler gives its clients other process ids than those of PostgreSQL.
  if ((client as { readonly processID?: number }).processID !== check.pid)
    await expectSessions(client, secondClient, check.pid);
  if (check.encoding !== "UTF8") {
    const advice = "create database sandbox encoding 'UTF8' template template0;";
    const problem = `has a database of the encoding ${check.encoding}, which cannot store every character`;
    throw new PreparationError(problem, `Use a database of UTF8: ${advice}`);
  }
  if (check.isReadOnly) throw new PreparationError("is read-only, as a standby is", "Use the address of the primary.");
  if (check.grants.length > 0) {
    const advice = `Their owner may run: ${check.grants.join("; ")};`;
    throw new PreparationError(`refuses its tables to "${client.user}"`, advice);
  }
  const { link_secret: linkSecret } = await readMeta(client, schema, check.isCreated);
  // Fails if another program has tables of the same names.
  await client.query(inSchema(statements.find, schema), ["", null]);
  const digest = settingsDigestOf(linkSecret, sharedSettings);
  const applicationName = `${options.config.application_name} ${digest}`;
  return { linkSecret, applicationName, warnings: await listSettingWarnings(client, digest) };
}

/** Rejects unless each of two clients has its own connection to PostgreSQL, from one statement to the next. */
async function expectSessions(client: Client, secondClient: Client, pid: number): Promise<void> {
  try {
    await secondClient.connect();
    // Unless the pooler is in session mode, this statement takes the connection that the first client had.
    await secondClient.query("begin");
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    throw new PreparationError("is behind a pooler that has no second connection for this process, which needs five");
  }
  for (const checkedClient of [secondClient, client, client]) {
    const { rows } = await checkedClient.query<{ readonly pid: number }>(statements.heartbeat);
    if ((rows[0]?.pid === pid) !== (checkedClient === client)) throw new Error(sessionModeMessage);
  }
}

/** The id of the lock under which tables are created: a number that other programs are unlikely to lock. */
const creationLockId = "7302894518240557";

interface Meta {
  readonly format: number;
  readonly link_secret: Buffer;
}

async function readMeta(client: Client, schema: string, isCreated: boolean): Promise<Meta> {
  const query = (text: string, values?: unknown[]) => client.query<Meta>(inSchema(text, schema), values);
  const queryMeta = async (): Promise<Meta | undefined> => {
    const [meta] = (await query(statements.meta)).rows;
    if (!meta || meta.format === tableFormat) return meta;
    const otherVersion = meta.format > tableFormat ? "a later version" : "an earlier version";
    const advice = "Start that version, or use another database or ?schema=.";
    throw new PreparationError(`has tables of ${otherVersion} of offering-sandbox`, advice);
  };
  const existingMeta = await queryMeta().catch((error: unknown) => {
    if (codeOf(error) !== "42P01") throw error;
    return undefined;
  });
  if (existingMeta && isCreated) return existingMeta;
  await query("begin");
  await query("select pg_advisory_xact_lock($1::bigint)", [creationLockId]);
  // `create schema if not exists` would need the right to create a schema even if the schema exists.
  const { rows } = await query("select from pg_namespace where nspname = $1", [schema]);
  if (rows.length === 0) await query(`create schema "${schema}"`);
  await query(statements.createTables);
  await query(statements.addMeta, [tableFormat, randomBytes(32)]);
  await query("commit");
  return (await queryMeta()) as Meta;
}

/** Returns `1a2b3c/120/standard/4d5e6f`: the schema, by its secret, and the shared settings of a process over it. */
function settingsDigestOf(linkSecret: Buffer, { rateLimit, profile, adminToken, openToken }: SharedSettings): string {
  const digest = (...values: readonly unknown[]) =>
    createHash("sha256").update(linkSecret).update(values.join("\n")).digest("hex").slice(0, 6);
  return [digest(), rateLimit, profile, digest(adminToken, openToken)].join("/");
}

/** Returns a warning for each setting that differs in another process over the same schema. */
async function listSettingWarnings(client: Client, digest: string): Promise<string[]> {
  const [schema, ...ownValues] = digest.split("/");
  const pattern = `offering-sandbox % ${schema}/%`;
  const { rows } = await client.query<{ application_name: string }>(statements.listSessionNames, [pattern]);
  const formatters = [(text = "") => `--rate-limit ${text}`, (text = "") => `--profile ${text}`, () => "other tokens"];
  const differences = rows.flatMap(({ application_name }) => {
    const values = application_name.split("/").slice(1);
    return formatters.flatMap((format, index) => (values[index] === ownValues[index] ? [] : format(values[index])));
  });
  const advice = "Processes over one database should have the same settings.";
  const warning = (difference: string) => `Another process over this database has ${difference}. ${advice}`;
  return Array.from(new Set(differences), warning);
}

/** Formats the reason as a clause whose subject is PostgreSQL at its address. The clause has no password. */
function formatProblem(error: unknown, user: string, schema: string): string {
  const [code = "", reason] = [codeOf(error), reasonOf(error)];
  if (error instanceof PreparationError) return reason;
  if (isUnreachable(error)) return `does not respond: ${reason}`;
  if (reason.includes("client password")) return `refuses "${user}": it asks for a password`;
  if (/^(?:28|3D000|08P01|53300)/.test(code)) return `refuses "${user}": ${reason}`;
  if (code === "42501") {
    return `may not create tables in the schema "${schema}" for "${user}"; docs/sharing.md has the statements for an administrator`;
  }
  if (code === "42704") return "is older than 14, which is needed";
  return `cannot be used: ${reason}`;
}
