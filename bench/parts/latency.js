// Latency where there is room: at half of what a server can do at most, requests come at fixed instants.
import { referenceOf, works } from "../data/work.js";
import { pins } from "../measure/cores.js";
import { RunningServer } from "../measure/running-server.js";
import { measure } from "../measure/visit.js";
import { rotated } from "../rounds.js";
import { median } from "../statistics.js";
import { count, figure, table, withSpread } from "../table.js";
import { Figures } from "./figures.js";

const seconds = 3;
const asked = works.filter(({ id }) => id === "one" || id === "list-middle");
const measured = new Set(["offering-sandbox", "limit", "express"]);

export const latency = {
  id: "latency",
  title: "Latency at half of the maximum rate",
  needsLoad: true,
  async run(context) {
    const { options, servers, datasets, say } = context;
    const dataset = await datasets.get(referenceOf(options.sizes));
    const compared = servers.filter(({ id }) => measured.has(id));
    const figures = new Figures();
    for (let round = 0; round < options.rounds; round++) {
      for (const server of rotated(compared, round)) {
        say(`latency, round ${round + 1}: ${server.id}`);
        const running = await RunningServer.start(server, dataset, { core: pins?.server });
        for (const work of asked) {
          figures.add({ server: server.id, work: work.id, round, ...(await atHalf(running, server, work, context)) });
        }
        await running.stop();
      }
    }
    return latencyTable(figures, compared);
  },
};

/** The rate, and the latencies at it; or only the rate, where the server fell behind. */
async function atHalf(running, server, work, { options, datasets, load, wrong }) {
  const { samples } = await datasets.get(referenceOf(options.sizes));
  const most = await measure(running, server, { work, samples, load, seconds: options.seconds });
  if (most.wrong) {
    wrong.push(`${server.title}: ${most.wrong}`);
    return {};
  }
  const rate = Math.floor(most.rate / 2);
  await server.before?.(work.id, running.url, samples);
  const requests = server.requests(work.id, samples);
  const { answers, unanswered, latencies } = await load.atRate(running.url, requests, { seconds, rate });
  const statuses = Object.keys(answers).join(", ");
  if (statuses !== "200") wrong.push(`${server.title}, at half of the maximum rate: ${statuses}`);
  return unanswered > 0 ? { rate } : { rate, ...latencies };
}

function latencyTable(figures, compared) {
  const rows = asked.flatMap(({ id, title }) =>
    compared.map((server) => {
      const wanted = { work: id, server: server.id };
      const [rates, p50, p99, p999] = ["rate", "p50", "p99", "p999"].map((name) => figures.values(wanted, name));
      const ratio = figures.ratio({ work: id }, "p99", { over: server.id, to: server.limit });
      return [
        `${title}: ${server.title}`,
        rates.length === 0 ? "wrong" : count(Math.round(median(rates))),
        p50.length === 0 ? "fell behind" : withSpread(p50),
        withSpread(p99),
        withSpread(p999),
        ratio === undefined ? "" : figure(ratio),
      ];
    }),
  );
  return table(["", "requests/s", "p50 ms", "p99 ms", "p99.9 ms", "p99 × limit"], rows);
}
