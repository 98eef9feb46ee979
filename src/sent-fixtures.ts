import { hash } from "node:crypto";
import type { SnapshotBody } from "./environment/snapshot.ts";
import { ControlError } from "./errors/control-error.ts";
import type { LoadOptions } from "./fixture/check.ts";
import type { Dataset } from "./fixture/dataset.ts";
import { readDataset } from "./fixture/load.ts";
import { fixtureFile, type FixtureSource, readFixture } from "./fixture/read.ts";
import { bounds } from "./model/bounds.ts";
import { isMembers } from "./model/members.ts";
import { Mistake } from "./model/mistakes.ts";
import { isName, quoted } from "./model/text.ts";

/** The fixtures that commands bring along. Environments over equal ones share a dataset for as long as one of them is open. */
export class SentFixtures {
  readonly #datasets = new Map<string, WeakRef<Dataset>>();

  /** Throws UnreadableFile, FileMistakes for a file, and Mistake for a document. `name` is that of a document without one. */
  async dataset(source: FixtureSource, options: LoadOptions, name?: string): Promise<Dataset> {
    if (typeof source !== "string") expectFew(source);
    const file = fixtureFile(source, name);
    const bytes = await readFixture(file);
    const key = JSON.stringify([hash("sha256", bytes), file.name, options.seed, options.investmentStatuses]);
    const known = this.#datasets.get(key)?.deref();
    if (known) return known;
    for (const [unused, dataset] of this.#datasets) if (!dataset.deref()) this.#datasets.delete(unused);
    const dataset = await readDataset(file, bytes, options);
    this.#datasets.set(key, new WeakRef(dataset));
    return dataset;
  }

  /** The dataset of a fixture file. Throws as `dataset`, and ControlError for a file that a database would not keep. */
  async ofFile(path: string, options: LoadOptions, { db }: { readonly db?: string | undefined }): Promise<Dataset> {
    const dataset = await this.dataset(path, options);
    if (db === undefined || dataset.shipped || dataset.document) return dataset;
    throw new ControlError(
      "conflict",
      `fixture: ${quoted(path)} is larger than the ${bounds.body} MB that \`db\` keeps of a fixture, so the environment would be lost at the next start. Start a sandbox with this fixture, or one without \`db\`.`,
    );
  }

  /** The dataset that a snapshot rests on. Throws ControlError if it neither brings it along nor rests on one that ships. */
  async ofSnapshot({
    fixture,
    seed,
    fixture_checksum: digest,
    fixture_document: document,
  }: SnapshotBody): Promise<Dataset> {
    // What the snapshot rests on was valid under the assumptions of its time.
    const options = { seed, investmentStatuses: "any" } as const;
    if (document !== undefined) return this.dataset(document, options, fixture);
    const found = isName(fixture) ? await this.dataset(fixture, options).catch(unlessMissing) : undefined;
    if (found && (digest === undefined || found.digest === digest)) return found;
    const reason = found
      ? "as another version of offering-sandbox has it"
      : "which is too large to be in it: open it in a sandbox that was started with that fixture";
    throw new ControlError("conflict", `The snapshot rests on the fixture ${quoted(fixture)}, ${reason}.`);
  }
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof Mistake)) throw error;
}

/** Completing investments occupies the server. */
function expectFew({ offerings }: Readonly<Record<string, unknown>>): void {
  const list: readonly unknown[] = Array.isArray(offerings) ? offerings : [];
  const generates = list.map((one) =>
    isMembers(one) && isMembers(one["generate"]) ? one["generate"]["investments"] : 0,
  );
  const sum = generates.reduce<number>((total, one) => total + (typeof one === "number" ? one : 0), 0);
  if (sum <= bounds.generated) return;
  const most = bounds.generated.toLocaleString("en");
  throw new Mistake(
    `fixture: its offerings generate ${sum.toLocaleString("en")} investments; expected ${most} at most. For more, start a sandbox with it.`,
  );
}
