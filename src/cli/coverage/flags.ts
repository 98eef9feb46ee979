import { text, texts } from "../../settings/kinds.ts";
import type { Settings } from "../../settings/settings.ts";

/** The flags of a verdict about a report. */
export const verdictFlags = {
  require: {
    kind: texts("list", "ids, groups, a share such as 80%, no-risks, or no-risks.ID", /^[\w.%-]+$/),
    words: "behaviours that have to be met, and risks not to run; exit code 3 otherwise; repeatable",
  },
  summary: {
    kind: text("file", "a file"),
    words: "add the report to this file as Markdown, for the summary of a CI run",
  },
  notBelow: {
    kind: text("file", "a file"),
    words: "an earlier coverage.json: exit code 3 if something that it met is not met, or a risk is new",
  },
} as const satisfies Settings;
