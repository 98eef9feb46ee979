import type { RequestFilter } from "../control.ts";
import { instant, text, wholeNumber } from "./kinds.ts";
import type { SettingsFor } from "./settings.ts";

/** Which requests of a journal are listed: flags of `requests`, members of a filter, and parameters of the admin API. */
export const requestFilter = {
  path: {
    kind: text("pattern", "a path such as /api/v1/**"),
    words: "only this path; * is one segment, ** any number",
  },
  status: { kind: wholeNumber(0, 599), words: "only this status; 0 is no answer" },
  key_id: {
    kind: text("key", "the id, alias or label of a key"),
    flag: "key-id",
    words: "only this key: its id, alias or label",
  },
  since: { kind: instant, words: "only since this instant of the sandbox's clock" },
  limit: { kind: wholeNumber(0), words: "only the last n" },
} as const satisfies SettingsFor<RequestFilter>;
