import { hash } from "node:crypto";
import { summarizeEnvironment } from "../../control/describe.ts";
import type { SerializedCounts } from "../../coverage/sums.ts";
import type { EnvironmentSummary } from "../../public/descriptions.ts";
import type { OpenedDocument, RequestData } from "../../environment/document.ts";
import { EnvironmentClock } from "../../environment/clock.ts";
import { Environment } from "../../environment/environment.ts";
import { defaultId, openRefusals } from "../../environment/environments.ts";
import { waitingRequestOf, type RemoteRequest } from "../../environment/waiting-requests.ts";
import { storedText } from "../../environment/snapshot.ts";
import { ControlError } from "../../errors/control-error.ts";
import { isInstant, realTime } from "../../time/instant.ts";
import { jsonInSlices } from "../../text/json-text.ts";
import { codeOf } from "../../validation/errors.ts";
import { isSameToken, linkTokens, parseToken } from "../../secrets/tokens.ts";
import { clockSpeed } from "../../settings/kinds.ts";
import { OtherFixtureError } from "../storage.ts";
import { outcomeUnknownMessages } from "./errors.ts";
import type { Session } from "./session.ts";
import { statements } from "./statements.ts";

/** The columns of an environment, and the milliseconds since they were written. */
export interface Row {
  readonly document: string;
  readonly traffic: string | null;
  readonly head: EnvironmentSummary;
  readonly ageMs: number;
}

/** The key of an environment's row: another environment may use its id later, with another uid. */
type EnvironmentKey = Pick<Environment, "id" | "uid">;

/** The data that a release leaves for the next process. */
interface ReleasedData extends RequestData {
  readonly coverage: SerializedCounts;
  readonly waiting: readonly Omit<RemoteRequest, "receivedAt">[];
}

/** Returns the columns of a row. The last one is the age of the others in milliseconds. */
export type Columns = () => readonly unknown[];

export interface RowOptions {
  readonly maxEnvironments: number;
  /** Opens a stored document over the fixtures of this process. Rejects with OtherFixtureError. */
  readonly open: (document: unknown) => Promise<OpenedDocument>;
}

/** The rows of all environments. This process adds and reads them without a claim. */
export abstract class Rows {
  readonly session: Session;
  readonly linkSecret: Buffer;
  readonly #options: RowOptions;

  constructor(session: Session, linkSecret: Buffer, options: RowOptions) {
    this.session = session;
    this.linkSecret = linkSecret;
    this.#options = options;
  }

  /** Adds the row of an environment. Rejects with the same ControlErrors as `Environments.open`. */
  async insert(environment: Environment): Promise<void> {
    const { id, uid, config } = environment;
    const { maxEnvironments } = this.#options;
    const columns = await documentColumnsOf(environment, config.lifetime);
    const values = () => [id, uid, maxEnvironments, ...columns()];
    type AddResult = { readonly refusal: keyof typeof openRefusals | null };
    const { rows } = await this.session.query<AddResult>(statements.add, values, outcomeUnknownMessages);
    const refusal = rows[0]?.refusal;
    // Another process may have added the same default environment.
    if (!refusal || id === defaultId) return;
    const message = { ...openRefusals, id: openRefusals.id(id), capacity: openRefusals.capacity(maxEnvironments) };
    throw new ControlError("conflict", message[refusal]);
  }

  /**
   * Reads the configuration and the data of a row, with the clock at the present. Rejects with any error if another
   * program has written the row.
   */
  async readRow({ id, uid }: EnvironmentKey, { document, traffic, head, ageMs }: Row) {
    const { config, data } = await this.#options.open(JSON.parse(document));
    if (config.id !== id || (config.uid ?? config.id) !== uid)
      throw new Error("The document is that of another environment.");
    const { coverage, waiting = [], ...requestData } = JSON.parse(traffic ?? "{}") as Partial<ReleasedData>;
    // The clock of a document belongs to the real time of the process that wrote it.
    const { now, speed } = data.clock;
    const clock = { now: clockTimeIn(head) ?? now, speed, at: realTime() - ageMs };
    const writtenAt = performance.now() - ageMs;
    return {
      config,
      data: { ...data, clock },
      ...(traffic !== null && { requestData: requestData as RequestData }),
      coverage,
      waiting: waiting.map(({ process, request }) => ({
        // PostgreSQL compares it with session ids, so it has to be an integer of 64 bits.
        process: BigInt.asIntN(64, BigInt(process)).toString(),
        request,
        receivedAt: writtenAt - request.duration_ms,
      })),
    };
  }

  /** Returns those requests that wait in other living processes. */
  async filterWaiting(waiting: readonly RemoteRequest[]): Promise<RemoteRequest[]> {
    const requests = waiting.filter(({ process }) => !this.session.sessionIds.has(process));
    if (requests.length === 0) return [];
    const processes = requests.map(({ process }) => process);
    const { rows } = await this.session.query<{ number: string }>(statements.listLiving, () => [processes]);
    return requests.filter(({ process }) => rows.some(({ number }) => number === process));
  }

  /** Returns the ids of the environments that have a secret. */
  async findIdsByKey(secret: string): Promise<string[]> {
    const { rows } = await this.session.query<{ id: string }>(statements.findByKey, () => [hashOf(secret)]);
    return rows.map(({ id }) => id);
  }

  /** Returns whether a token is valid for an environment in the database, without reading the document. */
  async isValidToken(token: string): Promise<boolean> {
    const { id, right } = parseToken(token) ?? { id: "", right: "view" };
    const values = () => [id, hashOf(token)];
    const { rows } = await this.session.query<{ uid: string; isIssued: boolean }>(statements.findToken, values);
    return rows.some(
      ({ uid, isIssued }) => isIssued || isSameToken(token, linkTokens(this.linkSecret, { id, uid })[right]),
    );
  }

  async refuseForeign(secrets: readonly string[], { id }: Environment): Promise<void> {
    const { rows } = await this.session.query(statements.findForeign, () => [id, secrets.map(hashOf)]);
    if (rows.length > 0) throw new ControlError("conflict", openRefusals.key);
  }

  async nextId(): Promise<string> {
    const { rows } = await this.session.query<{ id: string }>(statements.nextId, () => []);
    return rows[0]?.id ?? "";
  }

  /** Finds the environment of a row, if this process holds the lease for it. */
  abstract findLeased(key: EnvironmentKey): Environment | undefined;

  /** Describes all environments, oldest first, one at a time. Omits those that this process cannot open. */
  async describeAll<Description>(describe: (environment: Environment) => Promise<Description>): Promise<Description[]> {
    const descriptions: Description[] = [];
    for (const key of (await this.session.query<EnvironmentKey>(statements.listIds, () => [])).rows) {
      const environment = this.findLeased(key) ?? (await this.#copyOf(key));
      if (environment) descriptions.push(await describe(environment));
    }
    return descriptions;
  }

  async #copyOf(key: EnvironmentKey): Promise<Environment | undefined> {
    const [row] = (await this.session.query<Row>(statements.read, () => [key.id])).rows;
    if (!row) return undefined;
    const environment = this.readRow(key, row).then(
      (content) => new Environment(content.config, content.data, content.requestData),
    );
    return environment.catch(() => undefined);
  }

  /** Returns the current summaries of all environments, oldest first, without opening any. */
  async summaries(): Promise<EnvironmentSummary[]> {
    const { rows } = await this.session.query<Pick<Row, "head" | "ageMs">>(statements.listHeads, () => []);
    return rows.flatMap(({ head, ageMs }) => {
      const now = clockTimeIn(head);
      if (now === undefined) return [];
      const clock = new EnvironmentClock({ now, speed: head.clock.speed, at: realTime() - ageMs });
      return { ...head, clock: { ...head.clock, now: clock.now } };
    });
  }
}

/** Returns the document, head, keys and lifetime of an environment for its row, in the state at the call. */
export async function documentColumnsOf(environment: Environment, lifetime: number | null): Promise<Columns> {
  const readAt = performance.now();
  const head = JSON.stringify(summarizeEnvironment(environment));
  const tokens = Object.values({ ...environment.config.tokens }).map(numberOf);
  const hashes = [...Array.from(environment.secrets, hashOf), ...tokens];
  const document = await storedText(environment);
  return () => [document, head, hashes, lifetime, Math.round(performance.now() - readAt)];
}

/** Returns the traffic of an environment at the call as JSON. `sessionId` is that of this process. */
export function trafficColumnOf(environment: Environment, coverage: SerializedCounts, sessionId: string) {
  const { journal, ...traffic } = environment.requestData();
  const { series } = environment.internals.journal;
  const { localRequests, remoteRequests } = environment.waiting;
  const waiting = [
    ...remoteRequests.map((request) => ({ process: request.process, request: waitingRequestOf(request) })),
    ...localRequests.map((request) => ({ process: sessionId, request })),
  ];
  return jsonInSlices({ ...traffic, journal: { ...journal, series }, coverage, waiting } satisfies ReleasedData);
}

/** Reads a row. Rejects with the same ControlError for every row that this program cannot have written. */
export async function readOrConflict<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof OtherFixtureError || codeOf(error) === "storage_unavailable") throw error;
    const message = "The row of the environment in the database is not readable. An administrator can delete the row.";
    throw new ControlError("conflict", message, { cause: error });
  }
}

/** Returns the time that the clock showed when a row was written; undefined if another program wrote its head. */
function clockTimeIn(head: Partial<EnvironmentSummary> | null): number | undefined {
  const { now, speed } = head?.clock ?? {};
  return typeof now === "string" && isInstant(now) && clockSpeed.accepts(speed) ? Date.parse(now) : undefined;
}

/** Returns the first eight bytes of a secret's hash, as a number that PostgreSQL reads. */
function hashOf(secret: string): string {
  return numberOf(hash("sha256", secret));
}

/** Returns the first eight bytes of a hexadecimal digest, as a number that PostgreSQL reads. */
function numberOf(digest: string): string {
  return Buffer.from(digest.slice(0, 16), "hex").readBigInt64BE().toString();
}
