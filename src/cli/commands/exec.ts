import type { Command } from "../command-line.ts";
import { runChild, toldBy } from "../exec/run-child.ts";
import { openLog } from "../output/log.ts";
import { loadSettings } from "../settings/load-settings.ts";
import { sandboxOptions } from "../settings/sandbox-options.ts";
import { startSettings } from "../settings/start-settings.ts";

/** What it tells never mixes with what the command prints. */
const { "port-file": _portFile, watch: _watch, quiet: _quiet, ...settingsBeside } = startSettings;

const execSettings = {
  ...settingsBeside,
  port: { ...startSettings.port, default: 0, describe: "port to listen on, by this flag alone; 0 takes any free one" },
  clock: { ...startSettings.clock, default: "fixture" },
  speed: { ...startSettings.speed, default: 0 },
  scenario: { ...startSettings.scenario, otherwise: "none" },
  "log-level": { ...startSettings["log-level"], otherwise: "warn" },
  "log-format": { ...startSettings["log-format"], otherwise: "pretty" },
};

/** As in `startSandbox` the clock stands still, and nothing moves but what the command moves: the same in every run. */
const usual = [
  { setting: "clock", text: execSettings.clock.default, place: "exec" },
  { setting: "speed", text: String(execSettings.speed.default), place: "exec" },
  { setting: "scenario", text: "false", place: "exec" },
];

/** Runs a command beside a sandbox of its own. */
export const exec: Command = {
  summary: "Run a command beside a sandbox of its own, on a free port.",
  flags: execSettings,
  behindTerminator: "command",
  examples: [
    ["exec -- npm test", "with OFFERING_SANDBOX_BASE_URL and keys in its environment"],
    ["exec --scenario closing -- pytest", "with a story that the tests advance"],
    ["exec --scenario live-demo --clock now --speed 1 -- npm run dev", "a front end beside a service that is alive"],
    ["exec -f my.json --log-level info -- make e2e", "your own fixture, each request told on stderr"],
  ],
  async run({ given, behindTerminator: [command = "", ...args] }) {
    // Ports in variables are the command's, or those of `start`, and would keep two from running at once.
    const { PORT: _ofCommand, OFFERING_SANDBOX_PORT: _ofStart, ...environment } = process.env;
    const { settings, warnings } = await loadSettings(given, usual, environment);
    const log = openLog(
      { ...settings, "log-format": settings["log-format"] ?? "pretty", "log-level": settings["log-level"] ?? "warn" },
      process.stderr,
    );
    const { startSandbox } = await import("../../start-sandbox.ts");
    const port = given.some(({ setting }) => setting === "port") ? settings.port : 0;
    const sandbox = await startSandbox({ ...sandboxOptions(settings, log), port });
    try {
      for (const warning of warnings) log.warning(warning);
      return await runChild(command, args, { ...process.env, ...(await toldBy(sandbox)) });
    } finally {
      await sandbox.close();
    }
  },
};
