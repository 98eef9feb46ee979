import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { parseAssumption, type ProfileName } from "../assumptions/assume.ts";
import type { Assumptions } from "../assumptions/catalogue.ts";
import type { Snapshot } from "../control.ts";
import { ControlError } from "../errors/control-error.ts";
import type { Dataset } from "../fixture/dataset.ts";
import { bounds, megabyte } from "../model/bounds.ts";
import { late } from "../model/late.ts";
import { messageOf, Mistake } from "../model/mistakes.ts";
import type { Key } from "../model/resources.ts";
import { quoted } from "../model/text.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { writtenForm } from "../scenario/written-form.ts";
import type { EnvironmentSetup, WholeContent } from "./environment-content.ts";
import type { Environment } from "./environment.ts";
import { adoptedKeys, adoptedSecret } from "./keys.ts";

const shapeMistakes = late(() => import("../model/shape-mistakes.ts"));
const schemas = late(() => import("./snapshot-schema.ts"));
const scenarios = late(() => import("../scenario/parse.ts"));
const relations = late(() => import("./contradictions.ts"));

/** A checksum of plain data, independent of the order of members. */
export function checksumOf(value: unknown): string {
  return digestOf(sortedText(value));
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, sortMembers);
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

export function snapshotOf(environment: Environment): Snapshot {
  const { setup, stores } = environment;
  const { dataset, profile, rateLimit } = setup;
  const { now } = environment.read();
  const content = environment.content();
  const body = {
    format: "offering-sandbox-environment",
    version: 1,
    environment: environment.id,
    fixture: dataset.name,
    seed: dataset.seed,
    fixture_checksum: dataset.digest,
    ...(dataset.document && { fixture_document: dataset.document() }),
    profile,
    rate_limit: rateLimit,
    ...content,
    runs: content.runs.map((run) => ({ ...run, scenario: writtenForm(run.scenario) })),
    keys: stores.history.keys,
    ...(stores.calibrated && { calibrated: stores.calibrated }),
    ...environment.traffic(),
    clock: { now: Date.parse(now), speed: content.clock.speed },
  } as const;
  const text = sortedText(body);
  if (Buffer.byteLength(text) > bounds.snapshotBody * megabyte) {
    throw new ControlError(
      "conflict",
      `The snapshot is larger than ${bounds.snapshotBody} MB, which nothing could restore.`,
    );
  }
  return { ...body, checksum: digestOf(text) };
}

/** A snapshot that nobody edited; its content is not checked yet. */
export interface SnapshotBody {
  readonly environment: string;
  readonly fixture: string;
  readonly seed: number;
  readonly fixture_checksum?: string | undefined;
  readonly fixture_document?: Readonly<Record<string, unknown>> | undefined;
  readonly profile?: ProfileName | undefined;
  readonly rate_limit?: number | undefined;
  /** The other members. */
  readonly content: Readonly<Record<string, unknown>>;
}

/** Throws Mistake if it is none, or was edited. */
export async function openSnapshot(snapshot: unknown): Promise<SnapshotBody> {
  const [{ parseShape }, { snapshotSchema }] = await Promise.all([shapeMistakes(), schemas()]);
  const { checksum, ...body } = parseShape(snapshotSchema, snapshot, "the snapshot");
  if (checksumOf(body) !== checksum) {
    throw new Mistake("The snapshot is not as it was made; expected one that nobody edited.");
  }
  const { format: _, version: __, environment, fixture, seed, ...others } = body;
  const { fixture_checksum, fixture_document, profile, rate_limit, ...content } = others;
  return { environment, fixture, seed, fixture_checksum, fixture_document, profile, rate_limit, content };
}

/** Whether a snapshot rests on a fixture. */
export function restsOn(body: SnapshotBody, { name, seed, digest, document }: Dataset): boolean {
  const { fixture_checksum: checksum, fixture_document: sent } = body;
  if (body.seed !== seed || body.fixture !== name) return false;
  return checksum === undefined || checksum === digest || (sent !== undefined && isDeepStrictEqual(sent, document?.()));
}

/** The environment that a snapshot is for. */
interface Receiver extends Pick<EnvironmentSetup, "id" | "dataset" | "assumptions" | "journalCapacity"> {
  /** The keys that it has, or has as a new environment that begins with the content. */
  keysFor(content: WholeContent): readonly Key[];
}

/**
 * Returns the content in a snapshot for an environment over its fixture: with the keys that it has there, and without limits
 * and journal if it is of another one. Throws Mistake if it has a value that no command would have made.
 */
export async function contentOf(
  { environment, content: members }: SnapshotBody,
  receiver: Receiver,
): Promise<WholeContent> {
  const [{ parseShape }, { contentSchema }, { checkScenario }, { contradictions }] = await Promise.all([
    shapeMistakes(),
    schemas(),
    scenarios(),
    relations(),
  ]);
  const given = parseShape(contentSchema, members, "the snapshot") as unknown as WholeContent;
  const { id, dataset } = receiver;
  const own = receiver.keysFor(given);
  const isOwn = environment === id;
  const secretOf = (key: Key): string => (isOwn ? key.key : adoptedSecret(id, dataset.seed, key));
  const scenarioOf = ({ scenario }: { readonly scenario: unknown }, at: string): Scenario => {
    try {
      return checkScenario(scenario).scenario;
    } catch (error) {
      throw new Mistake(`${at}: ${messageOf(error)}`, { cause: error });
    }
  };
  const { limits, journal, answers, ...happened } = given;
  const content: WholeContent = {
    ...happened,
    ...(isOwn && { limits, journal, answers }),
    // A snapshot without keys had those of its environment, one without creations was made when all changes counted, one
    // without days when no date moved.
    keys: given.keys && adoptedKeys(given.keys, own, secretOf),
    changes: given.changes.map((change) =>
      change.kind === "new_key" ? { ...change, key: { ...change.key, key: secretOf(change.key) } } : change,
    ),
    runs: given.runs.map((run, index) => ({ ...run, scenario: scenarioOf(run, `runs[${index}].scenario`) })),
    creations: given.creations ?? given.issued,
    days: given.days ?? 0,
  };
  for (const message of contradictions(content, { ...receiver, keys: content.keys ?? own }))
    throw new Mistake(`The snapshot contradicts itself: ${message}`);
  const { calibrated } = content;
  return {
    ...content,
    assumptions: { ...receiver.assumptions, ...parsedValues(content.assumptions) },
    ...(calibrated && { calibrated: { ...calibrated, values: parsedValues(calibrated.values) } }),
  };
}

function parsedValues(values: Readonly<Record<string, unknown>>): Partial<Assumptions> {
  return Object.assign({}, ...Object.entries(values).map(([id, value]) => parseAssumption(id, value))) as object;
}

/** Returns the content in a snapshot that an environment is to restore. Throws as `contentOf`, and ControlError for one of another fixture. */
export async function readSnapshot(snapshot: Snapshot, { setup }: Environment): Promise<WholeContent> {
  const body = await openSnapshot(snapshot);
  if (restsOn(body, setup.dataset)) return contentOf(body, { ...setup, keysFor: () => setup.keys });
  const { name, seed } = setup.dataset;
  const own =
    name === body.fixture && seed === body.seed
      ? "that of this environment has the same name and seed, but other content"
      : `this environment has ${quoted(name)} with ${seed}`;
  throw new ControlError(
    "conflict",
    `The snapshot was made from the fixture ${quoted(body.fixture)} with seed ${body.seed}; ${own}. Open an environment from the snapshot, or start a sandbox with it.`,
  );
}
