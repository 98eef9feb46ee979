import { defineConfig } from "vitest/config";

/** Tests that are slow by nature: they pack, install, compile, browse, or start and kill many processes. */
const slow = [
  "test/cli/{descriptors,determinism,exec,output,requests,scenario-play,stop,watch}.test.ts",
  "test/counts/process.test.ts",
  "test/docs/guides.test.ts",
  "test/examples/*.test.ts",
  "test/package/*.test.ts",
  "test/storage/{kill,processes}.test.ts",
];

/** Properties that cost a second and more: the slow tests try them again, with more cases. */
const drawn = ["test/fixture/{complete,hostile,sealed}.test.ts"];

export default defineConfig({
  test: {
    // A busy machine is slow; no test asserts a timing.
    testTimeout: 60_000,
    maxWorkers: "100%",
    globalSetup: "test/support/seal-known.ts",
    projects: [
      {
        extends: true,
        // The files of a worker share the modules that they import, and the schemas that these have compiled.
        test: { name: "fast", include: ["test/**/*.test.ts"], exclude: slow, isolate: false },
      },
      { extends: true, test: { name: "slow", include: [...slow, ...drawn], env: { DRAWS: "4" } } },
    ],
  },
});
