import type { RequestEntry } from "../../control.ts";
import { style } from "../log/style.ts";

/** `GET   200     1.2 ms  /api/v1/investments/…  key aurora-partner`, with its hints below it. */
export function requestLine({ method, status, milliseconds, path, key_id, environment, hints }: RequestEntry): string {
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
