import type { RequestEntry, RequestList, WaitingRequest } from "../requests.ts";

type Style = (format: "dim" | "green" | "yellow" | "red", text: string) => string;

const unstyled: Style = (_format, text) => text;

/** `GET   503       1.2 ms  /api/v1/investments/…  key Aurora partner  fault-101`, with its hints below it. */
export function requestLine(request: RequestEntry, style: Style = unstyled): string {
  const { method, status, connection, code, milliseconds, path, key_id, key_label, environment, fault_id } = request;
  const from = [
    keyPart(key_id, key_label),
    environment === null || environment === "default" ? "" : `  environment ${environment}`,
    fault_id === null ? "" : `  ${fault_id}`,
  ].join("");
  const colour = status === null || status >= 500 ? "red" : status < 400 ? "green" : "yellow";
  const outcome = style(colour, String(status ?? connection ?? "left").padEnd(5));
  const time = `${milliseconds.toFixed(1).padStart(6)} ms`;
  const error = code === null ? "" : `  ${style(colour, code)}`;
  const head = `${method.padEnd(4)}  ${outcome} ${time}  ${path}${error}${style("dim", from)}`;
  return [head, ...request.hints.map((hint) => style("yellow", `        ${hint}`))].join("\n");
}

/** `GET   waiting for 300 ms, fault-101  /api/v1/investments/…  key Aurora partner`. */
export function waitingLine(request: WaitingRequest, style: Style = unstyled): string {
  const { method, milliseconds, path, key_id, key_label, fault_id } = request;
  const reason = fault_id === null ? "" : `, ${fault_id}`;
  const outcome = style("yellow", `waiting for ${Math.round(milliseconds)} ms${reason}`);
  return `${method.padEnd(4)}  ${outcome}  ${path}${style("dim", keyPart(key_id, key_label))}`;
}

/** The last requests of a list, and those that wait: at most `max` of each. */
export function requestLines({ data, dropped, waiting }: RequestList, max: number): string[] {
  const last = data.slice(-max);
  const before = dropped + data.length - last.length;
  return [
    ...(before > 0 ? [`… ${before} more before these`] : []),
    ...last.map((one) => requestLine({ ...one, environment: null })),
    ...waiting.slice(-max).map((request) => waitingLine(request)),
  ];
}

function keyPart(id: string | null, label: string | null): string {
  return id === null ? "" : `  key ${label ?? id}`;
}
