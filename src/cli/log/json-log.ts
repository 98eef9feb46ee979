import type { Sandbox } from "../../control.ts";
import { version } from "../../version.ts";
import { lineWriter } from "./line-writer.ts";
import type { Log } from "./log.ts";

/** One JSON object a line, on stdout. */
export function jsonLog(): Log {
  const line = lineWriter(process.stdout);
  const tell = (event: string, more: object): void => line(JSON.stringify({ event, ...more }));
  return {
    ready: (sandbox) => tell("ready", readyRecord(sandbox)),
    request: (entry) => tell("request", entry),
    error: (message) => tell("error", { message }),
    warning: (message) => tell("warning", { message }),
    reload: (message) => tell("reload", { message }),
    debug: (message) => tell("debug", { message }),
  };
}

function readyRecord(sandbox: Sandbox): object {
  return {
    version,
    url: sandbox.url,
    base_url: sandbox.baseUrl,
    admin_url: sandbox.adminUrl,
    admin_token: sandbox.adminToken,
    environment: sandbox.describe(),
  };
}
