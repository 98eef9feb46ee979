// A dataset is a number of investments, in the files the servers read. A child process makes each dataset, so that this
// process stays small during measurements.
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const parent = fileURLToPath(new URL("../.data/", import.meta.url));
const program = fileURLToPath(new URL("prepare.js", import.meta.url));

export class Datasets {
  #folder;
  #servers;
  #datasets = new Map();

  /** Makes a folder for the datasets of some servers; it is removed when this process ends. */
  static async open(servers) {
    await mkdir(parent, { recursive: true });
    return new Datasets(await mkdtemp(join(parent, "run-")), servers);
  }

  constructor(folder, servers) {
    this.#folder = folder;
    this.#servers = servers;
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  }

  /** The dataset with `size` investments, or "demo", the shipped fixture. */
  get(size) {
    if (!this.#datasets.has(size)) this.#datasets.set(size, this.#make(size));
    return this.#datasets.get(size);
  }

  async #make(size) {
    const folder = join(this.#folder, String(size));
    await mkdir(folder);
    await execute(process.execPath, [program, String(size), folder, ...this.#servers.map(({ id }) => id)]);
    const samples = JSON.parse(await readFile(join(folder, "samples.json"), "utf8"));
    return { size, folder, fixture: size === "demo" ? "demo" : join(folder, "fixture.json"), samples };
  }
}

/** A server's file of a dataset. */
export function fileOf(dataset, { file }) {
  return file === undefined ? dataset.fixture : join(dataset.folder, file);
}
