// node bench/sharing.js postgres://…: measures processes over one PostgreSQL next to one with a file, in alternation.
// The schema of the address has to be empty. Needs a build. Further arguments: environments, rounds, requests.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { circumstances } from "./machine.js";
import { start } from "./measure/processes.js";
import { processorTime, watchOthers } from "./measure/usage.js";
import { median, milliseconds, quantile } from "./statistics.js";
import { count, figure, table, withSpread } from "./table.js";

const [address, total = 2000, rounds = 7, requests = 4000] = process.argv
  .slice(2)
  .map((text, index) => (index ? +text : text));
if (!address)
  throw new Error("Name a database: node bench/sharing.js postgres://sandbox@localhost/sandbox?schema=bench");
const bin = fileURLToPath(new URL("../bin/offering-sandbox.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "offering-sandbox-bench-"));
const file = join(folder, "sandbox.json");
const otherLoad = watchOthers([]);

/** Starts a server and waits until it is ready. */
async function serve(db) {
  const flags = ["--db", db, "--port", "0", "--no-scenario", "--rate-limit", "0", "--max-environments", total + 20];
  const args = [bin, "start", ...flags, "--log-format", "json", "--log-level", "error"];
  const startedAt = performance.now();
  const child = start(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface(child.stdout)) {
    const { event, url } = JSON.parse(line);
    if (event === "ready") return { child, url, readyAfter: performance.now() - startedAt };
  }
  throw new Error(`The server over ${db === file ? db : "PostgreSQL"} has ended.`);
}

async function end({ child }) {
  const pendingExit = once(child, "exit");
  child.kill("SIGTERM");
  await pendingExit;
}

async function sendRequest(url, { key, ...init } = {}) {
  const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) };
  const response = await fetch(url, { ...init, headers });
  const body = await response.json();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${JSON.stringify(body)}`);
  return body;
}

/** Runs an action `actionCount` times, sixteen at once. */
async function inParallel(actionCount, action) {
  let remaining = actionCount;
  const runActions = async () => {
    while (remaining > 0) await action(--remaining);
  };
  await Promise.all(Array.from({ length: 16 }, runActions));
}

/** Opens an environment, and returns the path of a request to it and its key. */
async function open({ url }) {
  const response = await sendRequest(`${url}/__admin/environments`, { method: "POST", body: "{}" });
  return { path: `/api/v1/offerings/${response.offerings[0].id}`, key: response.partner_key };
}

/** Milliseconds of requests to an environment with this number of journal entries, after a transfer and without one. */
async function transfers([first, second], entries) {
  const { path, key } = await open(first);
  await inParallel(entries, () => sendRequest(first.url + path, { key }));
  const durations = { moved: [], same: [] };
  for (let index = 0; index < 100; index++) {
    const { url } = index % 2 === 0 ? second : first;
    durations.moved.push(await milliseconds(() => sendRequest(url + path, { key })));
    durations.same.push(await milliseconds(() => sendRequest(url + path, { key })));
  }
  return Object.fromEntries(
    Object.entries(durations).map(([name, values]) => [name, [0.5, 0.9].map((share) => quantile(values, share))]),
  );
}

const sharedServers = [await serve(address), await serve(address)];
let fileServer = await serve(file);
const rate = async (servers) =>
  (total * 1000) / (await milliseconds(() => inParallel(total, (index) => open(servers[index % servers.length]))));
const openRates = { shared: await rate(sharedServers), alone: await rate([fileServer]) };
const transferResults = [];
for (const entries of [120, 1000]) transferResults.push([entries, await transfers(sharedServers, entries)]);

const cpu = { shared: [], alone: [] };
const places = {
  shared: [sharedServers[0], await open(sharedServers[0])],
  alone: [fileServer, await open(fileServer)],
};
for (let round = -1; round < rounds; round++) {
  for (const [name, [server, { path, key }]] of Object.entries(places)) {
    const timeBefore = processorTime(server.child.pid);
    await inParallel(requests, () => sendRequest(server.url + path, { key }));
    // The first round warms up.
    if (round >= 0) cpu[name].push((processorTime(server.child.pid) - timeBefore) / requests);
  }
}

const starts = { shared: [], alone: [] };
for (let round = 0; round < rounds; round++) {
  await end(sharedServers[1]);
  starts.shared.push((sharedServers[1] = await serve(address)).readyAfter);
  await end(fileServer);
  starts.alone.push((fileServer = await serve(file)).readyAfter);
}
for (const server of [...sharedServers, fileServer]) await end(server);
rmSync(folder, { recursive: true });

const ratios = cpu.shared.map((value, index) => value / cpu.alone[index]);
const rows = [
  [
    `environments opened a second, ${count(total)} by sixteen clients`,
    ...[openRates.shared, openRates.alone].map(figure),
  ],
  [`start over ${count(total)} environments, ms`, withSpread(starts.shared), withSpread(starts.alone)],
  ["CPU µs of a request", withSpread(cpu.shared), withSpread(cpu.alone)],
  ["the same, median of the ratios", figure(median(ratios)), "1"],
  ...transferResults.flatMap(([entries, { moved, same }]) => [
    [`request after a transfer, journal of ${count(entries)}: p50, p90 ms`, moved.map(figure).join(", "), ""],
    ["the same without a transfer", same.map(figure).join(", "), ""],
  ]),
];
console.log(table(["", "two processes, PostgreSQL", "one process, file"], rows));
console.log(`\n${circumstances(["`node bench/sharing.js postgres://…`"], [otherLoad()])}`);
