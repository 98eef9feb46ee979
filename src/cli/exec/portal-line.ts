import type { LocalSandbox } from "../../control.ts";
import { portalLink } from "../../model/origin.ts";
import type { StartSettings } from "../../settings/start-settings.ts";
import { programName } from "../command.ts";
import type { Log } from "../output/log.ts";
import { printError } from "../output/terminal.ts";

/** Whether a person may want the portal of `exec`: at a terminal, outside CI. */
export function isPortalShown({ admin, logLevel, logFormat }: StartSettings): boolean {
  const { CI = "" } = process.env;
  return process.stderr.isTTY && CI === "" && admin && logLevel !== "error" && logFormat !== "json";
}

export function showPortal({ url, adminToken }: LocalSandbox): void {
  printError(`${programName}: portal ${portalLink(url, adminToken)}`);
}

/** Acts once, at the first request of the service: its client runs by then, and has cleared the screen if it ever does. */
export function atFirstRequest(act: () => void, log: Log["request"]): Log["request"] {
  let hasCome = false;
  return (entry) => {
    if (!hasCome && entry.environment !== null) {
      hasCome = true;
      act();
    }
    log?.(entry);
  };
}
