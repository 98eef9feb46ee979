// A dataset is a number of investments with all that the servers need to serve them: made by a process of its own, so that
// this one stays small while it measures, and gone when the run is over.
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const parent = fileURLToPath(new URL("../.data/", import.meta.url));
const program = fileURLToPath(new URL("prepare.js", import.meta.url));

export class Datasets {
  #folder;
  #made = new Map();

  /** Opens a folder for the datasets of some servers. It is gone when this process ends. */
  static async open(servers) {
    await mkdir(parent, { recursive: true });
    return new Datasets(await mkdtemp(join(parent, "run-")), servers);
  }

  constructor(folder, servers) {
    this.#folder = folder;
    this.servers = servers;
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  }

  /** The dataset of so many investments, or "demo", which is the one that ships. */
  get(size) {
    if (!this.#made.has(size)) this.#made.set(size, this.#make(size));
    return this.#made.get(size);
  }

  async #make(size) {
    const folder = join(this.#folder, String(size));
    await mkdir(folder);
    const writing = this.servers.filter(({ write }) => write).map(({ id }) => id);
    await execute(process.execPath, [program, String(size), folder, ...writing]);
    const samples = JSON.parse(await readFile(join(folder, "samples.json"), "utf8"));
    return { size, folder, fixture: size === "demo" ? "demo" : join(folder, "fixture.json"), samples };
  }
}

/** Where a server finds its data in a dataset. */
export function fileOf(dataset, { file }) {
  return file === undefined ? dataset.fixture : join(dataset.folder, file);
}

/** How large that file is, in MB. */
export async function megabytesOf(dataset, server) {
  return (await stat(fileOf(dataset, server))).size / 1e6;
}
