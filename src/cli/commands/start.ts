import { readDuration } from "../../time/duration.ts";
import { ValidationError } from "../../validation/errors.ts";
import { guides, version } from "../../package.ts";
import { isPostgresAddress } from "../../settings/source-kinds.ts";
import { startSettings } from "../../settings/start-settings.ts";
import type { Command } from "../command.ts";
import { openLog, tellStoppedRuns } from "../output/log.ts";
import { replaceFile } from "../output/files.ts";
import { keyEffects, openKeyboard } from "../serve/keyboard.ts";
import { StopRequest } from "../serve/process.ts";
import { loadSettings, sandboxOptions } from "../settings/load.ts";
import { waitingRuns } from "./runs.ts";

/** The settings without the folder for snapshots, to which only failed tests write. */
const { snapshotDir: _snapshotDir, ...startFlags } = startSettings;

export const startCommand: Command = {
  name: "start",
  summary: "Run the sandbox; the default command.",
  flags: startFlags,
  epilogue: `Every flag is also a variable, OFFERING_SANDBOX_RATE_LIMIT=0, and a key of the config file, rate-limit: 0. A flag wins over a variable, a variable over the file. PORT is honored. The sandboxes of tests read the variables too, but for --port, --db and what is for the terminal.

Stop it with Ctrl-C, or q on a terminal; --drain is only for SIGTERM. Exit codes: 0 stopped as asked, 1 could not run, 2 wrong usage or an invalid file.

Guides: ${guides}`,
  examples: [
    ["", "the demo fixture on http://localhost:4120"],
    ["--port 0 --port-file port.txt", "any free port, written to port.txt once ready"],
    ["-f my.json --watch", "your own fixture, reloaded when it changes"],
    ["--scenario closing --speed 3600", "an investment that closes while you watch, one hour per second"],
    ["--clock fixture --speed 0", "the same instant in every run"],
    ["--profile minimal", "only what the specification promises"],
    ["--assume list.order=-create_date", "change one assumption"],
    ["--rate-limit 0 --delay 50-200", "no rate limit, and slow responses"],
  ],
  async run({ given }) {
    const stop = new StopRequest();
    const loaded = await loadSettings(given);
    const { settings } = loaded;
    const isShared = isPostgresAddress(settings.db);
    if (isShared && settings.watch) {
      throw new ValidationError("--watch needs --db FILE or none: processes over one database would differ.");
    }
    const log = openLog(settings);
    log.debug(`starting ${version} on Node ${process.version}`);
    const { startRunning } = await import("../../sandbox/start-running.ts");
    const { sandbox, environments, drain } = await startRunning(
      { ...sandboxOptions(loaded, log), onStop: stop.ask },
      { onWait: log.warning },
    );
    const { secrets, shared } = environments;
    tellStoppedRuns(environments, log);
    shared?.onConnectionChange((isConnected) =>
      isConnected
        ? log.done("database", "PostgreSQL responds again.")
        : log.warning("The connection to PostgreSQL is lost."),
    );
    const ends: (() => void)[] = [];
    try {
      if (settings.portFile !== undefined)
        await replaceFile(settings.portFile, `${new URL(sandbox.url).port || "80"}\n`);
      if (settings.watch) {
        const { reloadOnEdit } = await import("../serve/watch.ts");
        ends.push(reloadOnEdit(sandbox, log, given, loaded));
      }
      const keyboard = openKeyboard();
      if (keyboard) ends.push(() => keyboard.close());
      const described = await sandbox.describe();
      const examples = await sandbox.examples();
      const isWaiting = waitingRuns(described.runs).length > 0;
      const useful = keyEffects.filter(
        ([key]) => keyboard && (key !== "n" || isWaiting) && (key !== "p" || settings.admin),
      );
      log.ready({ sandbox, environment: described, examples, settings, terminalKeys: useful }, secrets);
      for (const warning of [...loaded.warnings, ...(shared?.warnings ?? [])]) log.warning(warning);
      if (loaded.configFile !== undefined) log.debug(`settings read from ${loaded.configFile}`);
      process.send?.("ready");
      const { happened } = log;
      // Over PostgreSQL another process may act for the default environment.
      if (happened && !isShared) {
        const { showHappenings } = await import("../serve/happenings.ts");
        ends.push(showHappenings(environments.default, (lines) => happened(lines.map((line) => secrets.redact(line)))));
      }
      keyboard?.listen(sandbox, log, stop.ask);
      const signal = await stop.signal;
      const time = readDuration(settings.drain);
      if (signal === "SIGTERM" && time !== undefined) {
        log.done("draining", `not ready, but serving for ${settings.drain}`);
        await Promise.race([drain(time), stop.again()]);
      }
      log.done("stopping", signal ?? "as asked");
      return 0;
    } finally {
      for (const end of ends) end();
      await sandbox.close();
    }
  },
};
