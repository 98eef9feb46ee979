import { existsSync, statSync, watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { LocalSandbox } from "../../control.ts";
import { fixtureFile } from "../../fixture/read.ts";
import { isName } from "../../model/text.ts";
import { byFlag } from "../../settings/settings.ts";
import { startSettings, type StartSettings } from "../../settings/start-settings.ts";
import type { Given } from "../../settings/values.ts";
import { explain } from "../failure.ts";
import type { Log } from "../output/log.ts";
import { configFileNames, type LoadedSettings, loadSettings, sandboxOptions } from "../settings/load.ts";

/** Editors write in several steps: an edit is over after this silence. */
const settledMs = 50;

/**
 * Calls back after each edit of one of the files. Watches their folders, since editors replace a file by a new one, and
 * compares the files, since folders report more than edits. Returns a function to stop.
 */
function watchFiles(files: readonly string[], onEdit: (files: string[]) => void): () => void {
  const seen = new Map(files.map((file) => [resolve(file), signature(file)]));
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const edited = files.filter((file) => {
      const now = signature(file);
      const before = seen.get(resolve(file));
      // A missing file is being replaced: the new one is the edit.
      if (now === undefined || now === before) return false;
      seen.set(resolve(file), now);
      return true;
    });
    if (edited.length > 0) onEdit(edited);
  };
  const stir = (_: string, name: string | null): void => {
    if (name !== null && !files.some((file) => basename(file) === name)) return;
    clearTimeout(timer);
    timer = setTimeout(look, settledMs);
  };
  const folders = new Set(files.map((file) => dirname(resolve(file))));
  // Removing a folder ends its watch, not the sandbox: it is no error.
  const watchers = [...folders]
    .filter((folder) => existsSync(folder))
    .map((folder) => watch(folder, stir).on("error", () => {}));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

function signature(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}

/**
 * Reloads fixture, scenario and config files after edits, one after the other. Reports mistakes and keeps the last valid
 * version. Returns a function to stop.
 */
export function reloadOnEdit(
  sandbox: LocalSandbox,
  log: Log,
  flags: readonly Given[],
  started: LoadedSettings,
): () => void {
  let current = started.settings;
  let watched: readonly string[] = [];
  let endWatch: (() => void) | undefined;
  let ended = false;
  let last = Promise.resolve();

  const watchFor = (loaded: LoadedSettings): void => {
    const files = filesOf(loaded);
    // A new watch compares with the files as they are now: it would miss an edit since they were read.
    if (ended || files.join() === watched.join()) return;
    watched = files;
    endWatch?.();
    endWatch = watchFiles(files, (edited) => {
      last = last.then(() => reload(edited.join(", ")));
    });
  };
  const reload = async (edited: string): Promise<void> => {
    if (ended) return;
    try {
      const loaded = await loadSettings(flags);
      watchFor(loaded);
      await sandbox.reload(sandboxOptions(loaded, log));
      log.done("reload", `Reloaded ${edited}.`);
      for (const name of changedAtStart(current, loaded.settings)) {
        log.warning(`${name} has changed; it takes effect at the next start.`);
      }
      current = loaded.settings;
    } catch (error) {
      log.error(`${explain(error)}\nStill serving the last valid version of ${edited}.`);
    }
  };

  watchFor(started);
  return () => {
    ended = true;
    endWatch?.();
  };
}

function filesOf({ settings, configFile }: LoadedSettings): string[] {
  const scenarios = (settings.scenarios ?? []).filter((scenario) => !isName(scenario));
  const configs = configFile === undefined ? configFileNames : [configFile];
  return [settings.snapshot ?? fixtureFile(settings.fixture).path, ...scenarios, ...configs];
}

/** The flags of changed settings with effect only at a start. */
function changedAtStart(before: StartSettings, after: StartSettings): string[] {
  const isChanged = (name: keyof StartSettings): boolean =>
    JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return Array.from(byFlag(startSettings))
    .filter(([, { name, setting }]) => setting.atStart === true && isChanged(name as keyof StartSettings))
    .map(([flag]) => flag);
}
