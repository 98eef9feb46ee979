import { onOrOff } from "./kinds.ts";
import type { Settings } from "./settings.ts";

/** The parameters of a list of environments. */
export const environmentList = {
  summary: { kind: onOrOff, default: false, words: "without the lists of offerings, keys and runs" },
} as const satisfies Settings;

/** The parameters of a coverage report. */
export const coverageScope = {
  all: { kind: onOrOff, default: false, words: "of every environment, dropped ones too" },
} as const satisfies Settings;
