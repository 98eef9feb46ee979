import { readDuration } from "../../time/duration.ts";
import { ValidationError } from "../../validation/errors.ts";
import { guides, version } from "../../package.ts";
import { isPostgresAddress } from "../../settings/source-kinds.ts";
import { startSettings } from "../../settings/start-settings.ts";
import type { Command } from "../command.ts";
import { openLog, warnOfStoppedRuns } from "../output/log.ts";
import { replaceFile } from "../output/files.ts";
import { keyEffects, openKeyboard } from "../serve/keyboard.ts";
import { StopRequest } from "../serve/process.ts";
import { loadSettings, sandboxOptions } from "../settings/load.ts";
import { waitingRuns } from "./runs.ts";

/** The settings without the snapshot folder, to which only failed tests write. */
const { snapshotDir: _snapshotDir, ...startFlags } = startSettings;

export const startCommand: Command = {
  name: "start",
  summary: "Run the sandbox; the default command.",
  flags: startFlags,
  epilogue: `Every flag is also a variable, OFFERING_SANDBOX_RATE_LIMIT=0, and a key of the config file, rate-limit: 0. A flag has precedence over a variable, a variable over the file. PORT is read too. The sandboxes of tests also read the variables, except those for --port, --db and the terminal.

Stop it with Ctrl-C, or q on a terminal; --drain is only for SIGTERM. Exit codes: 0 stopped on request, 1 could not run, 2 wrong usage or an invalid file.

Guides: ${guides}`,
  examples: [
    ["", "the demo fixture on http://localhost:4120"],
    ["--port 0 --port-file port.txt", "any free port, written to port.txt once ready"],
    ["-f my.json --watch", "your own fixture, reloaded when it changes"],
    ["--scenario closing --speed 3600", "an investment that closes while you watch, one hour per second"],
    ["--clock fixture --speed 0", "the same instant in every run"],
    ["--profile minimal", "only what the specification promises"],
    ["--assume list.order=-create_date", "changes one assumption"],
    ["--rate-limit 0 --delay 50-200", "no rate limit, and slow responses"],
  ],
  async run({ flagValues }) {
    const stop = new StopRequest();
    const loaded = await loadSettings(flagValues);
    const { settings } = loaded;
    const isShared = isPostgresAddress(settings.db);
    if (isShared && settings.watch) {
      throw new ValidationError(
        "--watch needs --db FILE or no --db: processes with a common database would serve different files.",
      );
    }
    const log = openLog(settings);
    log.debug(`starting ${version} on Node ${process.version}`);
    const { startRunning } = await import("../../sandbox/start-running.ts");
    const { sandbox, environments, drain } = await startRunning(
      { ...sandboxOptions(loaded, log), onStop: stop.request },
      { onWait: log.warning },
    );
    const { secrets, shared } = environments;
    warnOfStoppedRuns(environments, log);
    shared?.onConnectionChange((isConnected) =>
      isConnected
        ? log.done("database", "PostgreSQL responds again.")
        : log.warning("The connection to PostgreSQL is lost."),
    );
    const cleanups: (() => void)[] = [];
    try {
      if (settings.portFile !== undefined)
        await replaceFile(settings.portFile, `${new URL(sandbox.url).port || "80"}\n`);
      if (settings.watch) {
        const { reloadOnEdit } = await import("../serve/watch.ts");
        cleanups.push(reloadOnEdit(sandbox, log, flagValues, loaded));
      }
      const keyboard = openKeyboard();
      if (keyboard) cleanups.push(() => keyboard.close());
      const environment = await sandbox.describe();
      const examples = await sandbox.examples();
      const isWaiting = waitingRuns(environment.runs).length > 0;
      const usefulKeys = keyEffects.filter(
        ([key]) => keyboard && (key !== "n" || isWaiting) && (key !== "p" || settings.admin),
      );
      log.ready({ sandbox, environment: environment, examples, settings, terminalKeys: usefulKeys }, secrets);
      for (const warning of [...loaded.warnings, ...(shared?.warnings ?? [])]) log.warning(warning);
      if (loaded.configFile !== undefined) log.debug(`settings read from ${loaded.configFile}`);
      process.send?.("ready");
      const { activity } = log;
      // With PostgreSQL, another process may act for the default environment.
      if (activity && !isShared) {
        const { showActivity } = await import("../serve/activity.ts");
        cleanups.push(
          showActivity(environments.default, (lines) => activity(lines.map((line) => secrets.redact(line)))),
        );
      }
      keyboard?.listen(sandbox, log, stop.request);
      const signal = await stop.signal;
      const drainMs = readDuration(settings.drain);
      if (signal === "SIGTERM" && drainMs !== undefined) {
        log.done("draining", `not ready, but serving for ${settings.drain}`);
        await Promise.race([drain(drainMs), stop.whenRequestedAgain()]);
      }
      log.done("stopping", signal ?? "on request");
      return 0;
    } finally {
      for (const cleanUp of cleanups) cleanUp();
      await sandbox.close();
    }
  },
};
