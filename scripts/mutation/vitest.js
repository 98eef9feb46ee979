/** Collects tests in place of Vitest, so that they can run many times in one process. Assertions are Vitest's own. */
import { vi } from "vitest";

export { expect, expectTypeOf } from "vitest";
export { vi };

/** Every test in the order of its definition: `{ id, suites, run }`, with its suites from the file inwards. */
export const tests = [];

let file = "";
let suites = [];
let finishers = [];
const provided = new Map();

/** Names the file whose tests are defined next. */
export function beginFile(name) {
  file = name;
  suites = [createSuite(name)];
}

export const provide = (name, value) => provided.set(name, value);
export const inject = (name) => provided.get(name);

export function describe(name, define) {
  suites = [...suites, createSuite(name)];
  define();
  suites = suites.slice(0, -1);
}
describe.concurrent = describe;
describe.each = (rows) => (name, define) =>
  rows.forEach((row, index) => describe(`${name} ${index}`, () => define(...[row].flat())));

export function test(name, ...rest) {
  const body = rest.find((value) => typeof value === "function");
  const id = [file, ...suites.slice(1).map((suite) => suite.name), name].join(" > ");
  tests.push({ id, suites, body });
}
test.concurrent = test;
test.runIf = (condition) => (condition ? test : () => {});
test.each = (rows) => (name, body) =>
  rows.forEach((row, index) => test(`${name} ${index}`, () => body(...(Array.isArray(row) ? row : [row]))));
test.for = (rows) => (name, body) => rows.forEach((row, index) => test(`${name} ${index}`, () => body(row)));

export const beforeAll = (hook) => suites.at(-1).before.push(hook);
export const afterAll = (hook) => suites.at(-1).after.push(hook);
export const beforeEach = (hook) => suites.at(-1).beforeEach.push(hook);
export const afterEach = (hook) => suites.at(-1).afterEach.push(hook);
export const onTestFinished = (finisher) => finishers.push(finisher);
export const onTestFailed = () => {};

function createSuite(name) {
  return { name, before: [], after: [], beforeEach: [], afterEach: [] };
}

/**
 * Runs tests one after another until `onResult` returns false. Hooks of a suite run around its first and last test here.
 * `onStart` and `onResult` get the test; the latter also its error, undefined if it passed. `timeLimit` gives the
 * milliseconds after which a test counts as failed.
 */
export async function runTests(chosen, { onStart, onResult, timeLimit }) {
  const entered = new Set();
  for (const each of chosen) {
    onStart(each);
    const error = await within(timeLimit(each), runTest(each, entered)).then(
      () => undefined,
      (thrown) => thrown ?? new Error("The test failed without an error."),
    );
    if (!onResult(each, error)) break;
  }
  const leaveAll = async () => {
    for (const suite of [...entered].toReversed()) await callAll(suite.after).catch(() => {});
  };
  await within(10_000, leaveAll()).catch(() => {});
}

async function within(milliseconds, work) {
  let timer;
  const end = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("The test takes too long.")), milliseconds);
  });
  return Promise.race([work, end]).finally(() => clearTimeout(timer));
}

async function runTest({ suites: around, body }, entered) {
  finishers = [];
  try {
    for (const suite of around.filter((candidate) => !entered.has(candidate))) {
      entered.add(suite);
      await callAll(suite.before);
    }
    for (const suite of around) await callAll(suite.beforeEach);
    await body();
  } finally {
    for (const suite of around.toReversed()) await callAll(suite.afterEach);
    await callAll(finishers.toReversed());
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    vi.useRealTimers();
  }
}

async function callAll(hooks) {
  for (const hook of hooks) await hook();
}
