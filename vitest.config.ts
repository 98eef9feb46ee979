import { defineConfig } from "vitest/config";

/** Tests that are slow by nature: they pack, install, compile, send megabytes, or start and kill many processes. */
const slow = [
  "test/admin/hostile-bodies.test.ts",
  "test/calibrate/command.test.ts",
  "test/cli/{determinism,drain,exec,log,mcp,output,ready,requests,stop,vary,watch}.test.ts",
  "test/counts/process.test.ts",
  "test/coverage/exec.test.ts",
  "test/docs/guides.test.ts",
  "test/examples/*.test.ts",
  "test/package/*.test.ts",
  "test/scenario/plays.test.ts",
  "test/service/{depends-on,never-varied}.test.ts",
  "test/storage/{kill,processes}.test.ts",
  "test/storage/postgres/{crashes,failures,poolers,process-view,refusals,rows,sharing,surfaces}.test.ts",
  "test/vite/{recipes,versions}.test.ts",
];

/** Properties that cost a second and more: the slow tests try them again, with more cases. */
const sampled = [
  "test/service/{hostile-requests,list,templates}.test.ts",
  "test/calibrate/{changing,round-trip}.test.ts",
  "test/control/{any-argument,part-changes,recording}.test.ts",
  "test/environment/{forged-snapshot,numbers,any-history,time-travel}.test.ts",
  "test/fixture/{complete,from-responses,hostile,load-fixture,sealed}.test.ts",
  "test/scenario/mutations.test.ts",
];

/** Tests that need a browser. */
const portal = ["test/portal/*.test.ts", "test/vite/{page,redaction}.test.ts"];

export default defineConfig({
  test: {
    // Far beyond what a busy machine needs: they end what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: "100%",
    globalSetup: ["test/support/refuse-config.ts", "test/support/seal-known.ts"],
    // Restores all mocks before the next test, even after a test that fails.
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    setupFiles: ["test/support/properties.ts", "test/support/real-timers.ts"],
    projects: [
      {
        extends: true,
        // The files of a worker share the modules that they import, and the schemas that these have compiled.
        test: { name: "fast", include: ["test/**/*.test.ts"], exclude: [...slow, ...portal], isolate: false },
      },
      {
        extends: true,
        test: {
          name: "portal",
          include: portal,
          globalSetup: "test/portal/find-chromium.ts",
          // A proxy of the machine cannot reach its loopback addresses.
          env: { no_proxy: "*" },
        },
      },
      { extends: true, test: { name: "slow", include: [...slow, ...sampled], env: { CASE_FACTOR: "4" } } },
    ],
  },
});
