import { onOrOff } from "./settings/kinds.ts";
import type { Settings } from "./settings/setting.ts";

/** The flags of every command. */
export const commonFlags = {
  help: { kind: onOrOff, short: "h", describe: "show this help" },
  version: { kind: onOrOff, short: "v", describe: "show the version" },
} as const satisfies Settings;
