// Time from sending a command over HTTP to its acknowledgement, after it is stored; one command at a time.
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { fileOf } from "../data/datasets.js";
import { RunningServer } from "../measure/running-server.js";
import { product } from "../servers/product.js";
import { median, milliseconds } from "../statistics.js";
import { count, figure, table } from "../table.js";

/** json-server writes its whole file for each command, so it is stopped after this many milliseconds. */
const timeout = 20_000;
const maxCommands = 400;

export const commands = {
  id: "commands",
  title: "Stored commands",
  async run({ options, servers, datasets, say }) {
    const rows = [];
    for (const size of ["demo", ...options.sizes.filter((number) => number >= 10_000)]) {
      const dataset = await datasets.get(size);
      const jsonServers = servers.filter(({ id }) => id === "json-server");
      for (const command of [issueOfKey(dataset), ...jsonServers.map((server) => postOfRow(server, dataset))]) {
        say(`commands over ${size} investments: ${command.server.id}`);
        rows.push([command.title, count(size), await measureCommand(command, dataset)]);
      }
    }
    return table(["", "investments", "median ms"], rows);
  },
};

function issueOfKey({ folder, samples }) {
  const start = (launch) => ({ args: [...product.start(launch).args, "--db", join(folder, "environments.db")] });
  return {
    server: { ...product, start },
    title: `${product.title}, \`--db\`: a key is issued`,
    path: "/__admin/keys",
    body: { type: "partner", offering_id: samples.offering },
  };
}

function postOfRow(server, dataset) {
  const file = join(dataset.folder, `${server.id}.written.json`);
  return {
    server: { ...server, start: (launch) => server.start({ ...launch, file }) },
    title: `${server.title}: a row is posted`,
    path: "/list",
    body: { type: "investments" },
    prepare: () => copyFile(fileOf(dataset, server), file),
  };
}

/** The median, or the status of a refused command. */
async function measureCommand({ server, path, body, prepare }, dataset) {
  await prepare?.();
  const running = await RunningServer.start(server, dataset);
  const message = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const since = performance.now();
  const durations = [];
  try {
    while (durations.length < maxCommands && performance.now() - since < timeout) {
      let status;
      durations.push(
        await milliseconds(async () => {
          const response = await fetch(running.url + path, message);
          await response.arrayBuffer();
          ({ status } = response);
        }),
      );
      if (status !== 201) return `responds with ${status}`;
    }
  } finally {
    await running.stop();
  }
  return figure(median(durations));
}
