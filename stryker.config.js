import { execFileSync } from "node:child_process";

const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).split("\n").filter(Boolean);
const sources = ["--", "src/**.ts", "calibrate/**.ts"];
const [base] = git("merge-base", "HEAD", "main");
const changed = git("diff", "--name-only", "--diff-filter=d", base, ...sources);
const added = git("ls-files", "--others", "--exclude-standard", ...sources);

/** `npm run mutation` tries the sources that differ from `main`, `npm run mutation -- --mutate <files>` others. */
export default {
  testRunner: "vitest",
  vitest: { configFile: "scripts/mutation.config.ts" },
  mutate: [...changed, ...added],
  // The first two are large; the test compares sources with what the generator makes of them.
  ignorePatterns: ["build", "bench/.*", "test/generated.test.ts"],
  disableTypeChecks: false,
  tsconfigFile: "none",
  ignoreStatic: true,
  reporters: ["clear-text", "progress-append-only", "html"],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  // Far beyond what a busy machine needs: endless loops are counted.
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 20,
};
