import { Agent, get } from "node:http";
import { isDeepStrictEqual } from "node:util";

const oneConnection = new Agent({ keepAlive: true, maxSockets: 1 });

/** How long an answer may take before a server is given up, in milliseconds. */
const patience = 10_000;

/** Asks once. Rejects when there is no answer. */
export function ask(url, { path, headers }, agent = oneConnection) {
  const since = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(url + path, { agent, headers, timeout: patience }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode, text, ms: performance.now() - since }));
      response.on("error", reject);
    });
    request.on("timeout", () => request.destroy(new Error(`no answer in ${patience / 1000} s`)));
    request.on("error", reject);
  });
}

/** What is wrong with an answer; undefined when it is the one expected. */
export function wrongness({ status, text }, { expected, path }) {
  if (status !== expected.status) return `${path}: ${status} instead of ${expected.status}`;
  const body = parsed(text);
  const right =
    expected.code === undefined ? isDeepStrictEqual(body, expected.body) : body?.errors?.[0]?.code === expected.code;
  return right ? undefined : `${path}: another body than expected: ${text.slice(0, 200)}`;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
