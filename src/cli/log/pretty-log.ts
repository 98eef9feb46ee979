import type { Writable } from "node:stream";
import { requestLine } from "../../request-line.ts";
import { lineWriter } from "./line-writer.ts";
import type { Log } from "./log.ts";
import { readyBlock } from "./ready-block.ts";
import { style } from "./style.ts";

/** Lines for people: what happens on `stream`, what is wrong on stderr. */
export function prettyLog(stream: Writable): Log {
  const out = lineWriter(stream);
  const err = lineWriter(process.stderr);
  return {
    ready: (started) => {
      if (!started.settings.quiet) out(readyBlock(started));
      out(`offering-sandbox ready on ${started.sandbox.url}`);
    },
    request: (entry) => out(requestLine(entry, style)),
    error: (message) => err(`${style("red", "error")}  ${message}`),
    warning: (message) => err(`${style("yellow", "warning")}  ${message}`),
    done: (what, message) => out(`${style("cyan", what)}  ${message}`),
    debug: (message) => out(style("dim", `debug  ${message}`)),
  };
}
