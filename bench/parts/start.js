// From starting a process to its first right answer, and its memory then.
import { setTimeout as wait } from "node:timers/promises";
import { megabytesOf } from "../data/datasets.js";
import { RunningServer } from "../measure/running-server.js";
import { rotated } from "../rounds.js";
import { median } from "../statistics.js";
import { count, figure, table, withSpread } from "../table.js";
import { Figures } from "./figures.js";

/** Up to so many investments a start is short, and is repeated more often. */
const short = 1000;

/** From so many on some peers take a minute: they start once. */
const many = 100_000;

export const start = {
  id: "start",
  title: "Start",
  async run({ options, servers, datasets, say }) {
    const figures = new Figures();
    const failures = new Set();
    const starting = servers.filter(({ id }) => id !== "offering-sandbox-logging");
    const sizes = ["demo", ...options.sizes];
    for (const size of sizes) {
      const dataset = await datasets.get(size);
      const rounds = size === "demo" || size <= short ? 2 * options.rounds + 1 : options.rounds;
      for (let round = 0; round < rounds; round++) {
        say(`starts over ${size} investments, round ${round + 1}`);
        for (const server of rotated(starting, round).filter((each) => takesPart(each, size, round))) {
          try {
            figures.add({ size, server: server.id, round, ...(await startOnce(server, dataset)) });
          } catch (error) {
            failures.add(`Did not start: ${server.title} with ${count(size)} investments: ${error.message}`);
          }
        }
      }
    }
    return [
      "Milliseconds to the first right answer:",
      startTable(figures, "ready", starting, sizes),
      "Resident memory 0.2 s later, in MB:",
      startTable(figures, "memory", starting, sizes),
      "The files that the data is read from, in MB:",
      await fileTable(datasets, starting, options.sizes),
      ...besideExpress(figures),
      ...failures,
    ].join("\n\n");
  },
};

function takesPart(server, size, round) {
  return size === "demo" || (!server.atOneSize && (round === 0 || size < many || server.ours));
}

async function startOnce(server, dataset) {
  const running = await RunningServer.start(server, dataset);
  await wait(200);
  const memory = running.residentMemory();
  await running.stop();
  return { ready: running.readyAfter, memory };
}

function startTable(figures, member, servers, sizes) {
  const rows = servers.map((server) => [
    server.title,
    ...sizes.map((size) => withSpread(figures.values({ size, server: server.id }, member))),
  ]);
  return table(["server", ...sizes.map(count)], rows);
}

async function fileTable(datasets, servers, sizes) {
  const made = await Promise.all(sizes.map((size) => datasets.get(size)));
  const rows = servers
    .filter(({ atOneSize }) => !atOneSize)
    .map(async (server) => {
      const megabytes = await Promise.all(made.map((dataset) => megabytesOf(dataset, server)));
      return [server.title, ...megabytes.map(figure)];
    });
  return table(["server", ...sizes.map(count)], await Promise.all(rows));
}

function besideExpress(figures) {
  const ready = (server) => figures.values({ size: "demo", server }, "ready");
  const [ours, its] = [ready("offering-sandbox"), ready("express")];
  if (ours.length === 0 || its.length === 0) return [];
  const later = median(ours) - median(its);
  const relation = later < 0 ? "before" : "after";
  return [`With the demo fixture it is ready ${figure(Math.abs(later))} ms ${relation} bare Express.`];
}
