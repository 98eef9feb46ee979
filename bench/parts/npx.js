// What somebody waits for who types npx for the first time: from an empty cache to the first right answer.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileOf } from "../data/datasets.js";
import { RunningServer } from "../measure/running-server.js";
import { rotated } from "../rounds.js";
import { npmEnvironment } from "../servers/npm-environment.js";
import { pack } from "../servers/pack.js";
import { table, withSpread } from "../table.js";
import { Figures } from "./figures.js";

const json = "json-server-0.17";

export const npx = {
  id: "npx",
  title: "npx from an empty cache",
  async run({ options, servers, datasets, say }) {
    const folder = await mkdtemp(join(tmpdir(), "offering-sandbox-bench-"));
    const dataset = await datasets.get("demo");
    const compared = servers.filter(({ id }) => id === "offering-sandbox" || id === json);
    const figures = new Figures();
    try {
      const tarball = await pack(folder);
      for (let round = 0; round < options.rounds; round++) {
        for (const server of rotated(compared, round)) {
          say(`npx, round ${round + 1}: ${server.id}`);
          const running = await RunningServer.start(await throughNpx(server, { folder, tarball }), dataset);
          figures.add({ server: server.id, seconds: running.readyAfter / 1000 });
          await running.stop();
        }
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    const rows = compared.map(({ id, title }) => [title, withSpread(figures.values({ server: id }, "seconds"))]);
    return [
      table(["", "seconds to the first right answer"], rows),
      "The product comes from a tarball on the disk, its dependencies, and all of json-server, from the registry.",
    ].join("\n\n");
  },
};

/** A server as npx starts it that has never run here. */
async function throughNpx(server, { folder, tarball }) {
  const cwd = await mkdtemp(join(folder, "project-"));
  const cache = join(cwd, "cache");
  await mkdir(cache);
  const line = ({ dataset, port }) =>
    server.id === json
      ? ["json-server@0.17.4", "--port", port, "--quiet", fileOf(dataset, server)]
      : ["--package", tarball, "--", "offering-sandbox", "--port", port, "--quiet"];
  return {
    ...server,
    command: "npx",
    start: (place) => ({
      args: ["--yes", ...line(place)],
      env: npmEnvironment({ npm_config_cache: cache }),
      cwd,
      group: true,
    }),
  };
}
