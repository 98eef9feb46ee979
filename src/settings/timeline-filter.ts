import type { OutlineFilter, TimelineFilter } from "../descriptions.ts";
import { instant, text, wholeNumber } from "./kinds.ts";
import type { SettingsFor } from "./settings.ts";

/** Which changes are listed: flags of `timeline`, members of a filter, and parameters of the admin API. */
export const timelineFilter = {
  from: { kind: instant, words: "only from this instant on" },
  to: { kind: instant, words: "only up to this instant" },
  offering_id: {
    kind: text("alias|id", "an offering's alias or id"),
    flag: "offering",
    words: "only of this offering, its investments and its keys",
  },
  investment_id: {
    kind: text("alias|id", "an investment's alias or id"),
    flag: "investment",
    words: "only of this investment and what belongs to it",
  },
  run: { kind: text("run", "the id of a run such as run-1"), words: "only of this run" },
  limit: { kind: wholeNumber(0), words: "only the first n; the last n with --to alone" },
} as const satisfies SettingsFor<TimelineFilter>;

/** The changes and the size of an outline: members of its argument, and parameters of the admin API. */
export const outlineFilter = {
  offering_id: timelineFilter.offering_id,
  investment_id: timelineFilter.investment_id,
  run: timelineFilter.run,
  buckets: { kind: wholeNumber(1, 1000), default: 200, words: "the number of buckets at most" },
} as const satisfies SettingsFor<OutlineFilter>;
