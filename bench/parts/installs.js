// What an install puts on the disk.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { npmEnvironment } from "../servers/npm-environment.js";
import { pack } from "../servers/pack.js";
import { product } from "../servers/product.js";
import { count, figure, table } from "../table.js";

const execute = promisify(execFile);

export const installs = {
  id: "install",
  title: "Installed size",
  async run({ servers, say }) {
    const folder = await mkdtemp(join(tmpdir(), "offering-sandbox-bench-"));
    try {
      say("installs the packed product");
      const project = join(folder, "project");
      await mkdir(project);
      await writeFile(join(project, "package.json"), '{ "private": true }\n');
      const install = ["install", "--no-audit", "--no-fund", await pack(folder)];
      await execute("npm", install, { cwd: project, env: npmEnvironment() });
      const rows = [[product.title, ...(await sizeOf(project))]];
      for (const { title, installed } of servers.filter((server) => server.packages)) {
        rows.push([title, ...(await sizeOf(installed))]);
      }
      return table(["", "MB on disk", "packages"], rows);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function sizeOf(project) {
  const modules = join(project, "node_modules");
  const { stdout } = await execute("du", ["-sk", modules]);
  const { packages } = JSON.parse(await readFile(join(modules, ".package-lock.json"), "utf8"));
  return [figure((Number.parseInt(stdout, 10) * 1024) / 1e6), count(Object.keys(packages).length)];
}
