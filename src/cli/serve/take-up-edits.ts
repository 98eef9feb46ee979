import type { LocalSandbox } from "../../control.ts";
import { fixtureFile } from "../../fixture/fixture-file.ts";
import { explain } from "../failure.ts";
import type { Log } from "../log/log.ts";
import { isName } from "../settings/is-name.ts";
import { configFileNames, loadSettings, type LoadedSettings } from "../settings/load-settings.ts";
import { sandboxOptions } from "../settings/sandbox-options.ts";
import type { Given, Setting } from "../settings/setting.ts";
import { startSettings, type StartSettings } from "../settings/start-settings.ts";
import { watchFiles } from "./watch-files.ts";

/**
 * Takes up edits of the fixture, scenario and config files in a running sandbox, one after the other. On a mistake says it and
 * keeps the last good ones. Answers what ends it.
 */
export function takeUpEdits(
  sandbox: LocalSandbox,
  log: Log,
  flags: readonly Given[],
  started: LoadedSettings,
): () => void {
  let known = started.settings;
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
      last = last.then(() => takeUp(edited.join(", ")));
    });
  };
  const takeUp = async (edited: string): Promise<void> => {
    if (ended) return;
    try {
      const loaded = await loadSettings(flags);
      watchFor(loaded);
      await sandbox.reload(sandboxOptions(loaded.settings, log));
      log.done("reload", `${edited} taken up.`);
      for (const name of changedAtStart(known, loaded.settings)) {
        log.warning(`${name} is set otherwise now; that is taken up at the next start.`);
      }
      known = loaded.settings;
    } catch (error) {
      log.error(`${explain(error)}\nThe last good state of ${edited} stays in force.`);
    }
  };

  watchFor(started);
  return () => {
    ended = true;
    endWatch?.();
  };
}

function filesOf({ settings, configFile }: LoadedSettings): string[] {
  const scenarios = (settings.scenario ?? []).filter((scenario) => !isName(scenario));
  const configs = configFile === undefined ? configFileNames : [configFile];
  return [fixtureFile(settings.fixture).path, ...scenarios, ...configs];
}

/** The names of settings that changed and cannot be taken up by a sandbox that runs. */
function changedAtStart(before: StartSettings, after: StartSettings): string[] {
  return Object.entries<Setting>(startSettings)
    .filter(([name, { atStart }]) => {
      const key = name as keyof StartSettings;
      return atStart === true && JSON.stringify(before[key]) !== JSON.stringify(after[key]);
    })
    .map(([name]) => name);
}
