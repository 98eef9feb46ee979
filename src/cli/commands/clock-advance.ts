import { Mistake } from "../../model/mistake.ts";
import { connectedCommand } from "../connection/connected-command.ts";
import { duration, instant } from "../settings/kinds.ts";
import { operandValue } from "../settings/read-values.ts";
import { changeLines } from "../show/change-lines.ts";
import { clockReading } from "../show/clock-reading.ts";

const flags = { to: { kind: instant, describe: "the instant to move on to" } } as const;

/** Nobody reads more; `--json` has all. */
const mostShown = 50;

/** Moves the clock of a running sandbox on. */
export const clockAdvance = connectedCommand({
  summary: "Move the clock on, and say what happens on the way.",
  operand: "[duration]",
  flags,
  examples: [
    ["clock advance 2d", "two days; 90s, 1h30m and PT1H are durations too"],
    ["clock advance --to 2026-02-01T00:00:00Z", "to an instant"],
  ],
  ask: ({ to }, operand) => {
    if ((operand === undefined) === (to === undefined)) throw new Mistake("clock advance needs a duration or --to.");
    if (to !== undefined) return ({ clock }) => clock.advanceTo(to);
    const by = operandValue(duration, operand ?? "", "clock advance");
    return ({ clock }) => clock.advance(by);
  },
  show: ({ applied, ...reading }) =>
    [clockReading(reading), ...changeLines(applied, mostShown).map((line) => `  ${line}`)].join("\n"),
});
