import type { ChangeDescription, ClockMove } from "../../public/control.ts";
import { ValidationError } from "../../validation/errors.ts";
import { escapedData } from "../../text/text.ts";
import { groupChanges } from "../../model/summaries.ts";
import { operationCommand } from "../operation-command.ts";
import { formatClock, formatFirstRows, indent, formatStoppedRun, formatUpcoming } from "../output/text.ts";

/** The maximum number of changes in the output; `--json` prints all changes that the sandbox sends. */
const maxShownChanges = 50;

/** Formats at most `maxChanges` changes, grouped by instant and subject. */
function formatChanges(changes: readonly ChangeDescription[], maxChanges: number, total = changes.length): string[] {
  const shownChanges = changes.slice(0, maxChanges);
  const rows = groupChanges(shownChanges).map(({ date, summaries, subject_id }) => [
    date,
    summaries.join(" · "),
    subject_id,
  ]);
  return formatFirstRows(rows, rows.length + total - shownChanges.length);
}

function renderMove({ applied, applied_count, undone, undone_count, stopped, ...reading }: ClockMove): string {
  const undoneLines = formatChanges(undone, maxShownChanges, undone_count);
  const lines = [
    ...formatChanges(applied, maxShownChanges, applied_count),
    ...(undoneLines.length > 0 ? ["undone:", ...undoneLines] : []),
    ...stopped.map(formatStoppedRun),
  ];
  return [formatClock(reading), ...indent(lines)].join("\n");
}

export const clockCommands = [
  operationCommand("clock show", "getClock", {
    examples: [["clock show", "its instant and its speed, and the next change"]],
    render: async (reading, sandbox) => {
      const { next } = await sandbox.call("getPulse");
      return [formatClock(reading), ...indent(next === null ? [] : [`next change ${next}`])].join("\n");
    },
  }),
  operationCommand("clock set", "setClock", {
    operand: "[instant]",
    member: "now",
    examples: [
      ["clock set 2026-01-15T12:00:00Z", "undoes the changes after that instant until the clock reaches them again"],
      ["clock set now", `to the machine's time; "fixture" is the fixture's own`],
      ["clock set previous", "undoes the last change until the clock reaches it again"],
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
      ["timeline --investment at-signers", "all changes of one investment"],
      ["timeline --to 2026-02-01 --limit 10", "the last ten changes up to an instant"],
    ],
    render: async (changes, sandbox, { from = "", run, ...part }) => {
      const lines = formatChanges(changes, Infinity);
      // With any other filter, the next repetitions are not listed, because the filter may not match them.
      if (Object.keys(part).length === 0) {
        const runs = escapedData((await sandbox.call("listRuns")).data);
        const isIncluded = (id: string, next: string | null): boolean =>
          id === (run ?? id) && (next ?? "") >= String(from);
        lines.push(...formatUpcoming(runs.filter(({ id, next_repetition_date: next }) => isIncluded(id, next))));
      }
      return lines.join("\n") || "No changes.";
    },
  }),
];
