// Measures inside the process of a sandbox, and prints JSON: node --expose-gc inside-process.js open|advance <fixture>
// <times>
import { startSandbox } from "../../dist/index.js";
import { milliseconds } from "../statistics.js";

/** Each repetition creates an investment with about twelve changes: 10,000 in total. */
const scenario = {
  description: "Many invest on one day.",
  repeat: { count: 803, every: "1m" },
  investment: { amount: 1000 },
  steps: [
    { event: "REGISTRATION COMPLETED" },
    { after: "5m", event: "PROFILE SUBMITTED" },
    { after: "10m", event: "SUBSCRIPTION SUBMITTED", investment: { step: "SIGNERS" } },
    { after: "15m", sign: "all", investment: { step: null } },
    { after: "30m", event: "PAYMENT SUBMITTED", payment: { alias: "card", amount: 1000, status: "pending" } },
    {
      after: "2h",
      event: "PAYMENT APPROVED",
      payment: { alias: "card", status: "succeeded" },
      investment: { status: "CLOSED" },
    },
  ],
};

const [measurement, fixture, countText] = process.argv.slice(2);
const sandbox = await startSandbox({ fixture, scenarios: [] });
console.log(JSON.stringify(await { open, advance }[measurement](Number(countText))));
await sandbox.close();

/** Milliseconds to open each of `count` environments, and the heap of one in KB. */
async function open(count) {
  // The first environments load and compile code, so they are not measured.
  for (let warmUp = 0; warmUp < 10; warmUp++) await (await sandbox.openEnvironment()).close();
  const heapBefore = heap();
  const environments = [];
  const openingMs = [];
  for (let index = 0; index < count; index++) {
    openingMs.push(await milliseconds(async () => environments.push(await sandbox.openEnvironment())));
  }
  return { opening: openingMs, kilobytes: (heap() - heapBefore) / environments.length / 1024 };
}

/** Milliseconds to advance over the scenario the first time, and again after going back. */
async function advance(rounds) {
  const result = { changes: 0, first: [], again: [] };
  for (let round = 0; round < rounds; round++) {
    const environment = await sandbox.openEnvironment();
    const { now } = await environment.clock.get();
    const advanceTwoDays = () =>
      milliseconds(async () => {
        ({ applied_count: result.changes } = await environment.clock.advance("2d"));
      });
    await environment.play(scenario);
    result.first.push(await advanceTwoDays());
    await environment.clock.set({ now });
    result.again.push(await advanceTwoDays());
    await environment.close();
  }
  return result;
}

function heap() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
