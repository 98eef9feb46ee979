import { hash } from "node:crypto";
import { type ReadSnapshot, startLine } from "../environment/snapshot.ts";
import { ControlError } from "../errors/control-error.ts";
import type { LoadOptions } from "../fixture/check.ts";
import type { Dataset, FixtureDocument } from "../fixture/dataset.ts";
import { readDataset } from "../fixture/load.ts";
import { fixtureFile, type FixtureSource, readFixture } from "../fixture/read.ts";
import { inputLimits } from "../model/bounds.ts";
import { isMembers } from "../model/members.ts";
import { Mistake } from "../model/mistakes.ts";
import { isName, quoted } from "../model/text.ts";

/** The fixtures brought along by commands. Environments over equal ones share a dataset while one of them is open. */
export class InlineFixtures {
  readonly #datasets = new Map<string, WeakRef<Dataset>>();
  readonly #hasDatabase: boolean;

  constructor({ hasDatabase }: { readonly hasDatabase: boolean }) {
    this.#hasDatabase = hasDatabase;
  }

  /** Throws UnreadableFile, FileMistakes for a file, and Mistake for a document. `name` is for a document without one. */
  async dataset(source: FixtureSource, options: LoadOptions, name?: string): Promise<Dataset> {
    const file = fixtureFile(source, name);
    const bytes = await readFixture(file);
    const key = JSON.stringify([hash("sha256", bytes), file.name, options.seed, options.investmentStatuses]);
    const shared = this.#datasets.get(key)?.deref();
    if (shared) return shared;
    for (const [unused, dataset] of this.#datasets) if (!dataset.deref()) this.#datasets.delete(unused);
    const dataset = await readDataset(file, bytes, options);
    this.#datasets.set(key, new WeakRef(dataset));
    return dataset;
  }

  /**
   * The dataset of a document or a file in a command. Throws as `dataset`, Mistake for a document with too much, and
   * ControlError for a file too large for the database.
   */
  async ofCommand(source: FixtureSource, options: LoadOptions, name?: string): Promise<Dataset> {
    if (typeof source === "object") {
      expectBounded(source);
      return this.dataset(source, options, name);
    }
    const dataset = await this.dataset(source, options);
    if (!this.#hasDatabase || dataset.shipped || dataset.document) return dataset;
    throw new ControlError(
      "conflict",
      `fixture: ${quoted(source)} is larger than the ${inputLimits.body} MB that \`db\` keeps of a fixture, so the environment would be lost at the next start. Start a sandbox with this fixture, or one without \`db\`.`,
    );
  }

  /**
   * The dataset under a snapshot, which may be large at the start of a sandbox. Throws ControlError if the snapshot
   * neither brings its fixture along nor rests on a shipped one.
   */
  async ofSnapshot(snapshot: ReadSnapshot, { isStart }: { readonly isStart: boolean }): Promise<Dataset> {
    const { fixture, seed, fixture_checksum: digest, fixture_document: document } = snapshot;
    // The snapshot's fixture was valid under the assumptions of its time.
    const options = { seed, investmentStatuses: "any" } as const;
    if (document) {
      return isStart ? this.dataset(document, options, fixture) : this.ofCommand(document, options, fixture);
    }
    const shipped =
      document === undefined && isName(fixture) ? await this.dataset(fixture, options).catch(unlessMissing) : undefined;
    if (shipped?.digest === digest) return shipped;
    const reason = shipped
      ? "as another version of offering-sandbox has it"
      : `which is not in it: ${startLine(snapshot)}`;
    throw new ControlError("conflict", `The snapshot rests on the fixture ${quoted(fixture)}, ${reason}.`);
  }
}

/** Stands for a fixture that is missing or has mistakes. Throws every other error. */
export function unlessMissing(error: unknown): undefined {
  if (!(error instanceof ControlError || error instanceof Mistake)) throw error;
}

/** Completing offerings and investments occupies the server. */
function expectBounded({ offerings }: FixtureDocument): void {
  if (!Array.isArray(offerings)) return;
  expectAtMost(inputLimits.offerings, offerings.length, "has", "offerings");
  const sum = offerings.reduce<number>((total, one) => total + investmentsOf(one), 0);
  expectAtMost(inputLimits.investments, sum, "has or generates", "investments");
}

function investmentsOf(offering: unknown): number {
  if (!isMembers(offering)) return 0;
  const { investments, generate } = offering;
  const generated = isMembers(generate) ? generate["investments"] : 0;
  return (Array.isArray(investments) ? investments.length : 0) + (typeof generated === "number" ? generated : 0);
}

function expectAtMost(limit: number, count: number, verb: string, noun: string): void {
  if (count <= limit) return;
  const [actual, expected] = [count, limit].map((number) => number.toLocaleString("en"));
  throw new Mistake(
    `fixture: ${verb} ${actual} ${noun}; expected ${expected} at most. For more, start a sandbox with it.`,
  );
}
