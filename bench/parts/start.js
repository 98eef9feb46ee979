// Time from starting a process to its first right response, and its memory then.
import { setTimeout as wait } from "node:timers/promises";
import { RunningServer } from "../measure/running-server.js";
import { serversOf } from "../servers/servers.js";
import { count, table, withSpread } from "../table.js";
import { Figures } from "./figures.js";

/** Above this many investments some peers start slowly, so they start only once. */
const repeatedUpTo = 1000;

export const start = {
  id: "start",
  title: "Start",
  async run({ options, servers, datasets, say, wrong }) {
    const figures = new Figures();
    const sizes = ["demo", ...options.sizes];
    for (const size of sizes) {
      const dataset = await datasets.get(size);
      for (let round = 0; round <= 2 * options.rounds; round++) {
        say(`starts over ${size} investments, round ${round + 1}`);
        for (const server of serversOf(servers, round, size === "demo" || size <= repeatedUpTo)) {
          try {
            figures.add({ size, server: server.id, ...(await startOnce(server, dataset)) });
          } catch (error) {
            wrong.push(`${server.title} with ${size} investments: ${error.message}`);
          }
        }
      }
    }
    const startTable = (member) => {
      const cells = ({ id }) => sizes.map((size) => withSpread(figures.values({ size, server: id }, member)));
      return table(
        ["server", ...sizes.map(count)],
        servers.map((server) => [server.title, ...cells(server)]),
      );
    };
    return [
      "Milliseconds to the first right response:",
      startTable("ready"),
      "Resident memory 0.2 s later, in MB:",
      startTable("memory"),
    ].join("\n\n");
  },
};

async function startOnce(server, dataset) {
  const running = await RunningServer.start(server, dataset);
  await wait(200);
  const memory = running.residentMemory();
  await running.stop();
  return { ready: running.readyAfter, memory };
}
