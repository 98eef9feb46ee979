import type { Command } from "../command.ts";
import { execSettings, loadSettingsBeside, runBeside } from "../exec/run-beside.ts";
import { vary, varyFlags } from "../exec/vary.ts";
import { Mistake } from "../../mistakes/mistakes.ts";
import { onOrOff } from "../../settings/kinds.ts";
import type { Settings } from "../../settings/settings.ts";
import { type TextValue, readAll } from "../../settings/values.ts";
import { verdictFlags } from "./coverage.ts";

const coverageFlags = {
  coverage: {
    kind: onOrOff,
    default: false,
    help: "show which errors of the service the command has met, and how it reacted",
  },
  ...verdictFlags,
} as const satisfies Settings;

export const execCommand: Command = {
  name: "exec",
  summary: "Run a command with a sandbox of its own on a free port.",
  flags: { ...execSettings, ...varyFlags, ...coverageFlags },
  afterTerminator: "command",
  examples: [
    ["exec -- npm test", "with OFFERING_SANDBOX_BASE_URL and keys in its environment"],
    ["exec --scenario closing -- pytest", "with a scenario that the tests move on"],
    ["exec --scenario live-demo --clock now --speed 1 -- npm run dev", "a front end with a service whose data changes"],
    [
      "exec --coverage --require 80%,no-risks -- npm test",
      "with a report of all that the tests have met: see coverage",
    ],
    ["exec --vary -- npm test", "what npm test relies on where the specification is silent"],
    ["exec --cases cases -- npm test", "with a snapshot of each failed test, for replay"],
    ["exec -f my.json --log-level info -- make e2e", "your own fixture, each request logged to stderr"],
  ],
  async run({ given, afterTerminator: child }) {
    const flags = readAll({ ...varyFlags, ...coverageFlags }, given);
    const isGiven = (name: string): boolean => given.some(({ setting }) => setting === name);
    if (!flags.coverage && isGiven("require"))
      throw new Mistake("--require is for the report of --coverage; expected --coverage too.");
    for (const name of flags.vary ? [] : ["jobs", "report"])
      if (isGiven(name)) throw new Mistake(`--${name} is for the runs of --vary; expected --vary too.`);
    const execute = (texts: readonly TextValue[]): Promise<number> =>
      flags.vary ? vary(texts, child, flags) : runBeside(texts, child);
    if (!flags.coverage) return execute(given);
    const [{ covered }, { settings }] = await Promise.all([import("../exec/covered.ts"), loadSettingsBeside(given)]);
    return covered({ ...flags, coverageDir: settings.coverageDir }, (parts) =>
      execute([...given, { setting: "coverageDir", text: parts, place: "--coverage" }]),
    );
  },
};
