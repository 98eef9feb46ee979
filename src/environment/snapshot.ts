import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { ProfileName } from "../assumptions/catalogue.ts";
import { parseAssumption } from "../assumptions/parse.ts";
import type { Snapshot } from "../control.ts";
import { ControlError } from "../errors/control-error.ts";
import { marked } from "../fixture/complete/seed-path.ts";
import type { Dataset } from "../fixture/dataset.ts";
import { inputLimits, megabyte } from "../model/bounds.ts";
import { isMembers } from "../model/members.ts";
import { jsonPieces, sortMembers } from "../model/json-pieces.ts";
import { messageOf, Mistake } from "../model/mistakes.ts";
import type { Key } from "../model/resources.ts";
import { isName, quoted } from "../model/text.ts";
import { Turns } from "../model/turns.ts";
import { version } from "../package.ts";
import { type Scenario, writtenForm } from "../scenario/scenario.ts";
import type { EnvironmentSetup, StoredSetup, SnapshotContent } from "./environment-content.ts";
import type { Environment } from "./environment.ts";
import { adoptedKeys, adoptedSecret } from "./keys.ts";
import { notAsMade } from "./parts.ts";
import type { Run } from "./run.ts";

const shapeMistakes = () => import("../model/shape-mistakes.ts");
const schemas = () => import("./snapshot-schema.ts");
const scenarioParser = () => import("../scenario/parse.ts");

/** The version of the form of snapshots. Version 2 is that of 1.0 and 1.1. */
const formVersion = 3 satisfies Snapshot["version"];

/** A checksum of plain data, independent of the order of members. */
export function checksumOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, sortMembers)).digest("base64url");
}

/** The checksum of an object and its length in bytes, computed in pieces, between which others get a turn. */
async function checksumInTurns(value: object, turns: Turns) {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const piece of jsonPieces(value, true)) {
    hash.update(piece);
    bytes += Buffer.byteLength(piece);
    await turns.next();
  }
  return { checksum: hash.digest("base64url"), bytes };
}

/** An environment as plain data, without its traffic. */
function documentOf(environment: Environment, hasFixture: boolean) {
  const { dataset, profile, rateLimit } = environment.setup;
  const content = environment.content();
  return {
    format: "offering-sandbox-environment",
    version: formVersion,
    program: version,
    environment: environment.id,
    fixture: dataset.name,
    seed: dataset.seed,
    fixture_checksum: dataset.digest,
    ...(hasFixture && !dataset.shipped && { fixture_document: dataset.document?.() ?? null }),
    profile,
    rate_limit: rateLimit,
    ...content,
    runs: content.runs.map((run) => ({ ...run, scenario: writtenForm(run.scenario) })),
  } as const;
}

/** The snapshot of an environment as it is at the call, made in pieces between which others get a turn. */
export async function snapshotOf(environment: Environment): Promise<Snapshot> {
  const { history, calibrated } = environment.parts;
  const { now } = environment.read();
  const document = documentOf(environment, true);
  const body = {
    ...document,
    keys: history.keys,
    ...(calibrated && { calibrated }),
    ...environment.traffic(),
    clock: { now: Date.parse(now), speed: document.clock.speed },
  };
  const { checksum, bytes } = await checksumInTurns(body, new Turns());
  if (bytes > inputLimits.snapshotBody * megabyte) {
    throw new ControlError(
      "conflict",
      `The snapshot is larger than ${inputLimits.snapshotBody} MB, which nothing could restore.`,
    );
  }
  return { ...body, checksum };
}

/** An environment in a database: a snapshot without traffic, with the setup to which a reset returns. */
function storedBody(environment: Environment) {
  const { id: _, dataset: __, profile: ___, rateLimit: ____, keys, assumptions, ...setup } = environment.setup;
  const { delay: _____, loadedScenarios: ______, ...stored } = setup;
  return {
    ...documentOf(environment, setup.ownFixture === true),
    setup: {
      ...stored,
      ...(setup.initialState && { keys }),
      ...(assumptions !== environment.assumptions && { assumptions }),
    },
  };
}

/** The text of an environment in a database. Its members keep their order: the checksum of a fixture depends on it. */
export function storedText(environment: Environment): string {
  const body = storedBody(environment);
  return JSON.stringify({ ...body, checksum: checksumOf(body) });
}

/** The text of an environment as it is at the call, made in pieces between which others get a turn. */
export async function storedTextInTurns(environment: Environment): Promise<string> {
  const body = storedBody(environment);
  const turns = new Turns();
  const { checksum } = await checksumInTurns(body, turns);
  let text = "";
  for (const piece of jsonPieces({ ...body, checksum })) {
    text += piece;
    await turns.next();
  }
  return text;
}

/** A snapshot that nobody edited, its values of the right shape; or a stored environment, which has no traffic. */
export interface CheckedSnapshot extends SnapshotContent {
  readonly environment: string;
  readonly fixture: string;
  readonly seed: number;
  readonly fixture_checksum: string;
  /** Null if it is too large to be in the snapshot, undefined if it ships. */
  readonly fixture_document?: Readonly<Record<string, unknown>> | null | undefined;
  readonly profile: ProfileName;
  readonly rate_limit: number;
  /** How a stored environment was opened; undefined in a snapshot. */
  readonly setup?: StoredSetup | undefined;
}

/** Maximum number of members of a snapshot, which has some thirty. */
const maxMembers = 100;

/**
 * Checks a snapshot, in pieces between which others get a turn. Throws Mistake for any other document, another major
 * version, and an edited snapshot.
 */
export async function readSnapshot(snapshot: unknown): Promise<CheckedSnapshot> {
  const [{ parseShape }, { longLists, snapshotHead, snapshotSchema }, { checkScenario }] = await Promise.all([
    shapeMistakes(),
    schemas(),
    scenarioParser(),
  ]);
  const turns = new Turns();
  if (isMembers(snapshot) && Object.keys(snapshot).length > maxMembers) throw new Mistake(notAsMade);
  // Whoever writes the file adds when that was.
  const { checksum, saved_at: _, ...body } = parseShape(snapshotHead, snapshot, "the snapshot");
  refuseOtherMajor(body);
  const counted = parseShape(snapshotSchema, body, "the snapshot");
  if ((await checksumInTurns(body, turns)).checksum !== checksum) throw new Mistake(notAsMade);
  for (const { path, items, schema } of longLists(counted)) {
    for (const [index, item] of items.entries()) {
      await turns.next();
      parseShape(schema, item, path.join("."), [...path, index]);
    }
  }
  // The checksum vouches for the members that the schema leaves out.
  const read = counted as unknown as CheckedSnapshot;
  for (const values of [read.assumptions, ...(read.journal?.assumed ?? []).map((earlier) => earlier.values)]) {
    for (const [id, value] of Object.entries(values)) parseAssumption(id, value);
  }
  return { ...read, runs: await withScenarios(read.runs, checkScenario, turns) };
}

function majorOf(text: string): number {
  return Number.parseInt(text, 10);
}

/** Throws Mistake for a snapshot of another major version. */
function refuseOtherMajor({ version: form, program }: { readonly version: number; readonly program: string }): void {
  if (form === formVersion && majorOf(program) === majorOf(version)) return;
  const opening = majorOf(program) === 1 ? "1.1.0" : program;
  throw new Mistake(
    `The snapshot is of offering-sandbox ${program}, and this is ${version}: version ${opening} opens it.`,
  );
}

/** Checks the scenario of each run, written as in a file; many runs may have the same. Throws Mistake. */
async function withScenarios(
  runs: readonly Run[],
  check: (written: unknown) => Scenario,
  turns: Turns,
): Promise<Run[]> {
  const checked = new Map<string, Scenario>();
  const read: Run[] = [];
  for (const [index, run] of runs.entries()) {
    await turns.next();
    const text = JSON.stringify(run.scenario);
    try {
      const scenario = checked.get(text) ?? check(run.scenario);
      checked.set(text, scenario);
      read.push({ ...run, scenario });
    } catch (error) {
      throw new Mistake(`runs[${index}].scenario: ${messageOf(error)}`, { cause: error });
    }
  }
  return read;
}

/** Whether a snapshot was made from a fixture. */
export function matchesFixture(snapshot: CheckedSnapshot, { name, seed, digest, document }: Dataset): boolean {
  const { fixture_checksum: checksum, fixture_document: sent } = snapshot;
  if (snapshot.seed !== seed || snapshot.fixture !== name) return false;
  return checksum === digest || (!!sent && isDeepStrictEqual(sent, document?.()));
}

/** The environment that takes over a snapshot. */
interface Receiver extends Pick<EnvironmentSetup, "id" | "mark" | "dataset" | "assumptions"> {
  /** The keys that the environment would have without the snapshot. */
  readonly keys: readonly Key[];
}

/**
 * Returns the content of a snapshot for an environment: with that one's keys, and without limits if the snapshot is of
 * another one. Throws ControlError if the snapshot was made from another fixture.
 */
export function adopt(
  snapshot: CheckedSnapshot,
  { id, mark, dataset, assumptions, keys }: Receiver,
): SnapshotContent & Pick<Receiver, "keys"> {
  if (!matchesFixture(snapshot, dataset)) throw otherFixture(snapshot, dataset);
  // The dataset has the fixture already, which may have megabytes.
  const { fixture_document: _, limits, ...content } = snapshot;
  const isOwn = content.environment === id;
  const secretOf = (key: Key): string => (isOwn ? marked(key.key, mark) : adoptedSecret(id, dataset.seed, key, mark));
  return {
    ...content,
    ...(isOwn && { limits }),
    keys: adoptedKeys(content.keys ?? [], keys, secretOf),
    changes: content.changes.map((change) =>
      change.kind === "new_key" ? { ...change, key: { ...change.key, key: secretOf(change.key) } } : change,
    ),
    assumptions: { ...assumptions, ...content.assumptions },
  };
}

/** How to start a sandbox from a snapshot without its fixture. */
export function startLine(
  { fixture, seed }: { readonly fixture: string; readonly seed: number },
  file = "FILE",
): string {
  const path = isName(fixture) ? `${fixture}.json` : "FIXTURE";
  return `start with --fixture ${path}${seed === 1 ? "" : ` --seed ${seed}`} --snapshot ${file}`;
}

function otherFixture(snapshot: CheckedSnapshot, { name, seed }: Dataset): ControlError {
  const difference =
    name === snapshot.fixture && seed === snapshot.seed
      ? "that of this environment has the same name and seed, but other content"
      : `this environment has ${quoted(name)} with seed ${seed}`;
  const origin = `made from the fixture ${quoted(snapshot.fixture)} with seed ${snapshot.seed}`;
  const advice =
    snapshot.fixture_document === null
      ? `The snapshot does not have its fixture: ${startLine(snapshot)}.`
      : "Open an environment from the snapshot, or start a sandbox with it.";
  return new ControlError("conflict", `The snapshot was ${origin}; ${difference}. ${advice}`);
}
