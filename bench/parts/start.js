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
        for (const server of rotated(starting, round)) {
          if (size !== "demo" && (server.atOneSize || (round > 0 && size >= many && !server.ours))) continue;
          try {
            const running = await RunningServer.start(server, dataset);
            await wait(200);
            const memory = running.residentMemory();
            await running.stop();
            figures.add({ size, server: server.id, round, ready: running.readyAfter, memory });
          } catch (error) {
            failures.add(`Did not start: ${server.title} with ${count(size)} investments: ${error.message}`);
          }
        }
      }
    }
    return [
      "Milliseconds to the first right answer:",
      tableOf("ready"),
      "Resident memory 0.2 s later, in MB:",
      tableOf("memory"),
      "The files that the data is read from, in MB:",
      await files(),
      ...beside("express"),
      ...failures,
    ].join("\n\n");

    function tableOf(member) {
      const rows = starting.map((server) => [
        server.title,
        ...sizes.map((size) => withSpread(figures.values({ size, server: server.id }, member))),
      ]);
      return table(["server", ...sizes.map(count)], rows);
    }

    async function files() {
      const rows = [];
      for (const server of starting.filter(({ atOneSize }) => !atOneSize)) {
        const datas = await Promise.all(options.sizes.map((size) => datasets.get(size)));
        const megabytes = await Promise.all(datas.map((dataset) => megabytesOf(dataset, server)));
        rows.push([server.title, ...megabytes.map(figure)]);
      }
      return table(["server", ...options.sizes.map(count)], rows);
    }

    function beside(other) {
      const [ours, its] = ["offering-sandbox", other].map((server) =>
        figures.values({ size: "demo", server }, "ready"),
      );
      if (its.length === 0) return [];
      return [`With the demo fixture it is ready ${figure(median(ours) - median(its))} ms after bare Express.`];
    }
  },
};
