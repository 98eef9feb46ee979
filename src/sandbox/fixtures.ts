import { matchesFixture, readSnapshot, type ReadSnapshot } from "../environment/snapshot.ts";
import type { LoadOptions } from "../fixture/check.ts";
import type { Dataset } from "../fixture/dataset.ts";
import { type FixtureStore, openFixture } from "../fixture/load.ts";
import { type FixtureSource, unknownFixture } from "../fixture/read.ts";
import { FileMistakes, Mistake } from "../model/mistakes.ts";
import { type Configuration, snapshotHasFixture } from "./configuration.ts";
import { InlineFixtures, unlessMissing } from "./inline-fixtures.ts";

/** Most starts have no snapshot. */
const fileReader = () => import("../control/files.ts");

/** Where an environment begins. */
export type Source =
  /** The fixture or the snapshot of the server's options. */
  | { readonly kind: "server" }
  /** The server's own fixture, or the one of this name: a shipped one or, again, the server's own. */
  | { readonly kind: "fixture"; readonly name?: string }
  /** A document or the path of a file. */
  | { readonly kind: "inline"; readonly fixture: FixtureSource; readonly options: LoadOptions }
  | { readonly kind: "snapshot"; readonly snapshot: string | object }
  | { readonly kind: "stored"; readonly snapshot: ReadSnapshot; readonly isDefault: boolean };

/** What lies under an environment: its dataset, and the snapshot over it. */
export interface LoadedSource {
  /** With the dates of its file. */
  readonly dataset: Dataset;
  /** The dataset came with the command; the server has it nowhere else. */
  readonly ownFixture: boolean;
  readonly snapshot?: ReadSnapshot;
}

/** Opens the sources of a server's environments, whose fixtures they share. */
export class Fixtures {
  readonly #configuration: Configuration;
  readonly #stores = new Map<FixtureSource, Promise<FixtureStore>>();
  readonly #inline: InlineFixtures;
  /** The dataset of the server's own snapshot. */
  #ofSnapshot: Dataset | undefined;

  constructor(configuration: Configuration) {
    this.#configuration = configuration;
    this.#inline = new InlineFixtures({ hasDatabase: configuration.db !== undefined });
  }

  /** Throws UnreadableFile, FileMistakes for a file, Mistake and ControlError. */
  async load(source: Source): Promise<LoadedSource> {
    switch (source.kind) {
      case "server":
        return this.#openServer();
      case "fixture":
        return { dataset: await this.#named(source.name), ownFixture: false };
      case "inline":
        return { dataset: await this.#inline.ofCommand(source.fixture, source.options), ownFixture: true };
      case "snapshot":
        return this.#openSnapshot(source.snapshot, { isStart: false });
      case "stored":
        return this.#openStored(source);
    }
  }

  /** The server's own dataset. Its snapshot is read once: the file may change. */
  async own(): Promise<Dataset> {
    return this.#ofSnapshot ?? (await this.#openServer()).dataset;
  }

  /** Finds a fixture by its name; undefined if there is none, or it has mistakes. */
  async find(name: string): Promise<Dataset | undefined> {
    return this.#named(name).catch(unlessMissing);
  }

  async #openServer(): Promise<LoadedSource> {
    const { snapshot, fixture } = this.#configuration;
    if (snapshot === undefined) return { dataset: await this.#load(fixture), ownFixture: false };
    const basis = await this.#openSnapshot(snapshot, { isStart: true });
    this.#ofSnapshot = basis.dataset;
    return basis;
  }

  async #named(name: string | undefined): Promise<Dataset> {
    const own = await this.own();
    if (name === undefined || name === own.name) return own;
    return this.#load(name).catch(async (error: unknown) => {
      throw error instanceof Mistake && !(error instanceof FileMistakes)
        ? await unknownFixture(name, [own.name])
        : error;
    });
  }

  async #openSnapshot(source: string | object, { isStart }: { readonly isStart: boolean }): Promise<LoadedSource> {
    const snapshot = await readSnapshot(await (await fileReader()).snapshotDocument(source));
    const { snapshot: ofServer, fixture, hasFixture } = this.#configuration;
    if (isStart && hasFixture && snapshot.fixture_document !== null) throw new Mistake(snapshotHasFixture);
    const own = ofServer === undefined || hasFixture ? await this.#load(fixture) : undefined;
    if (own && ((isStart && hasFixture) || matchesFixture(snapshot, own)))
      return { dataset: own, ownFixture: false, snapshot };
    return { dataset: await this.#inline.ofSnapshot(snapshot, { isStart }), ownFixture: true, snapshot };
  }

  /** Over the server's own fixture, if the environment's is gone. */
  async #openStored({ snapshot, isDefault }: Source & { readonly kind: "stored" }): Promise<LoadedSource> {
    const { fixture: name, seed, fixture_document: document, setup } = snapshot;
    if (setup?.ownFixture === true) {
      const dataset = await this.#inline.dataset(document ?? name, { seed, investmentStatuses: "any" }, name);
      return { dataset, ownFixture: true };
    }
    const dataset = isDefault ? this.#load(this.#configuration.fixture) : ((await this.find(name)) ?? this.own());
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
}
