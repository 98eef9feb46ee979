// Requests per second and processor time of each, for every work and server.
import { referenceOf, works, worksAt } from "../data/work.js";
import { measure } from "../measure/measure.js";
import { cores } from "../measure/processes.js";
import { RunningServer } from "../measure/running-server.js";
import { serversOf } from "../servers/servers.js";
import { median } from "../statistics.js";
import { count, figure, table, withSpread } from "../table.js";
import { Figures } from "./figures.js";

export const requests = {
  id: "requests",
  title: "Requests",
  needsLoad: true,
  async run(context) {
    const { options, servers, datasets, say } = context;
    const { sizes, rounds } = options;
    const reference = referenceOf(sizes);
    const figures = new Figures();
    for (const size of sizes) {
      say(`writes the data of ${size} investments`);
      const dataset = await datasets.get(size);
      for (let round = 0; round < rounds; round++) {
        for (const server of serversOf(servers, round, size === reference)) {
          say(`${size} investments, round ${round + 1}: ${server.id}`);
          try {
            await measureServer(server, { dataset, reference, round, figures, context });
          } catch (error) {
            context.wrong.push(`${server.title}, ${size} investments: ${error.message}`);
          }
        }
      }
    }
    return [
      `${count(reference)} investments; medians of the rounds, and their spread:`,
      ...works.map((work) => workTable(figures, servers, reference, work)).filter(Boolean),
      ...(sizes.length > 1 ? [growthTable(figures, servers, sizes)] : []),
    ].join("\n\n");
  },
};

async function measureServer(server, { dataset, reference, round, figures, context: { options, load } }) {
  const { size, samples } = dataset;
  const running = await RunningServer.start(server, dataset, { core: cores?.server });
  try {
    for (const work of worksAt(size, reference)) {
      if (server.works?.includes(work.id) === false) continue;
      const result = await measure(running, server, { work, samples, load, seconds: options.seconds });
      figures.add({ size, server: server.id, work: work.id, round, ...result });
    }
  } finally {
    await running.stop();
  }
}

function workTable(figures, servers, size, { id, title }) {
  const rows = servers.flatMap((server) => {
    const values = (member) => figures.values({ size, work: id, server: server.id }, member);
    const ratio = (member) => figures.ratio({ size, work: id }, member, { over: server.id, to: server.limit });
    const busy = values("busy");
    if (busy.length === 0) return [];
    const rate = [withSpread(values("rate")), ratio("rate")];
    const processor = [withSpread(values("processor")), ratio("processor")];
    return [[server.title, ...rate, ...processor, `${Math.round(median(busy) * 100)} %`]];
  });
  return rows.length > 0 && table([title, "requests/s", "× limit", "CPU µs", "× limit", "core busy"], rows);
}

function growthTable(figures, servers, sizes) {
  const growing = works.filter(({ atEverySize, once }) => atEverySize || once);
  const cell = (server, work, size) => {
    const entries = { size, work, server: server.id };
    const values = figures.values(entries, "processor");
    if (values.length === 0) return "–";
    return figure(median(values)) + (figures.values(entries, "connections").includes(1) ? "¹" : "");
  };
  const rows = servers
    .filter(({ atOneSize }) => !atOneSize)
    .map((server) => [
      server.title,
      ...growing.map(({ id }) => sizes.map((size) => cell(server, id, size)).join(" → ")),
    ]);
  return [
    `CPU µs a request, at ${sizes.map(count).join(" → ")} investments:`,
    table(["server", ...growing.map(({ title }) => title)], rows),
    "¹ One connection: fifty responses at a time would take longer than the measurement.",
  ].join("\n\n");
}
