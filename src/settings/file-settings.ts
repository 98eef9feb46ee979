import { calibration } from "./calibrated.ts";
import { type Settings, startSettings, type Values } from "./settings.ts";

/** The settings of a config file: those of `start`, and one that no flag has. */
export const fileSettings = {
  ...startSettings,
  calibrated: { kind: calibration, words: "the assumptions of this file that offering-sandbox calibrate decided" },
} as const satisfies Settings;

/** The settings of `start`, complete. */
export type StartSettings = Values<typeof fileSettings>;
