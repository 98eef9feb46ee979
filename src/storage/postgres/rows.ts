import { hash } from "node:crypto";
import { summarizeEnvironment } from "../../control/describe.ts";
import type { Sums } from "../../coverage/tally.ts";
import type { EnvironmentSummary } from "../../descriptions.ts";
import type { EnvironmentSetup, Handover, SnapshotContent, Traffic } from "../../environment/environment-content.ts";
import type { Environment } from "../../environment/environment.ts";
import { storedText } from "../../environment/snapshot.ts";
import { openRefusals } from "../../environment/environments.ts";
import { ControlError } from "../../errors/control-error.ts";
import { formatInstant, realTime } from "../../model/instant.ts";

/** An environment in the database, as text, with the milliseconds since it was written. */
export interface Row {
  readonly document: string;
  readonly traffic: string | null;
  readonly head: Head;
  readonly age: number;
}

/** What is needed of an environment that is not opened. */
export interface Head extends EnvironmentSummary {
  /** The `realTime` of the process that wrote the row, to which `at` of its clock belongs. */
  readonly real_time: number;
}

/** The texts of an environment for its row. */
export interface Texts {
  readonly document: string;
  readonly head: string;
  readonly keys: readonly string[];
  /** Milliseconds until it expires without a use; null: never. */
  readonly lifetime: number | null;
}

/** What a release leaves for the next process. */
interface Released extends Traffic {
  readonly handover: Omit<Handover, "age">;
  readonly coverage: Sums;
}

/** What the server adds to a stored environment. */
export interface OpenedRow {
  readonly setup: EnvironmentSetup;
  readonly content: SnapshotContent;
}

export function textsOf(environment: Environment, lifetime: number | null): Texts {
  const head: Head = { ...summarizeEnvironment(environment), real_time: realTime() };
  const keys = Array.from(environment.secrets, hashOf);
  return { document: storedText(environment), head: JSON.stringify(head), keys, lifetime };
}

export function trafficOf(environment: Environment, coverage: Sums): string {
  const { journal, ...traffic } = environment.traffic();
  const { series } = environment.parts.journal;
  const { handover } = environment;
  return JSON.stringify({ ...traffic, journal: { ...journal, series }, handover, coverage } satisfies Released);
}

/** The setup and the content of a row, as of now. Rejects as `open`, which adds the server's part. */
export async function openRow(
  { document, traffic, head, age }: Row,
  open: (document: unknown) => Promise<OpenedRow>,
): Promise<OpenedRow & { readonly coverage: Sums | undefined }> {
  const { setup, content } = await open(parsed(document));
  const { at, ...clock } = content.clock;
  // Somebody else may have written the head.
  const since = at !== undefined && head.real_time > at ? head.real_time - at : 0;
  const { coverage, ...left } = parsed(traffic ?? "{}") as Partial<Released>;
  const handover = { idle: 0, commands: 0, ...left.handover, age };
  const ownClock = { ...clock, at: realTime() - age - since };
  return { setup, content: { ...content, ...left, handover, clock: ownClock }, coverage };
}

/** Throws ControlError for a text that somebody else has written. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = "The database has no readable form of the environment; whoever manages it may delete its row.";
    throw new ControlError("conflict", message, { cause: error });
  }
}

/** The summary of an environment that another process acts for, as of now; undefined if somebody else wrote it. */
export function summaryNow({ real_time: _realTime, ...head }: Head, age: number): EnvironmentSummary | undefined {
  const { now, speed } = head.clock ?? {};
  if (typeof speed !== "number" || Number.isNaN(Date.parse(now ?? ""))) return undefined;
  return { ...head, clock: { now: formatInstant(Date.parse(now ?? "") + Math.floor(age * speed)), speed } };
}

/** The first eight bytes of a secret's hash, as PostgreSQL writes the number. */
export function hashOf(secret: string): string {
  return hash("sha256", secret, "buffer").readBigInt64BE().toString();
}

/** Whether an environment was added, and otherwise why not. */
export interface AddedRow {
  readonly isAdded: boolean;
  readonly isTaken: boolean;
  readonly hasKey: boolean;
}

export function refusal(id: string, { isTaken, hasKey }: AddedRow, capacity: number): ControlError {
  if (isTaken) return new ControlError("conflict", openRefusals.id(id));
  return new ControlError("conflict", hasKey ? openRefusals.key : openRefusals.capacity(capacity));
}
