import { existsSync, statSync, watch, type FSWatcher } from "node:fs";
import { basename, dirname, resolve } from "node:path";

/** Editors write in several steps; the edit is over when there has been silence for so many milliseconds. */
const settled = 50;

/**
 * Calls back after each edit of one of the files. Watches their folders, since editors replace a file by another of its
 * name, and compares the files themselves, since folders tell more than happened. Answers what ends the watch.
 */
export function watchFiles(files: readonly string[], onEdit: (files: string[]) => void): () => void {
  const seen = new Map(files.map((file) => [resolve(file), signature(file)]));
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const edited = files.filter((file) => {
      const now = signature(file);
      const before = seen.get(resolve(file));
      // A file that is gone is being replaced: its successor is the edit.
      if (now === undefined || now === before) return false;
      seen.set(resolve(file), now);
      return true;
    });
    if (edited.length > 0) onEdit(edited);
  };
  const stir = (_: string, name: string | null): void => {
    if (name !== null && !files.some((file) => basename(file) === name)) return;
    clearTimeout(timer);
    timer = setTimeout(look, settled);
  };
  const folders = new Set(files.map((file) => dirname(resolve(file))));
  const watchers = [...folders].filter((folder) => existsSync(folder)).map((folder) => watchFolder(folder, stir));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

function watchFolder(folder: string, stir: (event: string, name: string | null) => void): FSWatcher {
  // A folder that is taken away ends its watch, not the sandbox.
  return watch(folder, stir).on("error", () => {});
}

function signature(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}
