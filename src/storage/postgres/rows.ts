import { hash } from "node:crypto";
import { summarizeEnvironment } from "../../control/describe.ts";
import type { Sums } from "../../coverage/sums.ts";
import type { EnvironmentSummary } from "../../public/descriptions.ts";
import type { OpenedDocument, RequestData } from "../../environment/document.ts";
import { EnvironmentClock } from "../../environment/clock.ts";
import { Environment } from "../../environment/environment.ts";
import { defaultId, openRefusals } from "../../environment/environments.ts";
import { requestNow, type WaitingElsewhere } from "../../environment/waiting-requests.ts";
import { storedText } from "../../environment/snapshot.ts";
import { ControlError } from "../../errors/control-error.ts";
import { isInstant, realTime } from "../../time/instant.ts";
import { jsonInSlices } from "../../text/json-text.ts";
import { codeOf } from "../../validation/errors.ts";
import { isToken, linkTokens, namedBy } from "../../secrets/tokens.ts";
import { clockSpeed } from "../../settings/kinds.ts";
import { OtherFixtureError } from "../storage.ts";
import { notKnown } from "./connection.ts";
import type { Session } from "./session.ts";
import { statements } from "./statements.ts";

/** An environment in the database, as text, with the milliseconds since it was written. */
export interface Row {
  readonly document: string;
  readonly traffic: string | null;
  readonly head: EnvironmentSummary;
  readonly age: number;
}

/** Which row is that of an environment: its id may be used again. */
type EnvironmentKey = Pick<Environment, "id" | "uid">;

/** What a release leaves for the next process. */
interface Released extends RequestData {
  readonly coverage: Sums;
  readonly waiting: readonly Omit<WaitingElsewhere, "since">[];
}

/** Returns the columns of a row; the last number is the age of the others in milliseconds. */
export type Columns = () => readonly unknown[];

export interface RowOptions {
  readonly maxEnvironments: number;
  /** Opens a stored document over the fixtures of this process. Rejects with OtherFixtureError. */
  readonly open: (document: unknown) => Promise<OpenedDocument>;
}

/** The rows of all environments, which this process adds and reads without a claim. */
export abstract class Rows {
  readonly session: Session;
  readonly linkSecret: Buffer;
  readonly #options: RowOptions;

  constructor(session: Session, linkSecret: Buffer, options: RowOptions) {
    this.session = session;
    this.linkSecret = linkSecret;
    this.#options = options;
  }

  /** Adds the row of an environment. Rejects with ControlError as `Environments.open` throws. */
  async insert(environment: Environment): Promise<void> {
    const { id, uid, setup } = environment;
    const { maxEnvironments } = this.#options;
    const columns = await columnsOf(environment, setup.lifetime);
    const values = () => [id, uid, maxEnvironments, ...columns()];
    type Added = { readonly refusal: keyof typeof openRefusals | null };
    const { rows } = await this.session.query<Added>(statements.add, values, notKnown);
    const refusal = rows[0]?.refusal;
    // Another process may have added the same default environment.
    if (!refusal || id === defaultId) return;
    const message = { ...openRefusals, id: openRefusals.id(id), capacity: openRefusals.capacity(maxEnvironments) };
    throw new ControlError("conflict", message[refusal]);
  }

  /** The setup, content and traffic of a row, as of now. Rejects with any error if somebody else has written it. */
  async read({ id, uid }: EnvironmentKey, { document, traffic, head, age }: Row) {
    const { setup, content } = await this.#options.open(JSON.parse(document));
    if (setup.id !== id || (setup.uid ?? setup.id) !== uid)
      throw new Error("The document is that of another environment.");
    const { coverage, waiting = [], ...left } = JSON.parse(traffic ?? "{}") as Partial<Released>;
    // The clock of a document belongs to the real time of the process that wrote it.
    const { now, speed } = content.clock;
    const clock = { now: clockIn(head) ?? now, speed, at: realTime() - age };
    const written = performance.now() - age;
    return {
      setup,
      content: { ...content, clock },
      ...(traffic !== null && { traffic: left as RequestData }),
      coverage,
      waiting: waiting.map(({ process, request }) => ({
        // PostgreSQL compares it with the numbers of sessions.
        process: BigInt.asIntN(64, BigInt(process)).toString(),
        request,
        since: written - request.duration_ms,
      })),
    };
  }

  /** The requests that wait in other processes which live. */
  async stillWaiting(waiting: readonly WaitingElsewhere[]): Promise<WaitingElsewhere[]> {
    const others = waiting.filter(({ process }) => !this.session.numbers.has(process));
    if (others.length === 0) return [];
    const processes = others.map(({ process }) => process);
    const { rows } = await this.session.query<{ number: string }>(statements.living, () => [processes]);
    return others.filter(({ process }) => rows.some(({ number }) => number === process));
  }

  /** The ids of the environments that have a secret. */
  async idsOf(secret: string): Promise<string[]> {
    const { rows } = await this.session.query<{ id: string }>(statements.findByKey, () => [hashOf(secret)]);
    return rows.map(({ id }) => id);
  }

  /** Whether a token is one of an environment in the database, without reading its document. */
  async isValidToken(token: string): Promise<boolean> {
    const { id, right } = namedBy(token) ?? { id: "", right: "view" };
    const values = () => [id, hashOf(token)];
    const { rows } = await this.session.query<{ uid: string; isIssued: boolean }>(statements.findToken, values);
    return rows.some(
      ({ uid, isIssued }) => isIssued || isToken(token, linkTokens(this.linkSecret, { id, uid })[right]),
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

  /** The environment of a row, if this process acts for it. */
  abstract findHeld(key: EnvironmentKey): Environment | undefined;

  /** Describes all environments, oldest first, one at a time. Omits what cannot be opened here. */
  async describeAll<Description>(describe: (environment: Environment) => Promise<Description>): Promise<Description[]> {
    const descriptions: Description[] = [];
    for (const key of (await this.session.query<EnvironmentKey>(statements.listIds, () => [])).rows) {
      const environment = this.findHeld(key) ?? (await this.#copyOf(key));
      if (environment) descriptions.push(await describe(environment));
    }
    return descriptions;
  }

  async #copyOf(key: EnvironmentKey): Promise<Environment | undefined> {
    const [row] = (await this.session.query<Row>(statements.read, () => [key.id])).rows;
    const reading = row && this.read(key, row);
    return reading
      ?.then(({ setup, content, traffic }) => new Environment(setup, content, traffic))
      .catch(() => undefined);
  }

  /** The summaries of all environments as of now, oldest first, for which none is opened. */
  async summaries(): Promise<EnvironmentSummary[]> {
    const { rows } = await this.session.query<{ head: EnvironmentSummary; age: number }>(
      statements.listHeads,
      () => [],
    );
    return rows.flatMap(({ head, age }) => {
      const now = clockIn(head);
      if (now === undefined) return [];
      const clock = new EnvironmentClock({ now, speed: head.clock.speed, at: realTime() - age });
      return { ...head, clock: { ...head.clock, now: clock.now } };
    });
  }
}

/** The document, head, keys and lifetime of an environment for its row, as it is at the call. */
export async function columnsOf(environment: Environment, lifetime: number | null): Promise<Columns> {
  const readAt = performance.now();
  const head = JSON.stringify(summarizeEnvironment(environment));
  const tokens = Object.values({ ...environment.setup.tokens }).map(numberOf);
  const hashes = [...Array.from(environment.secrets, hashOf), ...tokens];
  const document = await storedText(environment);
  return () => [document, head, hashes, lifetime, Math.round(performance.now() - readAt)];
}

/** The traffic of an environment as it is at the call. `process` is the number of this one. */
export function trafficOf(environment: Environment, coverage: Sums, process: string): Promise<string> {
  const { journal, ...traffic } = environment.traffic();
  const { series } = environment.parts.journal;
  const { here, elsewhere } = environment.waiting;
  const others = elsewhere.map((one) => ({ process: one.process, request: requestNow(one) }));
  const waiting = [...others, ...here.map((request) => ({ process, request }))];
  return jsonInSlices({ ...traffic, journal: { ...journal, series }, coverage, waiting } satisfies Released);
}

/** Reads a row. Rejects with the same ControlError whoever else has written it, and whatever is wrong with it. */
export async function readable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof OtherFixtureError || codeOf(error) === "storage_unavailable") throw error;
    const message = "The database has no readable form of the environment; whoever manages it may delete its row.";
    throw new ControlError("conflict", message, { cause: error });
  }
}

/** What the clock showed when a row was written; undefined if somebody else wrote its head. */
function clockIn(head: Partial<EnvironmentSummary> | null): number | undefined {
  const { now, speed } = head?.clock ?? {};
  return typeof now === "string" && isInstant(now) && clockSpeed.accepts(speed) ? Date.parse(now) : undefined;
}

/** The first eight bytes of a secret's hash, as PostgreSQL writes the number. */
function hashOf(secret: string): string {
  return numberOf(hash("sha256", secret));
}

/** The same of a digest in hexadecimal digits. */
function numberOf(digest: string): string {
  return Buffer.from(digest.slice(0, 16), "hex").readBigInt64BE().toString();
}
