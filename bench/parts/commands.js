// What it costs to have a command kept: from sending it over HTTP to its acknowledgement, one after the other.
import { copyFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { connectSandbox } from "../../dist/index.js";
import { fileOf } from "../data/datasets.js";
import { RunningServer } from "../measure/running-server.js";
import { product } from "../servers/product.js";
import { median, quantile } from "../statistics.js";
import { count, figure, table } from "../table.js";

const warmUp = 50;
const howMany = 400;
const atOnce = 1000;

/** Beside the demo, whatever is as large. */
const many = 10_000;

/** json-server writes its whole file for each: so many are enough, and these seconds. */
const fewer = 20;
const longest = 20_000;

export const commands = {
  id: "commands",
  title: "Commands that are kept",
  async run({ options, servers, datasets, say }) {
    const rows = [];
    for (const size of ["demo", ...options.sizes.filter((each) => each >= many)]) {
      const dataset = await datasets.get(size);
      for (const kept of [false, true]) {
        say(`commands over ${size} investments, ${kept ? "with --db" : "in memory"}`);
        rows.push(await ourRow(dataset, kept));
      }
      for (const server of servers.filter(({ id }) => id.startsWith("json-server"))) {
        say(`commands over ${size} investments: ${server.id}`);
        rows.push(await theirRow(server, dataset));
      }
    }
    return table(["", "investments", "median ms", "p95 ms", "1,000 at once, ms", "file at the end, MB"], rows);
  },
};

async function ourRow(dataset, kept) {
  const db = join(dataset.folder, "environments.db");
  const server = kept
    ? { ...product, start: (place) => ({ args: [...product.start(place).args, "--db", db] }) }
    : product;
  const running = await RunningServer.start(server, dataset);
  const sandbox = await connectSandbox(running.url);
  const [{ id: offering_id }] = sandbox.offerings;
  const issue = () => sandbox.keys.issue({ type: "partner", offering_id });
  for (let done = 0; done < warmUp; done++) await issue();
  const times = [];
  for (let done = 0; done < howMany; done++) times.push(await milliseconds(issue));
  const together = await milliseconds(() => Promise.all(Array.from({ length: atOnce }, issue)));
  const expected = warmUp + howMany + atOnce;
  const known = (await sandbox.keys.list()).length;
  if (known < expected) throw new Error(`${expected} keys were issued, ${known} are there.`);
  const size = kept ? figure((await stat(db)).size / 1e6) : "";
  await running.stop();
  return [
    `${product.title}, ${kept ? "`--db`" : "in memory"}: a key is issued`,
    count(dataset.size),
    figure(median(times)),
    figure(quantile(times, 0.95)),
    figure(together),
    size,
  ];
}

async function theirRow(server, dataset) {
  const file = join(dataset.folder, `${server.id}.written.json`);
  await copyFile(fileOf(dataset, server), file);
  const writing = { ...server, start: (place) => server.start({ ...place, file }) };
  const title = `${server.title}: a row is posted`;
  const running = await RunningServer.start(writing, dataset);
  const times = [];
  const since = performance.now();
  try {
    while (times.length < fewer && performance.now() - since < longest) {
      times.push(await milliseconds(() => post(`${running.url}/list`, { type: "investments", number: times.length })));
    }
  } catch (error) {
    return [title, count(dataset.size), error.message, "", "", ""];
  } finally {
    await running.stop();
  }
  const size = (await stat(file)).size / 1e6;
  return [title, count(dataset.size), figure(median(times)), figure(quantile(times, 0.95)), "", figure(size)];
}

async function post(url, body) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  if (response.status !== 201) throw new Error(`answers ${response.status}`);
}

async function milliseconds(act) {
  const since = performance.now();
  await act();
  return performance.now() - since;
}
