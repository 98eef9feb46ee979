import type { Sandbox, TimelineFilter } from "../../control.ts";
import { escapedData } from "../../model/text.ts";
import { timelineFilter } from "../../settings/queries.ts";
import { connectedCommand } from "../connection.ts";
import { changeLines, comingLines } from "../output/lines.ts";

/** A part of the timeline, or the changes of one investment, end without a look ahead. */
async function linesToCome(
  { runs }: Sandbox,
  { from, to, investment_id, run, limit }: TimelineFilter,
): Promise<string[]> {
  if (to !== undefined || limit !== undefined || investment_id !== undefined) return [];
  const listed = escapedData(await runs.list());
  return comingLines(
    listed.filter(({ id, next_repetition_date: date }) => id === (run ?? id) && (date ?? "") >= (from ?? "")),
  );
}

export const timelineCommand = connectedCommand({
  name: "timeline",
  summary: "List past and future changes.",
  flags: timelineFilter,
  examples: [
    ["timeline --investment at-signers", "all of one investment"],
    ["timeline --to 2026-02-01 --limit 10", "the last ten up to an instant"],
  ],
  ask: (_, filter) => (environment) => environment.timeline(filter),
  show: async (changes, sandbox, flags) => {
    const lines = [...changeLines(changes, Infinity), ...(await linesToCome(sandbox, flags))];
    return lines.join("\n") || "No changes.";
  },
});
