// How many requests a second, and how much processor time each, for every work and server.
import { referenceOf, worksAt } from "../data/work.js";
import { pins } from "../measure/cores.js";
import { RunningServer } from "../measure/running-server.js";
import { measure } from "../measure/visit.js";
import { rotated } from "../rounds.js";
import { Figures } from "./figures.js";
import { requestTables } from "./request-tables.js";

export const requests = {
  id: "requests",
  title: "Requests",
  needsLoad: true,
  async run(context) {
    const { options, servers, datasets, say } = context;
    const reference = referenceOf(options.sizes);
    const figures = new Figures();
    for (const size of options.sizes) {
      say(`writes the data of ${size} investments`);
      const dataset = await datasets.get(size);
      const asked = worksAt(size, reference);
      for (let round = 0; round < options.rounds; round++) {
        for (const server of rotated(servers, round)) {
          if (size !== reference && (server.atOneSize || (round > 0 && !server.ours))) continue;
          say(`${size} investments, round ${round + 1}: ${server.id}`);
          await visit(server, { dataset, asked, round, figures, context });
        }
      }
    }
    return requestTables(figures, { sizes: options.sizes, reference, servers });
  },
};

async function visit(server, { dataset, asked, round, figures, context }) {
  const { options, load, wrong } = context;
  const { size, samples } = dataset;
  let running;
  try {
    running = await RunningServer.start(server, dataset, { core: pins?.server });
  } catch (error) {
    figures.add({ size, server: server.id, work: "start", round, failure: error.message });
    return;
  }
  for (const work of asked.filter(({ id }) => server.works.includes(id))) {
    const measured = await measure(running, server, { work, samples, load, seconds: options.seconds });
    if (measured.wrong) wrong.push(`${server.title}, ${size} investments: ${measured.wrong}`);
    figures.add({ size, server: server.id, work: work.id, round, ...measured });
  }
  figures.add({ size, server: server.id, work: "memory", round, memory: running.residentMemory() });
  await running.stop();
}
