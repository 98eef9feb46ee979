import { createHash } from "node:crypto";
import { parseAssumption } from "../assumptions/assume.ts";
import type { Assumptions } from "../assumptions/catalogue.ts";
import type { Snapshot } from "../control.ts";
import { ControlError } from "../errors/control-error.ts";
import { late } from "../model/late.ts";
import { Mistake } from "../model/mistakes.ts";
import { quoted } from "../model/text.ts";
import type { WholeContent } from "./environment-content.ts";
import type { Environment } from "./environment.ts";

const shapeMistakes = late(() => import("../model/shape-mistakes.ts"));
const schemas = late(() => import("./snapshot-schema.ts"));
const relations = late(() => import("./contradictions.ts"));

/** A checksum of plain data, independent of the order of members. */
export function checksumOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, sortMembers)).digest("base64url");
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

export function snapshotOf(environment: Environment): Snapshot {
  const { dataset } = environment.setup;
  const { now } = environment.read();
  const content = environment.content();
  const body = {
    format: "offering-sandbox-environment",
    version: 1,
    environment: environment.id,
    fixture: dataset.name,
    seed: dataset.seed,
    ...content,
    ...environment.traffic(),
    clock: { now: Date.parse(now), speed: content.clock.speed },
  } as const;
  return { ...body, checksum: checksumOf(body) };
}

/**
 * Returns the content in a snapshot. Throws Mistake if it was edited, or has a value that no command would have made;
 * ControlError if it is of another environment or fixture.
 */
export async function readSnapshot(snapshot: Snapshot, { setup }: Environment): Promise<WholeContent> {
  const [{ checkShape, parseShape }, { contentSchema, snapshotSchema }, { contradictions }] = await Promise.all([
    shapeMistakes(),
    schemas(),
    relations(),
  ]);
  const { checksum, ...body } = parseShape(snapshotSchema, plainCopy(snapshot), "the snapshot");
  if (checksumOf(body) !== checksum) {
    throw new Mistake("The snapshot is not as it was made; expected one that nobody edited.");
  }
  const { environment: id, fixture, seed, format: _, version: __, ...members } = body;
  const { dataset } = setup;
  if (fixture !== dataset.name || seed !== dataset.seed) {
    throw new ControlError(
      "conflict",
      `The snapshot was made from the fixture ${quoted(fixture)} with seed ${seed}; this environment has "${dataset.name}" with ${dataset.seed}.`,
    );
  }
  if (id !== setup.id) {
    throw new ControlError("conflict", `The snapshot is of the environment ${quoted(id)}; this is "${setup.id}".`);
  }
  checkShape(contentSchema, members, "the snapshot");
  const given = members as unknown as WholeContent;
  // A snapshot without creations was made when all changes counted, one without days when no date moved.
  const content = { ...given, creations: given.creations ?? given.issued, days: given.days ?? 0 };
  for (const message of contradictions(content, setup))
    throw new Mistake(`The snapshot contradicts itself: ${message}`);
  const values = Object.entries(content.assumptions).map(([name, value]) => parseAssumption(name, value));
  return { ...content, assumptions: Object.assign({ ...setup.assumptions }, ...values) as Assumptions };
}

/** Returns a value as JSON has it, so that nobody can change it from outside. */
function plainCopy(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch {
    throw new Mistake("The snapshot is no plain data; expected one as it was made.");
  }
}
