import type { JournalEntry, RequestEntry, RequestList, WaitingRequest } from "../public/requests.ts";

type Style = (format: "dim" | "green" | "yellow" | "red", text: string) => string;

const withoutStyle: Style = (_format, text) => text;

/** Formats a request, with its diagnostics below: `GET   503       1.2 ms  /api/v1/…  key Aurora  fault-101`. */
export function requestLine(request: RequestEntry, style = withoutStyle, diagnostics = diagnosticsOf(request)): string {
  const { method, status, connection, code, path, key_id, key_label, environment, fault_id } = request;
  const source = [
    formatKey(key_id, key_label),
    environment === null || environment === "default" ? "" : `  environment ${environment}`,
    fault_id === null ? "" : `  ${fault_id}`,
  ].join("");
  const color = status === null || status >= 500 ? "red" : status < 400 ? "green" : "yellow";
  const outcome = style(color, String(status ?? connection ?? "left").padEnd(5));
  const time = `${request.duration_ms.toFixed(1).padStart(6)} ms`;
  const error = code === null ? "" : `  ${style(color, code)}`;
  const head = `${method.padEnd(4)}  ${outcome} ${time}  ${path}${error}${style("dim", source)}`;
  return [head, ...diagnostics.map((diagnostic) => style("yellow", `        ${diagnostic}`))].join("\n");
}

/** Returns the hints of a request, its `Retry-After`, and the assumptions on which a refusal depends. */
function diagnosticsOf({ hints, depends_on, retry_after_seconds: seconds }: RequestEntry, next = ""): string[] {
  const wait = seconds === null ? [] : [`Retry-After: ${seconds}${next}`];
  return [...hints, ...wait, ...(depends_on.length > 0 ? [`depends on ${depends_on.join(", ")}`] : [])];
}

/** Formats each entry of a journal, with its diagnostics below. Equal diagnostics are printed only once. */
export function entryLines(entries: readonly JournalEntry[], style: Style = withoutStyle): string[] {
  const printedDiagnostics = new Set<string>();
  return entries.map((entry, index) => {
    const next = entry.retry_after_seconds === null ? "" : nextRequest(entry, entries.slice(index + 1));
    const diagnostics = diagnosticsOf(entry, next).filter((diagnostic) => !printedDiagnostics.has(diagnostic));
    for (const diagnostic of diagnostics) printedDiagnostics.add(diagnostic);
    return requestLine(entry, style, diagnostics);
  });
}

/** Returns `; the next request came after 0.05 s`, by the time that limits count; empty if its key has no later one. */
function nextRequest({ key_id, elapsed_ms }: JournalEntry, laterEntries: readonly JournalEntry[]): string {
  const waitOf = (next: JournalEntry): number => next.elapsed_ms - next.duration_ms - elapsed_ms;
  const next = laterEntries.find((entry) => entry.key_id === key_id && waitOf(entry) >= 0);
  return next ? `; the next request came after ${Number((waitOf(next) / 1000).toFixed(3))} s` : "";
}

/** Formats a waiting request: `GET   waiting for 300 ms, fault-101  /api/v1/investments/…  key Aurora partner`. */
export function waitingLine(request: WaitingRequest, style: Style = withoutStyle): string {
  const { method, duration_ms: durationMs, path, key_id, key_label, fault_id } = request;
  const reason = fault_id === null ? "" : `, ${fault_id}`;
  const outcome = style("yellow", `waiting for ${Math.round(durationMs)} ms${reason}`);
  return `${method.padEnd(4)}  ${outcome}  ${path}${style("dim", formatKey(key_id, key_label))}`;
}

/** The maximum number of requests printed for a failed test. */
const maxRequests = 20;

/** Formats the last requests of a list, and those that wait: at most `maxRequests` of each. */
export function requestLines({ data, dropped, waiting }: RequestList): string[] {
  const last = data.slice(-maxRequests);
  const omittedCount = dropped + data.length - last.length;
  return [
    ...(omittedCount > 0 ? [`… ${omittedCount} more before these`] : []),
    ...entryLines(last.map((entry) => ({ ...entry, environment: null }))),
    ...waiting.slice(-maxRequests).map((request) => waitingLine(request)),
  ];
}

function formatKey(id: string | null, label: string | null): string {
  return id === null ? "" : `  key ${label ?? id}`;
}
