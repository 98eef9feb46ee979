import { timelineFilter } from "../../settings/timeline-filter.ts";
import { connectedCommand } from "../connection.ts";
import { changeLines } from "../output/lines.ts";

export const timelineCommand = connectedCommand({
  name: "timeline",
  summary: "List past and future changes.",
  flags: timelineFilter,
  examples: [
    ["timeline --investment at-signers", "all of one investment"],
    ["timeline --to 2026-02-01 --limit 10", "the last ten up to an instant"],
  ],
  ask: (_, filter) => (environment) => environment.timeline(filter),
  show: (changes) => changeLines(changes, Infinity).join("\n") || "No changes.",
});
