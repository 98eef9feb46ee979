import { type StatsListener, unwatchFile, watchFile } from "node:fs";
import type { LocalSandbox } from "../../public/control.ts";
import { fixtureFile } from "../../fixture/read.ts";
import { isName } from "../../text/text.ts";
import { possibleConfigs } from "../../sandbox/config-file.ts";
import { byFlag } from "../../settings/settings.ts";
import { startSettings, type StartSettings } from "../../settings/start-settings.ts";
import type { TextValue } from "../../settings/values.ts";
import { formatError } from "../output/text.ts";
import type { Log } from "../output/log.ts";
import { type LoadedSettings, loadSettings, sandboxOptions } from "../settings/load.ts";

/** The interval between two checks of a file. */
const pollIntervalMs = 100;
/** The time without a change after which an edit is complete. Editors and copies write in several steps. */
const settledMs = 150;

/** Calls `onEdit` after each edit of a file. Polls, to notice a replaced folder. Returns a function to stop. */
function watchFiles(files: readonly string[], onEdit: (files: string[]) => void): () => void {
  const editedFiles = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const reportEdits = (): void => {
    if (editedFiles.size > 0) onEdit([...editedFiles]);
    editedFiles.clear();
  };
  const listeners = files.map((file): [string, StatsListener] => [
    file,
    ({ size, mtimeMs, ino, mode }, earlierStatus) => {
      clearTimeout(timer);
      timer = setTimeout(reportEdits, settledMs);
      // A missing file is being replaced. The new file is the edit.
      if (mode === 0) editedFiles.delete(file);
      else if (size !== earlierStatus.size || mtimeMs !== earlierStatus.mtimeMs || ino !== earlierStatus.ino)
        editedFiles.add(file);
    },
  ]);
  for (const [file, listener] of listeners) watchFile(file, { interval: pollIntervalMs, persistent: false }, listener);
  return () => {
    clearTimeout(timer);
    for (const [file, listener] of listeners) unwatchFile(file, listener);
  };
}

/** Reloads edited files, one edit at a time. After an error, the last version stays. Returns a function to stop. */
export function reloadOnEdit(
  sandbox: LocalSandbox,
  log: Log,
  flags: readonly TextValue[],
  started: LoadedSettings,
): () => void {
  let currentSettings = started.settings;
  let watchedFiles: readonly string[] = [];
  let endWatch: (() => void) | undefined;
  let isEnded = false;
  let lastReload = Promise.resolve();

  const watchFor = (loaded: LoadedSettings): void => {
    const files = filesOf(loaded);
    // A new watch starts from the current files, so it would miss an edit made since they were read.
    if (isEnded || files.join() === watchedFiles.join()) return;
    watchedFiles = files;
    endWatch?.();
    endWatch = watchFiles(files, (edited) => {
      lastReload = lastReload.then(() => reload(edited.join(", ")));
    });
  };
  const reload = async (edited: string): Promise<void> => {
    if (isEnded) return;
    try {
      const loaded = await loadSettings(flags);
      watchFor(loaded);
      await sandbox.reload(sandboxOptions(loaded, log));
      log.done("reload", `Reloaded ${edited}.`);
      for (const name of changedStartFlags(currentSettings, loaded.settings))
        log.warning(`${name} has changed; it takes effect at the next start.`);
      currentSettings = loaded.settings;
    } catch (error) {
      log.error(`${formatError(error)}\nStill serving the last valid version of ${edited}.`);
    }
  };

  watchFor(started);
  return () => {
    isEnded = true;
    endWatch?.();
  };
}

function filesOf({ settings, configFile, setNames }: LoadedSettings): string[] {
  const { snapshot, fixture } = settings;
  const scenarios = (settings.scenarios ?? []).filter((scenario) => !isName(scenario));
  const configs = configFile === undefined ? possibleConfigs().flat() : [configFile];
  const fixtures = snapshot === undefined || setNames.has("fixture") ? [fixtureFile(fixture).path] : [];
  return [...(snapshot === undefined ? [] : [snapshot]), ...fixtures, ...scenarios, ...configs];
}

/** Returns the flags of changed settings that take effect only at a start. */
function changedStartFlags(earlier: StartSettings, later: StartSettings): string[] {
  const isChanged = (name: keyof StartSettings): boolean =>
    JSON.stringify(earlier[name]) !== JSON.stringify(later[name]);
  return Array.from(byFlag(startSettings))
    .filter(([, { name, setting }]) => setting.atStart === true && isChanged(name as keyof StartSettings))
    .map(([flag]) => flag);
}
