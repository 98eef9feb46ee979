import type { PulseSince } from "../descriptions.ts";
import { text, wholeNumber } from "./kinds.ts";
import type { SettingsFor } from "./settings.ts";

/** The latest news of the caller of a pulse: its argument, and parameters of the admin API. */
export const pulseSince = {
  after: { kind: wholeNumber(0), defaultInWords: "0", words: "only requests later than the one of this id" },
  revision: { kind: text("revision", "the revision of a pulse"), words: "the revision of the pulse that after is of" },
} as const satisfies SettingsFor<PulseSince>;
