import { createHash } from "node:crypto";
import type { Snapshot } from "../control.ts";
import { quoted } from "../model/text.ts";
import { ControlError } from "../errors/control-error.ts";
import type { WholeContent } from "./environment-content.ts";
import type { Environment } from "./environment.ts";
import { late } from "../model/late.ts";

const shapeMistakes = late(() => import("../model/shape-mistakes.ts"));
const schema = late(() => import("./snapshot-schema.ts"));

/** A checksum of plain data, independent of the order of members. */
function checksumOf(value: unknown): string {
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

/** Returns the content in a snapshot. Throws ControlError if it was edited, or is of another environment or fixture. */
export async function readSnapshot(snapshot: Snapshot, environment: Environment): Promise<WholeContent> {
  const [{ parseShape }, { snapshotSchema }] = await Promise.all([shapeMistakes(), schema()]);
  const { checksum, ...body } = parseShape(snapshotSchema, snapshot, "the snapshot");
  if (checksumOf(body) !== checksum) {
    throw new ControlError("invalid", "The snapshot is not as it was made; expected one that nobody edited.");
  }
  const { environment: id, fixture, seed, format: _, version: __, ...content } = body;
  const { dataset } = environment.setup;
  if (fixture !== dataset.name || seed !== dataset.seed) {
    throw new ControlError(
      "conflict",
      `The snapshot was made from the fixture ${quoted(fixture)} with seed ${seed}; this environment has "${dataset.name}" with ${dataset.seed}.`,
    );
  }
  if (id !== environment.id) {
    throw new ControlError(
      "conflict",
      `The snapshot is of the environment ${quoted(id)}; this is "${environment.id}".`,
    );
  }
  return content as unknown as WholeContent;
}
