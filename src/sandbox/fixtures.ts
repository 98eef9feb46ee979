import { hash } from "node:crypto";
import type { EnvironmentDocument } from "../environment/document.ts";
import { matchesFixture, readDocument, startCommand } from "../environment/snapshot.ts";
import { ControlError } from "../errors/control-error.ts";
import type { LoadOptions } from "../fixture/check.ts";
import type { Dataset, FixtureDocument } from "../fixture/dataset.ts";
import { openFixture, readDataset } from "../fixture/load.ts";
import { fixtureFile, type FixtureSource, readFixture, unknownFixture } from "../fixture/read.ts";
import { inputLimits } from "../bounds/bounds.ts";
import { isMembers } from "../validation/members.ts";
import { FileValidationError, ValidationError } from "../validation/errors.ts";
import { isName, quoted } from "../text/text.ts";
import { type SandboxConfig, snapshotHasFixture } from "./configuration.ts";

/** The dataset of an environment, and the snapshot that was made from it. */
export interface LoadedSource {
  /** The dataset with the dates of its file. */
  readonly dataset: Dataset;
  /** The dataset came with the command; the server has it nowhere else. */
  readonly ownFixture: boolean;
  readonly snapshot?: EnvironmentDocument;
}

/** Loads datasets. Throws FileReadError, FileValidationError, ValidationError and ControlError. */
export class Fixtures {
  readonly #configuration: SandboxConfig;
  /** The server's own fixture, and shipped ones. */
  readonly #stores = new Map<FixtureSource, ReturnType<typeof openFixture>>();
  /** The datasets of commands, by their content: environments share one while one of them is open. */
  readonly #ofCommands = new Map<string, WeakRef<Dataset>>();
  #ofSnapshot: Dataset | undefined;

  constructor(configuration: SandboxConfig) {
    this.#configuration = configuration;
  }

  /** Loads the fixture or the snapshot of the server's options. */
  async ofServer(): Promise<LoadedSource> {
    const { snapshot, fixture } = this.#configuration;
    if (snapshot === undefined) return { dataset: await this.#load(fixture), ownFixture: false };
    const source = await this.ofSnapshot(snapshot, { isStart: true });
    this.#ofSnapshot = source.dataset;
    return source;
  }

  /** Loads the server's own dataset. Its snapshot is read once: the file may change. */
  async serverDataset(): Promise<Dataset> {
    return this.#ofSnapshot ?? (await this.ofServer()).dataset;
  }

  /** Returns the dataset of a shipped fixture or of the server's own, by its name; without a name, the server's own. */
  async named(name: string | undefined): Promise<Dataset> {
    const serverDataset = await this.serverDataset();
    if (name === undefined || name === serverDataset.name) return serverDataset;
    return this.#load(name).catch(async (error: unknown) => {
      throw error instanceof ValidationError && !(error instanceof FileValidationError)
        ? await unknownFixture(name, [serverDataset.name])
        : error;
    });
  }

  /** Finds a fixture by its name; undefined if there is none, or it has errors. */
  async find(name: string): Promise<Dataset | undefined> {
    return this.named(name).catch(unlessMissing);
  }

  /**
   * Loads the dataset of a command's source; `name` is for a source without a name. Throws ValidationError or
   * ControlError if it is too large.
   */
  async ofCommand(source: FixtureSource, options: LoadOptions, name?: string): Promise<Dataset> {
    if (typeof source === "object") expectBounded(source);
    const dataset = await this.#shared(source, options, name);
    if (typeof source === "object" || this.#configuration.db === undefined) return dataset;
    if (dataset.isShipped || dataset.document) return dataset;
    throw new ControlError(
      "conflict",
      `fixture: ${quoted(source)} is larger than the ${inputLimits.body} MB that \`db\` stores of a fixture, so the environment would be lost at the next start. Start a sandbox with this fixture, or one without \`db\`.`,
    );
  }

  /** Loads a snapshot or its file, with the server's own fixture if the snapshot was made from that. */
  async ofSnapshot(source: string | object, { isStart = false } = {}) {
    const { readSnapshotDocument } = await import("../control/files.ts");
    const snapshot = await readDocument(await readSnapshotDocument(source));
    const { snapshot: ofServer, fixture, hasFixture } = this.#configuration;
    const isOverFixture = isStart && hasFixture;
    if (isOverFixture && snapshot.fixture_document !== null) throw new ValidationError(snapshotHasFixture);
    const dataset = ofServer === undefined || hasFixture ? await this.#load(fixture) : undefined;
    if (dataset && (isOverFixture || matchesFixture(snapshot, dataset)))
      return { dataset, ownFixture: false, snapshot };
    return { dataset: await this.#fixtureOf(snapshot, isStart), ownFixture: true, snapshot };
  }

  /** Loads the dataset of a stored environment: the server's own, if the environment's is gone. */
  async ofStored(snapshot: EnvironmentDocument, { isDefault }: { readonly isDefault: boolean }): Promise<LoadedSource> {
    const { fixture: name, seed, fixture_document: document, setup } = snapshot;
    if (setup?.ownFixture === true) {
      const dataset = await this.#shared(document ?? name, { seed, investmentStatuses: "any" }, name);
      return { dataset, ownFixture: true };
    }
    const dataset = isDefault
      ? this.#load(this.#configuration.fixture)
      : ((await this.find(name)) ?? this.serverDataset());
    return { dataset: await dataset, ownFixture: false };
  }

  async #load(fixture: FixtureSource): Promise<Dataset> {
    const { seed, assumptions, snapshot } = this.#configuration;
    // The fixture of a snapshot was valid under the assumptions of its time.
    const investmentStatuses = snapshot === undefined ? assumptions["investment.statuses"] : "any";
    const store = this.#stores.get(fixture) ?? openFixture(fixture, { seed, investmentStatuses });
    this.#stores.set(fixture, store);
    store.catch(() => this.#stores.delete(fixture));
    return (await store).data;
  }

  async #shared(source: FixtureSource, options: LoadOptions, name?: string): Promise<Dataset> {
    const file = fixtureFile(source, name);
    const bytes = await readFixture(file);
    const key = JSON.stringify([hash("sha256", bytes), file.name, options.seed, options.investmentStatuses]);
    const shared = this.#ofCommands.get(key)?.deref();
    if (shared) return shared;
    for (const [unused, dataset] of this.#ofCommands) if (!dataset.deref()) this.#ofCommands.delete(unused);
    const dataset = await readDataset(file, bytes, options);
    this.#ofCommands.set(key, new WeakRef(dataset));
    return dataset;
  }

  /** Loads a snapshot's fixture, which may be large at a start, or the shipped one that the snapshot is made from. */
  async #fixtureOf(snapshot: EnvironmentDocument, isStart: boolean): Promise<Dataset> {
    const { fixture, seed, fixture_checksum: digest, fixture_document: document } = snapshot;
    const options = { seed, investmentStatuses: "any" } as const;
    if (document) {
      return isStart ? this.#shared(document, options, fixture) : this.ofCommand(document, options, fixture);
    }
    const shipped =
      document === undefined && isName(fixture) ? await this.#shared(fixture, options).catch(unlessMissing) : undefined;
    if (shipped?.digest === digest) return shipped;
    const reason = shipped
      ? "as another version of offering-sandbox has it"
      : `which is not in it: ${startCommand(snapshot)}`;
    throw new ControlError("conflict", `The snapshot depends on the fixture ${quoted(fixture)}, ${reason}.`);
  }
}

/** Returns undefined for a fixture that is missing or has errors. Throws every other error. */
function unlessMissing(error: unknown): undefined {
  if (!(error instanceof ControlError || error instanceof ValidationError)) throw error;
}

/** Throws ValidationError for a fixture whose completion would occupy the server for long. */
function expectBounded({ offerings }: FixtureDocument): void {
  if (!Array.isArray(offerings)) return;
  expectAtMost(inputLimits.offerings, offerings.length, "has", "offerings");
  const sum = offerings.reduce<number>((total, offering) => total + investmentsOf(offering), 0);
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
  const advice = "For more, start a sandbox with it.";
  throw new ValidationError(`fixture: ${verb} ${actual} ${noun}; expected ${expected} at most. ${advice}`);
}
