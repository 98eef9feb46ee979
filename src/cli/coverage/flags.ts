import { texts } from "../../settings/kinds.ts";
import type { Settings } from "../../settings/settings.ts";

/** The flags of a verdict about a report. */
export const verdictFlags = {
  require: {
    kind: texts("list", "ids, groups, a share such as 80%, no-risks, or no-risks.ID", /^[\w.%-]+$/),
    default: [],
    help: "behaviours that have to be met, and risks not to run; exit code 3 otherwise; repeatable",
  },
} as const satisfies Settings;
