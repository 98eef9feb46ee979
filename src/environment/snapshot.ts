import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { parseAssumption } from "../assumptions/catalog.ts";
import type { Snapshot } from "../public/control.ts";
import { ControlError } from "../errors/control-error.ts";
import { withRoutingPrefix, SeedPath } from "../fixture/complete/seed-path.ts";
import type { Dataset } from "../fixture/dataset.ts";
import { inputLimits, megabyte } from "../bounds/bounds.ts";
import { isMembers } from "../validation/members.ts";
import { jsonInSlices, jsonPieces } from "../text/json-text.ts";
import { messageOf, ValidationError } from "../validation/errors.ts";
import type { Key } from "../model/resources.ts";
import { isName, quoted } from "../text/text.ts";
import { TimeSlice } from "../bounds/time-slice.ts";
import { version } from "../package.ts";
import { type SavedScenario, type Scenario, writtenForm } from "../scenario/scenario.ts";
import type { EnvironmentConfig, EnvironmentData, EnvironmentDocument, StoredConfig } from "./document.ts";
import type { Environment } from "./environment.ts";
import { adoptKeys } from "./keys.ts";
import { damagedMessage } from "./internals.ts";
import type { Run } from "./run.ts";

/** The version of the format of snapshots. Version 2 is that of 1.0 and 1.1. */
const formatVersion = 3 satisfies Snapshot["version"];

/**
 * Computes the checksum of an object, independent of the order of members, and its length in bytes, in pieces between
 * which other work can run.
 */
async function checksumInSlices(value: object, timeSlice: TimeSlice) {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const piece of jsonPieces(value, true)) {
    hash.update(piece);
    bytes += Buffer.byteLength(piece);
    await timeSlice.yieldIfDue();
  }
  return { checksum: hash.digest("base64url"), bytes };
}

/** Returns the document of an environment, without its configuration and request data. */
function documentOf(environment: Environment, hasFixture: boolean): EnvironmentDocument {
  const { dataset, profile, rateLimit } = environment.config;
  const content = environment.data();
  const runs = content.runs.map((run) => ({ ...run, scenario: writtenForm(run.scenario) }));
  const scenarios = content.scenarios.map(({ text }) => text);
  return {
    format: "offering-sandbox-environment",
    version: formatVersion,
    program: version,
    environment: environment.id,
    fixture: dataset.name,
    seed: dataset.seed,
    fixture_checksum: dataset.digest,
    ...(hasFixture && !dataset.isShipped && { fixture_document: dataset.document?.() ?? null }),
    profile,
    rate_limit: rateLimit,
    // A scenario is written like in a file, and the reader checks it like a file.
    content: { ...content, runs, scenarios } as unknown as EnvironmentData,
  };
}

/** Creates the snapshot of an environment in its state at the call, in pieces between which other work can run. */
export async function snapshotOf(environment: Environment): Promise<Snapshot> {
  const { history, calibrated, clock } = environment.internals;
  const { now } = environment.read();
  const { content, ...head } = documentOf(environment, true);
  const { transfer: _, ...traffic } = environment.requestData();
  const additions = { keys: history.keys, ...(calibrated && { calibrated }) };
  const snapshotClock = { now: Date.parse(now), speed: clock.speed };
  const body: EnvironmentDocument = { ...head, content: { ...content, ...additions, clock: snapshotClock }, traffic };
  const { checksum, bytes } = await checksumInSlices(body, new TimeSlice());
  const maxMegabytes = inputLimits.snapshotBody;
  if (bytes > maxMegabytes * megabyte) {
    throw new ControlError("conflict", `The snapshot is larger than ${maxMegabytes} MB, and could not be restored.`);
  }
  return { ...body, checksum };
}

/** The members of a configuration that a document has elsewhere, or that only matter in a process. */
const unstoredMembers: Readonly<Record<Exclude<keyof EnvironmentConfig, keyof StoredConfig>, true>> = {
  id: true,
  dataset: true,
  profile: true,
  rateLimit: true,
  delay: true,
  loadedScenarios: true,
};

/** Returns an environment for a database: without request data, with the configuration to which a reset returns. */
function storedBody(environment: Environment): EnvironmentDocument {
  const { keys, assumptions, ...config } = environment.config;
  const setup: StoredConfig = {
    ...config,
    ...(config.initialState && { keys }),
    ...(assumptions !== environment.assumptions && { assumptions }),
  };
  const storedEntries = Object.entries(setup).filter(([name]) => !Object.hasOwn(unstoredMembers, name));
  const document = documentOf(environment, config.ownFixture === true);
  return { ...document, setup: Object.fromEntries(storedEntries) as unknown as StoredConfig };
}

/**
 * Returns the JSON of an environment for a database, in its state at the call, in pieces between which other work can
 * run. Its members stay in order, because the checksum of a fixture depends on it.
 */
export async function storedText(environment: Environment): Promise<string> {
  const body = storedBody(environment);
  const timeSlice = new TimeSlice();
  const { checksum } = await checksumInSlices(body, timeSlice);
  return jsonInSlices({ ...body, checksum }, timeSlice);
}

/** The maximum number of members of a document, which has about fifteen. */
const maxMembers = 100;

/**
 * Checks a snapshot or a stored document, in pieces between which other work can run. Throws ValidationError for
 * anything else, another major version, and an edited document.
 */
export async function readDocument(snapshot: unknown): Promise<EnvironmentDocument> {
  const { parseShape } = await import("../validation/shape-errors.ts");
  const { longLists, snapshotHeadSchema, documentSchema } = await import("./snapshot-schema.ts");
  const { checkScenario, readSaved } = await import("../scenario/parse.ts");
  const timeSlice = new TimeSlice();
  if (isMembers(snapshot) && Object.keys(snapshot).length > maxMembers) throw new ValidationError(damagedMessage);
  // The program that writes a snapshot to a file adds the time.
  const { checksum, saved_at: _, ...body } = parseShape(snapshotHeadSchema, snapshot, "the snapshot");
  refuseOtherMajor(body);
  const checkedShape = parseShape(documentSchema, body, "the snapshot");
  if ((await checksumInSlices(body, timeSlice)).checksum !== checksum) throw new ValidationError(damagedMessage);
  for (const { path, items, schema } of longLists(checkedShape)) {
    for (const [index, item] of items.entries()) {
      await timeSlice.yieldIfDue();
      parseShape(schema, item, path.join("."), [...path, index]);
    }
  }
  // The checksum protects the members that the schema omits.
  const document = checkedShape as unknown as EnvironmentDocument;
  const { content, traffic } = document;
  for (const values of [content.assumptions, ...(traffic?.journal.assumed ?? []).map((change) => change.values)]) {
    for (const [id, value] of Object.entries(values)) parseAssumption(id, value);
  }
  const runs = await withScenarios(content.runs, checkScenario, timeSlice);
  const scenarios: SavedScenario[] = [];
  for (const text of checkedShape.content.scenarios ?? []) {
    await timeSlice.yieldIfDue();
    scenarios.push(readSaved(text));
  }
  return { ...document, content: { ...content, runs, scenarios } };
}

/** Throws ValidationError for a snapshot of another major version. */
function refuseOtherMajor(snapshot: Pick<EnvironmentDocument, "program"> & { readonly version: number }): void {
  const { program } = snapshot;
  const [snapshotMajor] = program.split(".");
  if (snapshot.version === formatVersion && snapshotMajor === version.split(".")[0]) return;
  const openingVersion = snapshotMajor === "1" ? "1.1.0" : program;
  throw new ValidationError(
    `The snapshot is of offering-sandbox ${program}, and this is ${version}: version ${openingVersion} opens it.`,
  );
}

/** Checks the scenario of each run; many runs may have the same scenario. Throws ValidationError. */
async function withScenarios(runs: readonly Run[], check: (script: unknown) => Scenario, timeSlice: TimeSlice) {
  const scenarios = new Map<string, Scenario>();
  const checkedRuns: Run[] = [];
  for (const [index, run] of runs.entries()) {
    await timeSlice.yieldIfDue();
    const key = JSON.stringify(run.scenario);
    try {
      const scenario = scenarios.get(key) ?? check(run.scenario);
      scenarios.set(key, scenario);
      checkedRuns.push({ ...run, scenario });
    } catch (error) {
      throw new ValidationError(`content.runs[${index}].scenario: ${messageOf(error)}`, { cause: error });
    }
  }
  return checkedRuns;
}

/** Whether a snapshot was made from a fixture. */
export function matchesFixture(snapshot: EnvironmentDocument, { name, seed, digest, document }: Dataset): boolean {
  const { fixture_checksum: checksum, fixture_document: fixtureDocument } = snapshot;
  if (snapshot.seed !== seed || snapshot.fixture !== name) return false;
  return checksum === digest || (!!fixtureDocument && isDeepStrictEqual(fixtureDocument, document?.()));
}

/** The environment that adopts a snapshot. */
interface Receiver extends Pick<EnvironmentConfig, "id" | "routingPrefix" | "dataset" | "assumptions"> {
  /** The keys that the environment has without the snapshot. */
  readonly keys: readonly Key[];
}

/**
 * Returns the data of a snapshot for another environment, with the secrets of that environment; without limits, unless
 * the snapshot is of the same environment. Throws ControlError if the snapshot was made from another fixture.
 */
export function adopt(snapshot: EnvironmentDocument, receiver: Receiver) {
  const { id, routingPrefix, dataset, assumptions, keys } = receiver;
  if (!matchesFixture(snapshot, dataset)) throw otherFixtureError(snapshot, dataset);
  const { content, traffic, environment } = snapshot;
  const isSameEnvironment = environment === id;
  const seedPath = SeedPath.root(dataset.seed, routingPrefix).at("environments", id, "keys");
  const secretOf = ({ id: keyId, type, key }: Key): string =>
    isSameEnvironment ? withRoutingPrefix(key, routingPrefix) : `sandbox_${type}_${seedPath.at(keyId).token}`;
  const data: EnvironmentData & Pick<Receiver, "keys"> = {
    ...content,
    keys: adoptKeys(content.keys ?? [], keys, secretOf),
    changes: content.changes.map((change) =>
      change.kind === "new_key" ? { ...change, key: { ...change.key, key: secretOf(change.key) } } : change,
    ),
    assumptions: { ...assumptions, ...content.assumptions },
  };
  return { data, requestData: traffic && (isSameEnvironment ? traffic : { ...traffic, limits: undefined }) };
}

/** Returns the command that starts a sandbox from a snapshot without its fixture. */
export function startCommand({ fixture, seed }: Pick<EnvironmentDocument, "fixture" | "seed">, file = "FILE"): string {
  const path = isName(fixture) ? `${fixture}.json` : "FIXTURE";
  return `start with --fixture ${path}${seed === 1 ? "" : ` --seed ${seed}`} --snapshot ${file}`;
}

function otherFixtureError(snapshot: EnvironmentDocument, { name, seed }: Dataset): ControlError {
  const difference =
    name === snapshot.fixture && seed === snapshot.seed
      ? "that of this environment has the same name and seed, but other content"
      : `this environment has ${quoted(name)} with seed ${seed}`;
  const origin = `made from the fixture ${quoted(snapshot.fixture)} with seed ${snapshot.seed}`;
  const advice =
    snapshot.fixture_document === null
      ? `The snapshot does not have its fixture: ${startCommand(snapshot)}.`
      : "Open an environment from the snapshot, or start a sandbox with it.";
  return new ControlError("conflict", `The snapshot was ${origin}; ${difference}. ${advice}`);
}
