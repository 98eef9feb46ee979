import { runInside } from "../inside/run-inside.js";
import { median, quantile } from "../statistics.js";
import { count, figure, table } from "../table.js";

const howMany = 300;

export const environments = {
  id: "environments",
  title: "Environments",
  async run({ options, datasets, say }) {
    const rows = [];
    for (const size of ["demo", ...options.sizes]) {
      say(`opens environments over ${size} investments`);
      const { fixture, samples } = await datasets.get(size);
      const { opening, kilobytes, resetting } = await runInside("environments", [fixture, howMany]);
      const name = size === "demo" ? `demo (${count(samples.investments)})` : count(size);
      rows.push([
        name,
        figure(median(opening)),
        figure(quantile(opening, 0.95)),
        figure(kilobytes),
        figure(median(resetting)),
      ]);
    }
    return table(["investments", "ms to open", "p95", "KB each", "ms to reset"], rows);
  },
};
