// Latency at half of the maximum rate, with requests at fixed instants.
import { referenceOf, works } from "../data/work.js";
import { measure } from "../measure/measure.js";
import { cores } from "../measure/processes.js";
import { RunningServer } from "../measure/running-server.js";
import { serversOf } from "../servers/servers.js";
import { median } from "../statistics.js";
import { count, table, withSpread } from "../table.js";
import { Figures } from "./figures.js";

const seconds = 3;
const measuredWorks = works.filter(({ id }) => id === "one" || id === "list-middle");
const measuredServers = /^(offering-sandbox|limit)(-node|$)/;

export const latency = {
  id: "latency",
  title: "Latency at half of the maximum rate",
  needsLoad: true,
  async run(context) {
    const { options, datasets, say } = context;
    const dataset = await datasets.get(referenceOf(options.sizes));
    const servers = context.servers.filter(({ id }) => measuredServers.test(id));
    const figures = new Figures();
    for (let round = 0; round < options.rounds; round++) {
      for (const server of serversOf(servers, round, true)) {
        say(`latency, round ${round + 1}: ${server.id}`);
        const running = await RunningServer.start(server, dataset, { core: cores?.server });
        for (const work of measuredWorks) {
          const latencies = await measureAtHalf(running, server, work, dataset, context);
          figures.add({ server: server.id, work: work.id, round, ...latencies });
        }
        await running.stop();
      }
    }
    return latencyTable(figures, servers);
  },
};

/** The rate and the latencies at it; without latencies if the server fell behind. */
async function measureAtHalf(running, server, work, { samples }, { options, load }) {
  const maximum = await measure(running, server, { work, samples, load, seconds: options.seconds });
  const rate = Math.floor(maximum.rate / 2);
  await server.before?.(running.url);
  return { rate, ...(await load.atRate(running.url, server.requests(work.id, samples), { seconds, rate })) };
}

function latencyTable(figures, servers) {
  const rows = measuredWorks.flatMap(({ id, title }) =>
    servers.map((server) => {
      const values = (member) => figures.values({ work: id, server: server.id }, member);
      return [
        `${title}: ${server.title}`,
        count(Math.round(median(values("rate")))),
        withSpread(values("p50")) || "fell behind",
        withSpread(values("p99")),
        withSpread(values("p999")),
        figures.ratio({ work: id }, "p99", { over: server.id, to: server.limit }),
      ];
    }),
  );
  return table(["", "requests/s", "p50 ms", "p99 ms", "p99.9 ms", "p99 × limit"], rows);
}
