import type { RequestEntry } from "../../control.ts";
import { lineWriter } from "./line-writer.ts";
import type { Log } from "./log.ts";
import { readyBlock } from "./ready-block.ts";
import { style } from "./style.ts";

/** Lines for people: what happens on stdout, what is wrong on stderr. */
export function prettyLog(): Log {
  const out = lineWriter(process.stdout);
  const err = lineWriter(process.stderr);
  return {
    ready: (sandbox, settings) => {
      if (!settings.quiet) out(readyBlock(sandbox, settings));
      out(`offering-sandbox ready on ${sandbox.url}`);
    },
    request: (entry) => out(requestLine(entry)),
    error: (message) => err(`${style("red", "error")}  ${message}`),
    warning: (message) => err(`${style("yellow", "warning")}  ${message}`),
    reload: (message) => out(`${style("cyan", "reload")}  ${message}`),
    debug: (message) => out(style("dim", `debug  ${message}`)),
  };
}

/** `GET   200     1.2 ms  /api/v1/investments/…  key aurora-partner`, with its hints below it. */
function requestLine({ method, status, milliseconds, path, key_id, environment, hints }: RequestEntry): string {
  const from = [
    key_id === null ? "" : `  key ${key_id}`,
    environment === null || environment === "default" ? "" : `  environment ${environment}`,
  ].join("");
  const head = `${method.padEnd(4)}  ${statusStyled(status)}  ${milliseconds.toFixed(1).padStart(7)} ms  ${path}`;
  return [head + style("dim", from), ...hints.map((hint) => style("yellow", `        ${hint}`))].join("\n");
}

function statusStyled(status: number): string {
  return style(status < 400 ? "green" : status < 500 ? "yellow" : "red", String(status));
}
