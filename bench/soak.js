// Mixed load for minutes or days, to see whether memory or latency grow: node bench/soak.js --minutes 10
import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import { connectSandbox } from "../dist/index.js";
import { commit, machine } from "./machine.js";
import { bystanders, watchBystanders } from "./measure/bystanders.js";
import { writeSection } from "./report.js";
import { product } from "./servers/product.js";
import { chart } from "./soak/chart.js";
import { SoakLoad } from "./soak/load.js";
import { verdict } from "./soak/verdict.js";
import { quantile } from "./statistics.js";
import { count, figure } from "./table.js";

const every = 10_000;
const { values } = parseArgs({
  allowNegative: true,
  options: { minutes: { type: "string", default: "10" }, write: { type: "boolean", default: true } },
});
const minutes = Number(values.minutes);
if (!(minutes >= 1)) {
  console.error("node bench/soak.js [--minutes <number, 1 or more>] [--no-write]");
  process.exit(2);
}

const host = fork(fileURLToPath(new URL("soak/host.js", import.meta.url)), { execArgv: ["--expose-gc"] });
const [{ url }] = await once(host, "message");
const sandbox = await connectSandbox(url);
const others = watchBystanders([host.pid]);
const begin = Date.now();
const load = new SoakLoad(sandbox, begin + minutes * 60_000);
const loading = load.run();
const samples = [];
let mostDropped = 0;
while (Date.now() + every <= begin + minutes * 60_000) {
  await Promise.race([wait(every), loading]);
  samples.push(await sample());
}
await loading;
if (mostDropped === 0) load.failures.push("the journal was never full");
const share = others();
host.disconnect();

const { lines, grown } = verdict(samples);
const wrong = [...grown, ...load.failures.slice(0, 10)];
const did = `${count(load.requests)} requests, ${count(load.environments)} environments opened and dropped, ${count(load.failures.length)} failures`;
const section = [
  "![Memory and latency over the soak](soak.svg)",
  `${minutes} minutes: ${did}; ${lines.join(", ")}.`,
  `_${[new Date().toISOString().slice(0, 10), product.title, commit(), machine(), bystanders(share)].filter(Boolean).join("; ")}._`,
].join("\n\n");
console.log(section);
if (values.write) {
  await writeFile(new URL("soak.svg", import.meta.url), chart(samples));
  await writeSection("soak", section);
}
for (const line of wrong) console.error(`wrong: ${line}`);
process.exitCode = wrong.length > 0 ? 1 : 0;

async function sample() {
  const latencies = load.takeLatencies();
  const { dropped } = await sandbox.requests.list({ limit: 1 });
  mostDropped = Math.max(mostDropped, dropped);
  host.send("usage");
  const [{ heap, rss }] = await once(host, "message");
  // Always at the end of what was played since the last time, so that samples can be compared.
  await sandbox.reset();
  const found = {
    minutes: (Date.now() - begin) / 60_000,
    heap,
    rss,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
  const words = Object.entries(found).map(([name, value]) => `${name} ${figure(value)}`);
  console.error([...words, `${count(load.requests)} requests`, `${load.failures.length} failures`].join(", "));
  return found;
}
