import type { Writable } from "node:stream";
import { version } from "../../version.ts";
import { lineWriter } from "./line-writer.ts";
import type { Log, Started } from "./log.ts";

/** One JSON object a line. */
export function jsonLog(out: Writable): Log {
  const line = lineWriter(out);
  const tell = (event: string, more: object): void => line(JSON.stringify({ event, ...more }));
  return {
    ready: (started) => tell("ready", readyRecord(started)),
    request: (entry) => tell("request", entry),
    error: (message) => tell("error", { message }),
    warning: (message) => tell("warning", { message }),
    done: (what, message) => tell(what, { message }),
    debug: (message) => tell("debug", { message }),
  };
}

function readyRecord({ sandbox, environment }: Started): object {
  return {
    version,
    url: sandbox.url,
    base_url: sandbox.baseUrl,
    admin_url: sandbox.adminUrl,
    admin_token: sandbox.adminToken,
    environment,
  };
}
