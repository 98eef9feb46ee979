import type { ClockReading, ClockReturn } from "../../control.ts";
import { Mistake } from "../../model/mistakes.ts";
import { clockAhead, clockAnywhere, duration } from "../../settings/kinds.ts";
import { startSettings } from "../../settings/start-settings.ts";
import { readValue } from "../../settings/values.ts";
import { connectedCommand } from "../connection.ts";
import { changeLines, stoppedRun } from "../output/lines.ts";
import { clockReading, indent } from "../output/text.ts";

/** `--json` has more. */
const maxShownChanges = 50;

const { kind, words } = startSettings.speed;

export const clockCommands = [
  connectedCommand({
    name: "clock show",
    summary: "Show the time in the sandbox.",
    examples: [["clock show", "its instant and its speed, and the next change"]],
    ask: () => (environment) => environment.clock.get(),
    show: async (reading, environment) => {
      const { next } = await environment.pulse();
      return [clockReading(reading), ...indent(next === null ? [] : [`next change ${next}`])].join("\n");
    },
  }),
  connectedCommand({
    name: "clock set",
    summary: "Set the clock, backwards too, or its speed.",
    operand: "[instant]",
    flags: { speed: { kind, words } },
    examples: [
      ["clock set 2026-01-15T12:00:00Z", "changes after that instant are undone until it comes again"],
      ["clock set now", `to the machine's time; "fixture" is the fixture's own`],
      ["clock set previous", "undoes the last change, until it comes again"],
      ["clock set --speed 60", "one minute per second from now on"],
    ],
    ask: (operand, { speed }) => {
      if (operand === undefined && speed === undefined)
        throw new Mistake("clock set needs an instant, --speed, or both.");
      const now = operand === undefined ? undefined : readValue(clockAnywhere, operand, "clock set");
      return ({ clock }): Promise<ClockReading & Partial<ClockReturn>> => clock.set({ now, speed });
    },
    show: ({ undone = [], undone_count, ...reading }) => {
      const changes = changeLines(undone, maxShownChanges, undone_count);
      return [clockReading(reading), ...indent(changes.length > 0 ? ["undone:", ...changes] : [])].join("\n");
    },
  }),
  connectedCommand({
    name: "clock advance",
    summary: "Advance the clock and list the changes on the way.",
    operand: "[duration]",
    flags: { to: { kind: clockAhead, words: "the instant to advance to; next is that of the next change" } },
    examples: [
      ["clock advance 2d", "by two days; other durations: 90s, 1h30m, PT1H"],
      ["clock advance --to 2026-02-01T00:00:00Z", "to an instant"],
      ["clock advance --to next", "to the next change"],
    ],
    ask: (operand, { to }) => {
      if ((operand === undefined) === (to === undefined)) throw new Mistake("clock advance needs a duration or --to.");
      if (to !== undefined) return ({ clock }) => clock.advanceTo(to);
      const by = readValue(duration, operand ?? "", "clock advance");
      return ({ clock }) => clock.advance(by);
    },
    show: ({ applied, applied_count, stopped, ...reading }) => {
      const changes = changeLines(applied, maxShownChanges, applied_count);
      return [clockReading(reading), ...indent([...changes, ...stopped.map(stoppedRun)])].join("\n");
    },
  }),
];
