import type { Command } from "../command.ts";
import { runChild } from "../exec/run-child.ts";
import { toldBy } from "../exec/told-variables.ts";
import { openLog } from "../log/log.ts";
import { loadSettings } from "../settings/load-settings.ts";
import { sandboxOptions } from "../settings/sandbox-options.ts";
import { startSettings } from "../settings/start-settings.ts";

/** Its port is always a free one, and what it tells never mixes with what the command prints. */
const { port: _port, "port-file": _portFile, watch: _watch, quiet: _quiet, ...settingsBeside } = startSettings;

const execSettings = {
  ...settingsBeside,
  "log-level": { ...startSettings["log-level"], otherwise: "warn" },
  "log-format": { ...startSettings["log-format"], otherwise: "pretty" },
};

/** Runs a command beside a sandbox of its own. */
export const exec: Command = {
  summary: "Run a command beside a sandbox of its own, on a free port.",
  flags: execSettings,
  behindTerminator: "command",
  examples: [
    ["exec -- npm test", "with OFFERING_SANDBOX_BASE_URL and keys in its environment"],
    ["exec --clock fixture --speed 0 -- pytest", "the same instant in every run"],
    ["exec -f my.json --log-level info -- make e2e", "your own fixture, each request told on stderr"],
  ],
  async run({ given, behindTerminator: [command = "", ...args] }) {
    const { settings, warnings } = await loadSettings(given);
    const log = await openLog(
      { ...settings, "log-format": settings["log-format"] ?? "pretty", "log-level": settings["log-level"] ?? "warn" },
      process.stderr,
    );
    const { startSandbox } = await import("../../start-sandbox.ts");
    const sandbox = await startSandbox({ ...sandboxOptions(settings, log), port: 0 });
    try {
      for (const warning of warnings) log.warning(warning);
      return await runChild(command, args, { ...process.env, ...toldBy(sandbox) });
    } finally {
      await sandbox.close();
    }
  },
};
