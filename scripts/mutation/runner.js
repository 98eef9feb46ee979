/**
 * A test runner for StrykerJS that loads sources and tests once, and then runs the tests for one mutant after another.
 * Stryker's own runner for Vitest starts a worker for each mutant, which takes hours here.
 */
import { INSTRUMENTER_CONSTANTS } from "@stryker-mutator/api/core";
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
} from "@stryker-mutator/api/test-runner";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { register } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** The folders of tests on the mutated sources. */
const folders = [
  "admin",
  "server",
  "service",
  "cli",
  "commands",
  "control",
  "environment",
  "fixture",
  "model",
  "openapi",
  "scenario",
  "storage",
];
/** Sources that are not loaded into this process: the command line runs when it is loaded, and a test of a runner needs its runner. */
const outside = /^(cli|runners)/;
/** Test files with megabytes of input. */
const heavy = /hostile/;
/** A test file with processes of its own: no mutant is active in them. */
const startsProcesses = /\b(?:launch\w*|runProcess|spawn|fork|start)\(/;

/**
 * Milliseconds of processor time of tests for one mutant, the quickest first: one that survives these four seconds counts as survived. The
 * score is the least that it can be, and a survivor does not cost minutes.
 */
const budget = 4000;

/** Where the first process leaves the costs of the tests for the others. */
const costFile = "test-costs.json";

class Runner {
  /** Stryker's state, which the instrumented sources read. */
  #stryker = (globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {});
  /** Milliseconds that a test last took, by id: quick tests run first, after those that killed mutants of the same file. */
  #costs = new Map();
  /** The mutants that each test killed, by source file: what noticed one change there notices others. */
  #kills = new Map();
  #unhandled;
  #harness;
  #unseal;

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    for (const event of ["uncaughtException", "unhandledRejection"])
      process.on(event, (error) => (this.#unhandled = error));
    register("./hooks.js", import.meta.url);
    this.#harness = await import("./vitest.js");
    // Code that runs as a module is loaded would count for the test that loads it first, and no mutant could change it.
    for (const name of readdirSync("src", { recursive: true })) {
      if (name.endsWith(".js") && !outside.test(name)) await load(join("src", name));
    }
    await load("test/support/properties.js");
    this.#unseal = await (await load("test/support/seal-known.js")).default(this.#harness);
    for (const folder of folders) {
      for (const name of testFiles(join("test", folder))) {
        this.#harness.beginFile(name);
        await load(name);
      }
    }
  }

  async dryRun() {
    this.#stryker.activeMutant = undefined;
    const { status, tests } = await this.#run(this.#harness.tests, false);
    writeFileSync(costFile, JSON.stringify([...this.#costs]));
    const failed = tests.filter((test) => test.status === TestStatus.Failed);
    for (const { id, failureMessage } of failed) console.error(`Left out, it fails here: ${id}\n  ${failureMessage}`);
    return {
      status,
      tests: tests.filter((test) => !failed.includes(test)),
      mutantCoverage: this.#stryker.mutantCoverage,
    };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, disableBail }) {
    if (this.#costs.size === 0) this.#costs = new Map(JSON.parse(readFileSync(costFile, "utf8")));
    const covering = new Set(testFilter);
    const chosen = this.#harness.tests.filter(({ id }) => testFilter === undefined || covering.has(id));
    const kills = this.#kills.get(activeMutant.fileName) ?? new Map();
    this.#kills.set(activeMutant.fileName, kills);
    const rank = ({ id }) => (this.#costs.get(id) ?? 0) - 10_000 * (kills.get(id) ?? 0);
    chosen.sort((one, other) => rank(one) - rank(other));
    Object.assign(this.#stryker, { activeMutant: activeMutant.id, hitLimit, hitCount: 0 });
    const result = await this.#run(chosen, !disableBail);
    this.#stryker.activeMutant = undefined;
    const killer = result.tests.find(({ status }) => status === TestStatus.Failed);
    if (killer) {
      kills.set(killer.id, (kills.get(killer.id) ?? 0) + 1);
      await this.#expectSound(chosen.find(({ id }) => id === killer.id));
    }
    return toMutantRunResult(determineHitLimitReached(this.#stryker.hitCount, hitLimit) ?? result);
  }

  async dispose() {
    await this.#unseal?.();
  }

  /** A mutant may leave this process broken, and then every test fails: Stryker goes on in a new one where this throws. */
  async #expectSound(test) {
    const { hitCount } = this.#stryker;
    this.#stryker.hitLimit = undefined;
    const { tests } = await this.#run([test], true);
    this.#stryker.hitCount = hitCount;
    if (tests.some(({ status }) => status === TestStatus.Failed)) throw new Error(`${test.id} fails without a mutant`);
  }

  async #run(chosen, bail) {
    const results = [];
    const begin = process.cpuUsage();
    let start = 0;
    await this.#harness.runTests(chosen, {
      timeLimit: ({ id }) => 5000 + 10 * (this.#costs.get(id) ?? 1000),
      onStart: ({ id }) => {
        this.#unhandled = undefined;
        this.#stryker.currentTestId = id;
        start = performance.now();
      },
      onResult: ({ id }, error = this.#unhandled) => {
        this.#stryker.currentTestId = undefined;
        const timeSpentMs = performance.now() - start;
        this.#costs.set(id, timeSpentMs);
        const failed = error !== undefined;
        const failure = failed && { failureMessage: String(error?.message ?? error) };
        results.push({
          id,
          name: id,
          timeSpentMs,
          status: failed ? TestStatus.Failed : TestStatus.Success,
          ...failure,
        });
        const { user, system } = process.cpuUsage(begin);
        return !bail || (!failed && (user + system) / 1000 < budget);
      },
    });
    return { status: DryRunStatus.Complete, tests: results };
  }
}

function load(path) {
  return import(pathToFileURL(resolve(path)).href);
}

function testFiles(folder) {
  const names = readdirSync(folder, { withFileTypes: true }).map((entry) => join(folder, entry.name));
  return names.filter(
    (name) => name.endsWith(".test.js") && !heavy.test(name) && !startsProcesses.test(readFileSync(name, "utf8")),
  );
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, "persistent", Runner)];
