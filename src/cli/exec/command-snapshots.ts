import { readdirSync } from "node:fs";
import { type SnapshotFile, snapshotFileOf, writeSnapshot } from "../../testing/snapshot-file.ts";
import type { CloseOptions, LocalSandbox } from "../../public/control.ts";
import { printError } from "../output/terminal.ts";

/** How many closed environments are kept, the latest ones. */
const maxClosed = 200;

/** Begins to keep snapshots of a command's environments for a folder. `sandboxOf` returns their started sandbox. */
export function commandSnapshots(folder: string, sandboxOf: () => LocalSandbox) {
  const before = countFiles(folder);
  /** A line about each snapshot of this process. */
  const lines: string[] = [];
  let closed: SnapshotFile[] = [];
  const write = async (make: () => Promise<SnapshotFile>): Promise<void> => {
    lines.push(...(await writeSnapshot(async () => folder, make)));
  };
  const take = async (id: string): Promise<SnapshotFile> => {
    const environment = await sandboxOf().environment(id);
    const { label } = await environment.describe();
    return snapshotFileOf(environment, [label ?? id]);
  };
  return {
    /**
     * Writes the snapshot of an environment that is closed if its test failed. Without an outcome, keeps that of one to
     * which requests came, because the command may fail later.
     */
    async beforeDrop(this: void, id: string, { outcome }: CloseOptions = {}): Promise<void> {
      if (outcome === "passed") return;
      if (outcome === "failed") return write(() => take(id));
      const { requests } = await sandboxOf().environment(id);
      if ((await requests.count()) > 0) closed = [...closed, await take(id)].slice(-maxClosed);
    },
    /**
     * Prints what was written. If the command failed, first writes the open environments, and the kept ones unless the
     * tests have written snapshots themselves.
     */
    async finish(hasFailed: boolean): Promise<void> {
      if (hasFailed) {
        const kept = countFiles(folder) > before + lines.length ? [] : closed;
        for (const { id } of await sandboxOf().environmentSummaries()) await write(() => take(id));
        for (const file of kept) await write(async () => file);
      }
      for (const line of lines) printError(line);
    },
  };
}

function countFiles(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}
