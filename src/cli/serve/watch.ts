import { type StatsListener, unwatchFile, watchFile } from "node:fs";
import type { LocalSandbox } from "../../public/control.ts";
import { fixtureFile } from "../../fixture/read.ts";
import { isName } from "../../text/text.ts";
import { possibleConfigs } from "../../sandbox/config-file.ts";
import { byFlag } from "../../settings/settings.ts";
import { startSettings, type StartSettings } from "../../settings/start-settings.ts";
import type { TextValue } from "../../settings/values.ts";
import { explain } from "../output/text.ts";
import type { Log } from "../output/log.ts";
import { type LoadedSettings, loadSettings, sandboxOptions } from "../settings/load.ts";

/** Milliseconds between two checks of a file. */
const lookInterval = 100;
/** Editors and copies write in several steps: an edit is over when a check finds nothing new. */
const settledMs = 150;

/** Calls back after each edit of a file. Polls, so it finds files of a replaced folder. Returns a function to stop. */
function watchFiles(files: readonly string[], onEdit: (files: string[]) => void): () => void {
  const edited = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    if (edited.size > 0) onEdit([...edited]);
    edited.clear();
  };
  const listeners = files.map((file): [string, StatsListener] => [
    file,
    ({ size, mtimeMs, ino, mode }, before) => {
      clearTimeout(timer);
      timer = setTimeout(tell, settledMs);
      // A missing file is being replaced: the new one is the edit.
      if (mode === 0) edited.delete(file);
      else if (size !== before.size || mtimeMs !== before.mtimeMs || ino !== before.ino) edited.add(file);
    },
  ]);
  for (const [file, listener] of listeners) watchFile(file, { interval: lookInterval, persistent: false }, listener);
  return () => {
    clearTimeout(timer);
    for (const [file, listener] of listeners) unwatchFile(file, listener);
  };
}

/** Reloads edited files, one edit at a time; after an error, the last version stays. Returns a function to stop. */
export function reloadOnEdit(
  sandbox: LocalSandbox,
  log: Log,
  flags: readonly TextValue[],
  started: LoadedSettings,
): () => void {
  let current = started.settings;
  let watched: readonly string[] = [];
  let endWatch: (() => void) | undefined;
  let ended = false;
  let last = Promise.resolve();

  const watchFor = (loaded: LoadedSettings): void => {
    const files = filesOf(loaded);
    // A new watch starts from the files as they are now, and would miss an edit made since they were read.
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

function filesOf({ settings, configFile, givenNames }: LoadedSettings): string[] {
  const { snapshot, fixture } = settings;
  const scenarios = (settings.scenarios ?? []).filter((scenario) => !isName(scenario));
  const configs = configFile === undefined ? possibleConfigs().flat() : [configFile];
  const fixtures = snapshot === undefined || givenNames.has("fixture") ? [fixtureFile(fixture).path] : [];
  return [...(snapshot === undefined ? [] : [snapshot]), ...fixtures, ...scenarios, ...configs];
}

/** The flags of changed settings that only take effect at a start. */
function changedAtStart(before: StartSettings, after: StartSettings): string[] {
  const isChanged = (name: keyof StartSettings): boolean =>
    JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return Array.from(byFlag(startSettings))
    .filter(([, { name, setting }]) => setting.atStart === true && isChanged(name as keyof StartSettings))
    .map(([flag]) => flag);
}
