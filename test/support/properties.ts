import fc from "fast-check";

/** The seed of all properties: the same in every run, but where `npm run test:explore` sets another. */
const seed = Number(process.env["SEED"] ?? 20_260_115);

/** Stryker asks whether a test fails, never for the smallest case. */
const endOnFailure = process.env["STRYKER_MUTATOR_WORKER"] !== undefined;

// A failing case is told before its test times out, however long it takes to make it smaller.
fc.configureGlobal({ seed, endOnFailure, interruptAfterTimeLimit: 240_000 });
