// Measures the disk space of an install and the time of a first npx.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { RunningServer } from "../measure/running-server.js";
import { jsonServer } from "../servers/json-server.js";
import { installInto, npmEnvironment, pack } from "../servers/npm.js";
import { product } from "../servers/product.js";
import { serversOf } from "../servers/servers.js";
import { count, figure, table, withSpread } from "../table.js";
import { Figures } from "./figures.js";

const execute = promisify(execFile);

export const install = {
  id: "install",
  title: "Install",
  async run(context) {
    const folder = await mkdtemp(join(tmpdir(), "offering-sandbox-bench-"));
    try {
      const tarball = await pack(folder);
      return [
        await sizes(context, join(folder, "project"), tarball),
        await npx(context, folder, tarball),
        "The product comes from a tarball on the disk, its dependencies, and all of json-server, from the registry.",
      ].join("\n\n");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function sizes({ servers, say }, project, tarball) {
  say("installs the packed product");
  await installInto(project, [tarball]);
  const peers = servers.filter(({ packages }) => packages);
  const rows = [{ title: product.title, installed: project }, ...peers].map(async (server) => {
    const modules = join(server.installed, "node_modules");
    const { stdout } = await execute("du", ["-sk", modules]);
    const { packages } = JSON.parse(await readFile(join(modules, ".package-lock.json"), "utf8"));
    return [server.title, figure((Number.parseInt(stdout, 10) * 1024) / 1e6), count(Object.keys(packages).length)];
  });
  return table(["", "MB on disk", "packages"], await Promise.all(rows));
}

/** Seconds from npx with an empty cache to the first right response. */
async function npx({ options, servers, datasets, say }, folder, tarball) {
  const dataset = await datasets.get("demo");
  const commands = {
    "offering-sandbox": (launch) => [
      "--package",
      tarball,
      "--",
      "offering-sandbox",
      ...product.start(launch).args.slice(1),
    ],
    "json-server": ({ port, file }) => [...jsonServer.packages, "--port", port, "--quiet", file],
  };
  const figures = new Figures();
  const compared = servers.filter(({ id }) => id in commands);
  for (let round = 0; round < options.rounds; round++) {
    for (const server of serversOf(compared, round, true)) {
      say(`npx, round ${round + 1}: ${server.id}`);
      const cwd = await mkdtemp(join(folder, "project-"));
      await mkdir(join(cwd, "cache"));
      const env = npmEnvironment({ npm_config_cache: join(cwd, "cache") });
      const args = (launch) => ["--yes", ...commands[server.id](launch)];
      const start = (launch) => ({ args: args(launch), env, cwd, group: true });
      const running = await RunningServer.start({ ...server, command: "npx", start }, dataset);
      figures.add({ server: server.id, seconds: running.readyAfter / 1000 });
      await running.stop();
    }
  }
  const rows = compared.map(({ id, title }) => [title, withSpread(figures.values({ server: id }, "seconds"))]);
  return table(["", "seconds from `npx` to the first right response"], rows);
}
