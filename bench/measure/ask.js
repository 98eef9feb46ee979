import { Agent, get } from "node:http";
import { isDeepStrictEqual } from "node:util";

const oneConnection = new Agent({ keepAlive: true, maxSockets: 1 });

/** Milliseconds until a request without a response fails. */
const timeout = 10_000;

/** Sends a request; resolves to `{ status, text, ms }`. Rejects without a response. */
export function sendRequest(url, { path, headers }, agent = oneConnection) {
  const since = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(url + path, { agent, headers, timeout }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode, text, ms: performance.now() - since }));
      response.on("error", reject);
    });
    request.on("timeout", () => request.destroy(new Error(`no response in ${timeout / 1000} s`)));
    request.on("error", reject);
  });
}

/** Sends a request; resolves to the milliseconds. Rejects unless the response is 200 with the expected body. */
export async function check(url, request) {
  const { status, text, ms } = await sendRequest(url, request);
  if (status !== 200) throw new Error(`${request.path}: ${status} instead of 200`);
  if (!isDeepStrictEqual(JSON.parse(text), request.body)) {
    throw new Error(`${request.path}: another body than expected: ${text.slice(0, 200)}`);
  }
  return ms;
}
