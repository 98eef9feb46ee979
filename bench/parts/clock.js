import { runInside } from "../inside/run-inside.js";
import { count, table, withSpread } from "../table.js";

/** So many repetitions bring some 10,000 changes. */
const repetitions = 803;

export const clock = {
  id: "clock",
  title: "Clock",
  async run({ options }) {
    const results = await runInside("clock", [options.rounds, repetitions]);
    const column = (member) => withSpread(results.map((result) => result[member]));
    const [{ changes }] = results;
    return table(
      ["moving the clock", "ms"],
      [
        [
          `over ${count(changes)} changes that are due, their ${count(repetitions)} repetitions beginning on the way`,
          column("first"),
        ],
        ["back over them", column("back")],
        ["over them again", column("again")],
      ],
    );
  },
};
