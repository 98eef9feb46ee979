import { readdirSync } from "node:fs";
import { type SnapshotFile, snapshotFileOf, writeSnapshot } from "../../testing/snapshot-file.ts";
import type { LocalSandbox } from "../../control.ts";
import { printError } from "../output/terminal.ts";

/** How many closed environments are kept, the latest ones. */
const maxClosed = 200;

/** Writes snapshots of a command's environments to a folder. */
export class CommandSnapshots {
  readonly #folder: string;
  readonly #before: number;
  #closed: SnapshotFile[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    this.#before = this.#count();
  }

  /** Keeps the snapshot of an environment that the command closes: it may fail later. Skips one without requests. */
  async keepClosed(sandbox: LocalSandbox, id: string): Promise<void> {
    const environment = await sandbox.environment(id);
    if ((await environment.requests.count()) === 0) return;
    const { label } = await environment.describe();
    this.#closed = [...this.#closed, await snapshotFileOf(environment, [label ?? id])].slice(-maxClosed);
  }

  /** Writes all snapshots; without those of closed environments if the tests have written snapshots themselves. */
  async write(sandbox: LocalSandbox): Promise<void> {
    const closed = this.#count() > this.#before ? [] : this.#closed;
    for (const { id, label } of await sandbox.environmentSummaries()) {
      await this.#write(async () => snapshotFileOf(await sandbox.environment(id), [label ?? id]));
    }
    for (const one of closed) await this.#write(async () => one);
  }

  async #write(make: () => Promise<SnapshotFile>): Promise<void> {
    for (const line of await writeSnapshot(async () => this.#folder, make)) printError(line);
  }

  #count(): number {
    try {
      return readdirSync(this.#folder).length;
    } catch {
      return 0;
    }
  }
}
