// Runs mixed load for minutes or days, and fails on a wrong response, or if memory or latency grow: npm run test:soak
// [minutes]
import { setTimeout as wait } from "node:timers/promises";
import { median, quantile } from "../bench/statistics.js";
import { figure } from "../bench/table.js";
import { startSandbox } from "../dist/index.js";

const readers = 4;
const sampleInterval = 10_000;
const missing = "00000000-0000-4000-8000-000000000000";

/** The greatest growth from the first third of the samples to the last, after their first tenth. */
const bounds = {
  "heap, MB": { times: 1.1, plus: 5 },
  "rss, MB": { times: 1.2, plus: 20 },
  "p50, ms": { times: 1.5, plus: 1 },
  "p99, ms": { times: 2, plus: 10 },
};

const minutes = Number(process.argv[2] ?? 10);
if (!(minutes >= 1)) {
  console.error(`npm run test:soak [minutes]: expected a number of minutes, 1 or more, not "${process.argv[2]}".`);
  process.exit(2);
}

const sandbox = await startSandbox({
  clock: "fixture",
  speed: 3600,
  rateLimit: 1_000_000,
  scenarios: ["live-demo", "busy-day"],
});
const counts = { requests: 0, environments: 0 };
const errors = new Set();
const latencies = [];
const samples = [];
let journalWasFull = false;
const endsAt = Date.now() + minutes * 60_000;

const loading = Promise.all([
  openEnvironments(),
  ...Array.from({ length: readers }, (_, reader) => readUntilEnd(reader)),
]);
while (Date.now() + sampleInterval <= endsAt) {
  await Promise.race([wait(sampleInterval), loading]);
  await sample();
}
await loading;
await sandbox.close();
if (!journalWasFull) errors.add("the journal was never full");
expectNoGrowth();
for (const line of errors) console.error(`wrong: ${line}`);
process.exitCode = errors.size > 0 ? 1 : 0;

async function request(path, key, expectedStatus) {
  const startedAt = performance.now();
  const response = await fetch(`${sandbox.baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  latencies.push(performance.now() - startedAt);
  counts.requests += 1;
  const { status } = response;
  if (expectedStatus !== undefined && status !== expectedStatus) errors.add(`${path}: ${status}`);
  return status === 200 ? JSON.parse(text) : undefined;
}

/** Reads lists and investments without pause. */
async function readUntilEnd(reader) {
  const { offerings, keys } = sandbox;
  for (let round = reader; Date.now() < endsAt; round += readers) {
    const list = await request(`/offerings/${offerings[0].id}/investments?page=${1 + (round % 6)}`, keys.partner, 200);
    for (const { id } of list?.data.slice(0, 3) ?? []) {
      // A reset may have removed the investment meanwhile.
      await request(`/investments/${id}`, keys.marketing);
      await request(`/investments/${id}/status`, keys.marketing);
      await request(`/investments/${id}/events`, keys.partner);
    }
    await request(`/investments/${missing}`, keys.partner, 404);
  }
}

/** Opens environments, plays a scenario in each and closes them. */
async function openEnvironments() {
  // The live demo has thousands of repetitions, so only the default environment plays it.
  const names = (await sandbox.scenarios.list()).map(({ name }) => name).filter((name) => name !== "live-demo");
  for (; Date.now() < endsAt; counts.environments += 1) {
    const name = names[counts.environments % names.length];
    const environment = await sandbox.openEnvironment();
    const run = await environment.play(name);
    await environment.clock.advance("2d");
    if (name === "closing") {
      const document = await request(`/investments/${run.investment_ids[0]}/status`, environment.keys.partner, 200);
      const status = document?.data.attributes.status;
      if (status !== "CLOSED") errors.add(`closing: ${status}`);
    }
    await environment.close();
  }
}

/**
 * Records memory and latency, and sets the clock back to the start, so that samples are taken at the same point of the
 * scenario.
 */
async function sample() {
  const durations = latencies.splice(0);
  journalWasFull ||= (await sandbox.requests.list({ limit: 1 })).dropped > 0;
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  const figures = [heapUsed / 1e6, rss / 1e6, quantile(durations, 0.5), quantile(durations, 0.99)];
  samples.push(Object.fromEntries(Object.keys(bounds).map((name, index) => [name, figures[index]])));
  const columns = Object.entries(samples.at(-1)).map(([name, value]) => `${name}: ${figure(value)}`);
  console.log(`${columns.join("; ")}; ${counts.requests} requests, ${counts.environments} environments`);
  await sandbox.reset();
}

function expectNoGrowth() {
  const warmSamples = samples.slice(Math.ceil(samples.length / 10));
  const third = Math.ceil(warmSamples.length / 3);
  for (const [name, { times, plus }] of Object.entries(bounds)) {
    const medianOf = (group) => median(group.map((values) => values[name]));
    const [first, last] = [medianOf(warmSamples.slice(0, third)), medianOf(warmSamples.slice(-third))];
    console.log(`${name}: ${figure(first)} → ${figure(last)}`);
    if (last > first * times + plus) errors.add(`${name} grew from ${figure(first)} to ${figure(last)}`);
  }
}
