import { hash } from "node:crypto";
import { summarizeEnvironment } from "../../control/describe.ts";
import type { Sums } from "../../coverage/tally.ts";
import type { EnvironmentSummary } from "../../descriptions.ts";
import type { EnvironmentSetup, Handover, SnapshotContent, Traffic } from "../../environment/environment-content.ts";
import { Environment } from "../../environment/environment.ts";
import { requestNow, type WaitingElsewhere } from "../../environment/waiting-requests.ts";
import { storedText } from "../../environment/snapshot.ts";
import { ControlError } from "../../errors/control-error.ts";
import { formatInstant, realTime } from "../../model/instant.ts";
import { Mistake } from "../../model/mistakes.ts";
import type { Session } from "./session.ts";
import * as statements from "./statements.ts";

/** An environment in the database, as text, with the milliseconds since it was written. */
export interface Row {
  readonly document: string;
  readonly traffic: string | null;
  readonly head: EnvironmentSummary;
  readonly age: number;
}

/** What a release leaves for the next process. */
interface Released extends Traffic {
  readonly handover: Omit<Handover, "age">;
  readonly coverage: Sums;
  readonly waiting: readonly Omit<WaitingElsewhere, "since">[];
}

/** What the server adds to a stored environment. */
interface OpenedRow {
  readonly setup: EnvironmentSetup;
  readonly content: SnapshotContent;
}

/** Opens a stored document over the fixtures of this process. Rejects with OtherFixture. */
export type Open = (document: unknown) => Promise<OpenedRow>;

/** The document, head, keys and lifetime of an environment for its row. */
export function columnsOf(environment: Environment, lifetime: number | null): readonly unknown[] {
  const head = JSON.stringify(summarizeEnvironment(environment));
  return [storedText(environment), head, Array.from(environment.secrets, hashOf), lifetime];
}

/** `process` is the number of this one. */
export function trafficOf(environment: Environment, coverage: Sums, process: string): string {
  const { journal, ...traffic } = environment.traffic();
  const { series } = environment.parts.journal;
  const { handover } = environment;
  const { here, elsewhere } = environment.waiting;
  const others = elsewhere.map((one) => ({ process: one.process, request: requestNow(one) }));
  const waiting = [...others, ...here.map((request) => ({ process, request }))];
  return JSON.stringify({
    ...traffic,
    journal: { ...journal, series },
    handover,
    coverage,
    waiting,
  } satisfies Released);
}

interface ContinuedRow extends OpenedRow {
  readonly coverage: Sums | undefined;
  readonly waiting: readonly WaitingElsewhere[];
}

/** The setup and the content of a row, as of now. Rejects with ControlError, also if somebody else has written it. */
export async function openRow(row: Row, open: Open): Promise<ContinuedRow> {
  try {
    return await readRow(row, open);
  } catch (error) {
    if (error instanceof ControlError) throw error;
    const message = "The database has no readable form of the environment; whoever manages it may delete its row.";
    throw new ControlError("conflict", message, { cause: error });
  }
}

async function readRow({ document, traffic, head, age }: Row, open: Open): Promise<ContinuedRow> {
  const { setup, content } = await open(JSON.parse(document));
  const { coverage, waiting = [], ...left } = JSON.parse(traffic ?? "{}") as Partial<Released>;
  const handover = { idle: 0, commands: 0, ...left.handover, age };
  // The clock of a document belongs to the real time of the process that wrote it.
  const { now, speed } = content.clock;
  const clock = { now: clockIn(head) ?? now, speed, at: realTime() - age };
  const written = performance.now() - age;
  return {
    setup,
    content: { ...content, ...left, handover, clock },
    coverage,
    waiting: waiting.map((one) => ({ ...one, since: written - one.request.milliseconds })),
  };
}

/** What the clock showed when a row was written; undefined if somebody else wrote its head. */
function clockIn(head: Partial<EnvironmentSummary> | null): number | undefined {
  const now = Date.parse(head?.clock?.now ?? "");
  return Number.isNaN(now) || typeof head?.clock?.speed !== "number" ? undefined : now;
}

/** The first eight bytes of a secret's hash, as PostgreSQL writes the number. */
export function hashOf(secret: string): string {
  return hash("sha256", secret, "buffer").readBigInt64BE().toString();
}

/** Finds an environment for which this process acts. */
type FindHeld = (id: string, uid: string) => Environment | undefined;

/** All environments, oldest first. Those of other processes are copies, and none is claimed. */
export async function listEnvironments(session: Session, findHeld: FindHeld, open: Open): Promise<Environment[]> {
  const { rows } = await session.query<Row & { id: string; uid: string }>(statements.listDocuments, () => []);
  const all = rows.map(async (row) => {
    const held = findHeld(row.id, row.uid);
    if (held) return held;
    try {
      const { setup, content } = await openRow(row, open);
      return new Environment(setup, content);
    } catch (error) {
      // Only processes that have its fixture can describe it, and nobody one that somebody else wrote.
      if (!(error instanceof ControlError || error instanceof Mistake)) throw error;
      return undefined;
    }
  });
  return (await Promise.all(all)).filter((environment) => environment !== undefined);
}

/** The summaries of all environments as of now, oldest first, for which none is opened. */
export async function listSummaries(session: Session): Promise<EnvironmentSummary[]> {
  const { rows } = await session.query<{ head: EnvironmentSummary; age: number }>(statements.listHeads, () => []);
  return rows.flatMap(({ head, age }) => {
    const written = clockIn(head);
    if (written === undefined) return [];
    const now = formatInstant(written + Math.floor(age * head.clock.speed));
    return { ...head, clock: { ...head.clock, now } };
  });
}
