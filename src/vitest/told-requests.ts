import type { Environment } from "../control.ts";
import { requestLine } from "../request-line.ts";

/** How many requests are worth reading when a test has failed. */
const most = 20;

/** The last requests that reached an environment, in words. */
export async function toldRequests({ requests, clock, baseUrl }: Environment): Promise<string> {
  const { now } = await clock.get();
  const { data, dropped } = await requests.list();
  if (data.length === 0) {
    return `No request with a key of this test's sandbox reached it. It answers at ${baseUrl}; its clock reads ${now}.`;
  }
  const shown = data.slice(-most);
  const before = dropped + data.length - shown.length;
  return [
    `Requests to this test's sandbox, whose clock reads ${now}:`,
    ...(before > 0 ? [`… ${before} more before these`] : []),
    ...shown.map((entry) => requestLine({ ...entry, environment: null })),
  ].join("\n");
}
