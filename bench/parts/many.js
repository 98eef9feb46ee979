// Measures a process with `--db` and many environments: opening them, memory and file, requests to all, commands, a
// restart.
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cores, start as startProcess, stop } from "../measure/processes.js";
import { freePort, RunningServer } from "../measure/running-server.js";
import { processorTime } from "../measure/usage.js";
import { product } from "../servers/product.js";
import { get } from "../servers/service-requests.js";
import { median, milliseconds } from "../statistics.js";
import { count, figure, table } from "../table.js";

/** Number of clients that open environments at once, like the jobs of a company. */
const openers = 8;
const requestsEach = 10;
const commands = 200;

export const many = {
  id: "many",
  title: "Many environments",
  needsLoad: true,
  async run({ options: { environments: total }, datasets, load, say }) {
    const dataset = await datasets.get("demo");
    const folder = join(dataset.folder, "many");
    await mkdir(folder);
    const flags = ["--db", join(folder, "sandbox.json"), "--max-environments", total + 1];
    const server = { ...product, start: (launch) => ({ args: [...product.start(launch).args, ...flags] }) };
    const start = () => RunningServer.start(server, dataset, { core: cores?.server });

    const running = await start();
    const emptyMemory = running.residentMemory();
    say(`opens ${total} environments`);
    const environments = [];
    const opening = await milliseconds(() => open(running.url, total, environments));
    const memory = running.residentMemory();
    const size = await sizeOf(folder);

    say(`asks each of ${total} environments ${requestsEach} times`);
    const requests = requestsTo(environments, dataset);
    const timeBefore = running.processorTime();
    const result = await load.atMost(running.url, requests, { once: true });
    const processor = (running.processorTime() - timeBefore) / result.responded;
    const usedMemory = running.residentMemory();

    say("the same through HAProxy");
    const proxied = await throughProxy(running, requests, load);

    say(`${commands} commands, one after the other`);
    const durations = [];
    for (const { id } of spread(environments, commands)) {
      durations.push(
        await milliseconds(() => post(running.url, `/environments/${id}/clock/advance`, { by: "1m" }, 200)),
      );
    }

    say("kill -9, and a restart");
    await running.stop();
    const secondRun = await start();
    await load.atMost(secondRun.url, spread(requests, commands), { once: true });
    const restartedMemory = secondRun.residentMemory();
    await secondRun.stop();

    const kilobytes = (megabytes) => figure((megabytes * 1000) / total);
    return table(
      [`offering-sandbox, \`--db\`, ${count(total)} environments of the demo`, ""],
      [
        ["environments opened a second", count(Math.round((total * 1000) / opening))],
        ["resident memory with none, MB", figure(emptyMemory)],
        ["memory of a fresh environment, KB", kilobytes(memory - emptyMemory)],
        [`memory of one after ${requestsEach} requests, KB`, kilobytes(usedMemory - emptyMemory)],
        ["stored bytes of an environment", count(Math.round(size / total))],
        ["requests a second, to all in random order", count(Math.round(result.responded / result.seconds))],
        ["CPU µs a request", figure(processor)],
        ["CPU µs a request of HAProxy in front", proxied],
        [
          `a command, stored: median, slowest of ${commands}, ms`,
          `${figure(median(durations))}, ${figure(Math.max(...durations))}`,
        ],
        ["restart after kill -9, to the first right response, s", figure(secondRun.readyAfter / 1000)],
        ["resident memory then, MB", figure(restartedMemory)],
      ],
    );
  },
};

/** Opens environments from several clients at once; adds each to `opened`. */
async function open(url, total, environments) {
  let remaining = total;
  const opener = async () => {
    while (remaining-- > 0) environments.push(await post(url, "/environments", {}, 201));
  };
  await Promise.all(Array.from({ length: openers }, opener));
}

async function post(url, path, body, expectedStatus) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/__admin${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const environment = await response.json();
  if (response.status !== expectedStatus) throw new Error(`POST ${path}: ${response.status} ${environment.detail}`);
  const { id, partner_key: key } = environment;
  return { id, key };
}

/** Some requests to each environment, in an order that returns to an environment late. */
function requestsTo(environments, { samples: { repeatedIds } }) {
  return Array.from({ length: requestsEach }, (_, round) => round).flatMap((round) =>
    environments.map(({ key }, index) => get(`/investments/${repeatedIds[(index + round) % repeatedIds.length]}`, key)),
  );
}

/** Processor time in microseconds that HAProxy takes for a request, with the configuration of the example. */
async function throughProxy({ url }, requests, load) {
  const port = await freePort();
  const proxyUrl = `http://127.0.0.1:${port}`;
  const { host } = new URL(url);
  const env = { ...process.env, LISTEN_PORT: port, SANDBOX_A: host, SANDBOX_B: host };
  const configuration = fileURLToPath(new URL("../../examples/haproxy/haproxy.cfg", import.meta.url));
  const proxy = startProcess("haproxy", ["-db", "-f", configuration], { env, stdio: "ignore" });
  try {
    while (!(await fetch(`${proxyUrl}/__admin/health`).catch(() => undefined))?.ok) await wait(10);
    const timeBefore = processorTime(proxy.pid);
    const { responded } = await load.atMost(proxyUrl, requests, { once: true });
    return figure((processorTime(proxy.pid) - timeBefore) / responded);
  } finally {
    await stop(proxy);
  }
}

/** Returns `times` members of a list, evenly spread. */
function spread(list, maxCount) {
  return Array.from(
    { length: Math.min(maxCount, list.length) },
    (_, index) => list[Math.floor((index * list.length) / maxCount)],
  );
}

/** Bytes of the files in a folder. */
async function sizeOf(folder) {
  const files = await readdir(folder);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
