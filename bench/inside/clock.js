// What advancing the clock over thousands of due changes costs, in the process of a sandbox: prints it as JSON.
import { startSandbox } from "../../dist/index.js";

const [rounds, repetitions] = process.argv.slice(2).map(Number);

/** Each repetition brings an investment with some twelve changes. */
const scenario = {
  description: "Many invest on one day.",
  repeat: { count: repetitions, every: "1m" },
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

const sandbox = await startSandbox({ scenarios: [] });
const results = [];
for (let round = 0; round < rounds; round++) {
  const environment = await sandbox.openEnvironment();
  const { now } = await environment.clock.get();
  await environment.play(scenario);
  const first = await advance(environment);
  const back = await milliseconds(() => environment.clock.set({ now }));
  const again = await advance(environment);
  results.push({ changes: again.changes, first: first.ms, back: back.ms, again: again.ms });
  await environment.close();
}
console.log(JSON.stringify(results));
await sandbox.close();

async function advance(environment) {
  const { ms, result } = await milliseconds(() => environment.clock.advance("2d"));
  return { ms, changes: result.applied.length };
}

async function milliseconds(act) {
  const since = performance.now();
  const result = await act();
  return { ms: performance.now() - since, result };
}
