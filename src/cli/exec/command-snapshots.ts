import { readdirSync } from "node:fs";
import { type SnapshotFile, snapshotFileOf, writeSnapshot } from "../../testing/snapshot-file.ts";
import type { LocalSandbox } from "../../control.ts";
import { printError } from "../output/terminal.ts";

/** The closed environments of which snapshots are kept: the latest. */
const maxClosed = 200;

/** The snapshots of a command's environments in a folder. */
export class CommandSnapshots {
  readonly #folder: string;
  readonly #before: number;
  #closed: SnapshotFile[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    this.#before = this.#count();
  }

  /** Takes the snapshot of an environment that the command closes, if requests came to it: the command may fail later. */
  async keepClosed(sandbox: LocalSandbox, id: string): Promise<void> {
    const environment = await sandbox.environment(id);
    if ((await environment.requests.count()) === 0) return;
    const { label } = await environment.describe();
    this.#closed = [...this.#closed, await snapshotFileOf(environment, [label ?? id])].slice(-maxClosed);
  }

  /** Writes the snapshot of each environment. A command whose tests have written theirs needs none of closed ones. */
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
