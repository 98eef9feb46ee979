import fc from "fast-check";

/** The seed of all properties: the same in every run, unless `npm run test:explore` sets another one. */
const seed = Number(process.env["SEED"] ?? 20_260_115);

/** Stryker only needs to know whether a test fails, not the smallest case. */
const endOnFailure = process.env["STRYKER_MUTATOR_WORKER"] !== undefined;

// A failing case is reported before its test times out, however long shrinking takes.
fc.configureGlobal({ seed, endOnFailure, interruptAfterTimeLimit: 240_000 });
