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
    const server = { ...product, start: (place) => ({ args: [...product.start(place).args, ...flags] }) };
    const start = () => RunningServer.start(server, dataset, { core: cores?.server });

    const running = await start();
    const empty = running.residentMemory();
    say(`opens ${total} environments`);
    const opened = [];
    const opening = await milliseconds(() => open(running.url, total, opened));
    const memory = running.residentMemory();
    const size = await sizeOf(folder);

    say(`asks each of ${total} environments ${requestsEach} times`);
    const work = requestsTo(opened, dataset);
    const before = running.processorTime();
    const asked = await load.atMost(running.url, work, { once: true });
    const processor = (running.processorTime() - before) / asked.responded;
    const used = running.residentMemory();

    say("the same through HAProxy");
    const proxied = await throughProxy(running, work, load);

    say(`${commands} commands, one after the other`);
    const times = [];
    for (const { id } of spread(opened, commands)) {
      times.push(await milliseconds(() => post(running.url, `/environments/${id}/clock/advance`, { by: "1m" }, 200)));
    }

    say("kill -9, and a restart");
    await running.stop();
    const again = await start();
    await load.atMost(again.url, spread(work, commands), { once: true });
    const restarted = again.residentMemory();
    await again.stop();

    const kilobytes = (megabytes) => figure((megabytes * 1000) / total);
    return table(
      [`offering-sandbox, \`--db\`, ${count(total)} environments of the demo`, ""],
      [
        ["environments opened a second", count(Math.round((total * 1000) / opening))],
        ["resident memory with none, MB", figure(empty)],
        ["memory of a fresh environment, KB", kilobytes(memory - empty)],
        [`memory of one after ${requestsEach} requests, KB`, kilobytes(used - empty)],
        ["stored bytes of an environment", count(Math.round(size / total))],
        ["requests a second, to all in random order", count(Math.round(asked.responded / asked.seconds))],
        ["CPU µs a request", figure(processor)],
        ["CPU µs a request of HAProxy in front", proxied],
        [
          `a command, stored: median, slowest of ${commands}, ms`,
          `${figure(median(times))}, ${figure(Math.max(...times))}`,
        ],
        ["restart after kill -9, to the first right response, s", figure(again.readyAfter / 1000)],
        ["resident memory then, MB", figure(restarted)],
      ],
    );
  },
};

/** Opens environments from several clients at once; adds each to `opened`. */
async function open(url, total, opened) {
  let left = total;
  const opener = async () => {
    while (left-- > 0) opened.push(await post(url, "/environments", {}, 201));
  };
  await Promise.all(Array.from({ length: openers }, opener));
}

async function post(url, path, body, expected) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/__admin${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const environment = await response.json();
  if (response.status !== expected) throw new Error(`POST ${path}: ${response.status} ${environment.detail}`);
  const { id, partner_key: key } = environment;
  return { id, key };
}

/** Some requests to each environment, in an order that returns to an environment late. */
function requestsTo(environments, { samples: { repeatedIds } }) {
  return Array.from({ length: requestsEach }, (_, nth) => nth).flatMap((nth) =>
    environments.map(({ key }, index) => get(`/investments/${repeatedIds[(index + nth) % repeatedIds.length]}`, key)),
  );
}

/** Processor time in microseconds that HAProxy takes for a request, with the configuration of the example. */
async function throughProxy({ url }, work, load) {
  const port = await freePort();
  const proxyUrl = `http://127.0.0.1:${port}`;
  const { host } = new URL(url);
  const env = { ...process.env, LISTEN_PORT: port, SANDBOX_A: host, SANDBOX_B: host };
  const configuration = fileURLToPath(new URL("../../examples/haproxy/haproxy.cfg", import.meta.url));
  const proxy = startProcess("haproxy", ["-db", "-f", configuration], { env, stdio: "ignore" });
  try {
    while (!(await fetch(`${proxyUrl}/__admin/health`).catch(() => undefined))?.ok) await wait(10);
    const before = processorTime(proxy.pid);
    const { responded } = await load.atMost(proxyUrl, work, { once: true });
    return figure((processorTime(proxy.pid) - before) / responded);
  } finally {
    await stop(proxy);
  }
}

/** Returns `times` members of a list, evenly spread. */
function spread(list, times) {
  return Array.from(
    { length: Math.min(times, list.length) },
    (_, nth) => list[Math.floor((nth * list.length) / times)],
  );
}

/** Bytes of the files in a folder. */
async function sizeOf(folder) {
  const files = await readdir(folder);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  return sizes.reduce((sum, each) => sum + each, 0);
}
