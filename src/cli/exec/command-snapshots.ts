import { readdirSync } from "node:fs";
import { type SnapshotFile, snapshotFileOf, writeSnapshot } from "../../testing/snapshot-file.ts";
import type { LocalSandbox } from "../../control.ts";
import { printError } from "../output/terminal.ts";

/** How many closed environments are kept, the latest ones. */
const maxClosed = 200;

/** Begins to keep snapshots of a command's environments for a folder. */
export function commandSnapshots(folder: string) {
  const before = countFiles(folder);
  let closed: SnapshotFile[] = [];
  const write = async (make: () => Promise<SnapshotFile>): Promise<void> => {
    for (const line of await writeSnapshot(async () => folder, make)) printError(line);
  };
  return {
    /** Keeps the snapshot of an environment that the command closes: it may fail later. Skips one without requests. */
    async keepClosed(sandbox: LocalSandbox, id: string): Promise<void> {
      const environment = await sandbox.environment(id);
      if ((await environment.requests.count()) === 0) return;
      const { label } = await environment.describe();
      closed = [...closed, await snapshotFileOf(environment, [label ?? id])].slice(-maxClosed);
    },
    /** Writes all snapshots; without those of closed environments if the tests have written snapshots themselves. */
    async write(sandbox: LocalSandbox): Promise<void> {
      const kept = countFiles(folder) > before ? [] : closed;
      for (const { id, label } of await sandbox.environmentSummaries()) {
        await write(async () => snapshotFileOf(await sandbox.environment(id), [label ?? id]));
      }
      for (const one of kept) await write(async () => one);
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
