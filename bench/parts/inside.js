import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median } from "../statistics.js";
import { count, figure, table, withSpread } from "../table.js";

const execute = promisify(execFile);

export const environments = {
  id: "environments",
  title: "Environments",
  async run({ options, datasets, say }) {
    const rows = [];
    for (const size of ["demo", ...options.sizes]) {
      say(`opens environments over ${size} investments`);
      const { fixture, samples } = await datasets.get(size);
      const { opening, kilobytes } = await runInside("open", fixture, 300);
      const name = size === "demo" ? `demo (${count(samples.investments)})` : count(size);
      rows.push([name, figure(median(opening)), figure(kilobytes)]);
    }
    return table(["investments", "ms to open", "KB each"], rows);
  },
};

export const clock = {
  id: "clock",
  title: "Clock",
  async run({ options }) {
    const { changes, first, again } = await runInside("advance", "demo", options.rounds);
    const due = `over ${count(changes)} changes that are due`;
    const rows = [
      [`${due}, their repetitions beginning on the way`, withSpread(first)],
      [`${due}, once more after going back`, withSpread(again)],
    ];
    return table(["moving the clock", "ms"], rows);
  },
};

/** Runs a measurement in a child process with garbage collection on demand; resolves to its result. */
async function runInside(...args) {
  const program = fileURLToPath(new URL("inside-process.js", import.meta.url));
  const { stdout } = await execute(process.execPath, ["--expose-gc", program, ...args.map(String)]);
  return JSON.parse(stdout);
}
