import type { ChangeDescription, ClockMove } from "../../public/control.ts";
import { ValidationError } from "../../validation/errors.ts";
import { escapedData } from "../../text/text.ts";
import { happeningsOf } from "../../model/words.ts";
import { operationCommand } from "../operation-command.ts";
import { clockReading, firstRows, indent, stoppedRun, upcomingLines } from "../output/text.ts";

/** The number of changes in the text for people; `--json` has all that the sandbox sends. */
const maxShownChanges = 50;

/** Lists changes by instant and subject, at most `max` changes. */
function changeLines(changes: readonly ChangeDescription[], max: number, all = changes.length): string[] {
  const shown = changes.slice(0, max);
  const rows = happeningsOf(shown).map(({ date, words, subject_id }) => [date, words.join(" · "), subject_id]);
  return firstRows(rows, rows.length + all - shown.length);
}

function renderMove({ applied, applied_count, undone, undone_count, stopped, ...reading }: ClockMove): string {
  const undoneLines = changeLines(undone, maxShownChanges, undone_count);
  const lines = [
    ...changeLines(applied, maxShownChanges, applied_count),
    ...(undoneLines.length > 0 ? ["undone:", ...undoneLines] : []),
    ...stopped.map(stoppedRun),
  ];
  return [clockReading(reading), ...indent(lines)].join("\n");
}

export const clockCommands = [
  operationCommand("clock show", "getClock", {
    examples: [["clock show", "its instant and its speed, and the next change"]],
    render: async (reading, sandbox) => {
      const { next } = await sandbox.call("getPulse");
      return [clockReading(reading), ...indent(next === null ? [] : [`next change ${next}`])].join("\n");
    },
  }),
  operationCommand("clock set", "setClock", {
    operand: "[instant]",
    member: "now",
    examples: [
      ["clock set 2026-01-15T12:00:00Z", "changes after that instant are undone until it comes again"],
      ["clock set now", `to the machine's time; "fixture" is the fixture's own`],
      ["clock set previous", "undoes the last change, until it comes again"],
      ["clock set --speed 60", "one minute per second from now on"],
    ],
    request: async (sandbox, body) => {
      if (Object.keys(body).length === 0) throw new ValidationError("clock set needs an instant, --speed, or both.");
      return sandbox.call("setClock", { body });
    },
    render: renderMove,
  }),
  operationCommand("clock advance", "advanceClock", {
    operand: "[duration]",
    member: "by",
    examples: [
      ["clock advance 2d", "by two days; other durations: 90s, 1h30m, PT1H"],
      ["clock advance --to 2026-02-01T00:00:00Z", "to an instant"],
      ["clock advance --to next", "to the next change"],
    ],
    request: async (sandbox, body) => {
      if ("by" in body === "to" in body) throw new ValidationError("clock advance needs a duration or --to.");
      return sandbox.call("advanceClock", { body });
    },
    render: renderMove,
  }),
  operationCommand("clock undo", "undo", {
    examples: [["clock undo", "the last move of the clock, or the last change of an investment"]],
    render: renderMove,
  }),
  operationCommand("timeline", "getTimeline", {
    examples: [
      ["timeline --investment at-signers", "all of one investment"],
      ["timeline --to 2026-02-01 --limit 10", "the last ten up to an instant"],
    ],
    render: async (changes, sandbox, { from = "", run, ...part }) => {
      const lines = changeLines(changes, Infinity);
      // With any other filter, the list ends without the next repetitions, which the filter may not match.
      if (Object.keys(part).length === 0) {
        const runs = escapedData((await sandbox.call("listRuns")).data);
        const isMeant = (id: string, next: string | null): boolean =>
          id === (run ?? id) && (next ?? "") >= String(from);
        lines.push(...upcomingLines(runs.filter(({ id, next_repetition_date: next }) => isMeant(id, next))));
      }
      return lines.join("\n") || "No changes.";
    },
  }),
];
