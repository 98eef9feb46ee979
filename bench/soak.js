// Runs mixed load for minutes or days, and checks whether memory or latency grow: node --expose-gc bench/soak.js --minutes 10
import { Agent } from "node:http";
import { parseArgs } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import { startSandbox } from "../dist/index.js";
import { circumstances } from "./machine.js";
import { ask } from "./measure/ask.js";
import { watchOthers } from "./measure/usage.js";
import { writeSection } from "./report.js";
import { median, quantile } from "./statistics.js";
import { count, figure } from "./table.js";

const readers = 4;
const sampleInterval = 10_000;
const missing = "00000000-0000-4000-8000-000000000000";

/** The greatest allowed growth from the first third to the last. */
const bounds = {
  heap: { unit: "MB", times: 1.1, plus: 5 },
  rss: { unit: "MB", times: 1.2, plus: 20 },
  p50: { unit: "ms", times: 1.5, plus: 1 },
  p99: { unit: "ms", times: 2, plus: 10 },
};

const { values } = parseArgs({
  allowNegative: true,
  options: { minutes: { type: "string", default: "10" }, write: { type: "boolean", default: true } },
});
const minutes = Number(values.minutes);
if (!(minutes >= 1) || globalThis.gc === undefined) {
  console.error("node --expose-gc bench/soak.js [--minutes <number, 1 or more>] [--no-write]");
  process.exit(2);
}

const sandbox = await startSandbox({
  clock: "fixture",
  speed: 3600,
  rateLimit: 1_000_000,
  scenarios: ["live-demo", "busy-day"],
});
const others = watchOthers([]);
const agent = new Agent({ keepAlive: true });
const counts = { requests: 0, environments: 0 };
const failures = [];
const latencies = [];
const end = Date.now() + minutes * 60_000;

const loading = Promise.all([openEnvironments(), ...Array.from({ length: readers }, (_, reader) => readOn(reader))]);
const samples = [];
let journalFull = false;
while (Date.now() + sampleInterval <= end) {
  await Promise.race([wait(sampleInterval), loading]);
  samples.push(await sample());
}
await loading;
agent.destroy();
await sandbox.close();
if (!journalFull) failures.push("the journal was never full");

const result = verdict();
const totals = `${count(counts.requests)} requests, ${count(counts.environments)} environments opened and dropped`;
const section = [
  `${minutes} minutes: ${totals}, ${count(failures.length)} failures; ${result.summary.join(", ")}.`,
  circumstances([], [others()]),
].join("\n\n");
console.log(section);
if (values.write) await writeSection("soak", section);
const wrong = [...result.growth, ...failures.slice(0, 10)];
for (const line of wrong) console.error(`wrong: ${line}`);
process.exitCode = wrong.length > 0 ? 1 : 0;

async function request(path, key, expectedStatus) {
  const { status, text, ms } = await ask(
    sandbox.url,
    { path: `/api/v1${path}`, headers: { authorization: `Bearer ${key}` } },
    agent,
  );
  counts.requests += 1;
  latencies.push(ms);
  if (expectedStatus !== undefined && status !== expectedStatus) failures.push(`${path}: ${status}`);
  return status === 200 ? JSON.parse(text) : undefined;
}

/** Reads lists and investments without pause. */
async function readOn(reader) {
  const { offerings, keys } = sandbox;
  for (let turn = reader; Date.now() < end; turn += readers) {
    const list = await request(`/offerings/${offerings[0].id}/investments?page=${1 + (turn % 6)}`, keys.partner, 200);
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
  for (; Date.now() < end; counts.environments += 1) {
    const name = names[counts.environments % names.length];
    const environment = await sandbox.openEnvironment();
    const run = await environment.play(name);
    await environment.clock.advance("2d");
    if (name === "closing") {
      const document = await request(`/investments/${run.investment_ids[0]}/status`, environment.keys.partner, 200);
      const status = document?.data.attributes.status;
      if (status !== "CLOSED") failures.push(`closing: ${status}`);
    }
    await environment.close();
  }
}

async function sample() {
  const times = latencies.splice(0);
  journalFull ||= (await sandbox.requests.list({ limit: 1 })).dropped > 0;
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  // Samples are comparable at the same point of the scenario.
  await sandbox.reset();
  const figures = { heap: heapUsed / 1e6, rss: rss / 1e6, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
  const columns = Object.entries(figures).map(([name, value]) => `${name} ${figure(value)}`);
  console.error([...columns, `${count(counts.requests)} requests`, `${failures.length} failures`].join(", "));
  return figures;
}

/** The growth of each figure after the first tenth of the samples, and the figures beyond their bound. */
function verdict() {
  const warm = samples.slice(Math.ceil(samples.length / 10));
  const third = Math.ceil(warm.length / 3);
  const summary = [];
  const growth = [];
  for (const [name, { unit, times, plus }] of Object.entries(bounds)) {
    const medianOf = (some) => median(some.map((each) => each[name]));
    const [first, last] = [medianOf(warm.slice(0, third)), medianOf(warm.slice(-third))];
    summary.push(`${name} ${figure(first)} → ${figure(last)} ${unit}`);
    if (last > first * times + plus) growth.push(`${name} grew from ${figure(first)} to ${figure(last)} ${unit}`);
  }
  return { summary, growth };
}
