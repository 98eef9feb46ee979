import type { RequestEntry } from "./options.ts";

export type Style = (format: "dim" | "green" | "yellow" | "red", text: string) => string;

const plain: Style = (_format, text) => text;

/** `GET   200     1.2 ms  /api/v1/investments/…  key aurora-partner`, with its hints below it. */
export function requestLine(request: RequestEntry, style: Style = plain): string {
  const { method, status, milliseconds, path, key_id, environment, hints } = request;
  const from = [
    key_id === null ? "" : `  key ${key_id}`,
    environment === null || environment === "default" ? "" : `  environment ${environment}`,
  ].join("");
  const colour = status < 400 ? "green" : status < 500 ? "yellow" : "red";
  const time = `${milliseconds.toFixed(1).padStart(7)} ms`;
  const head = `${method.padEnd(4)}  ${style(colour, String(status))}  ${time}  ${path}`;
  return [head + style("dim", from), ...hints.map((hint) => style("yellow", `        ${hint}`))].join("\n");
}
