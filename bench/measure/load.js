// The load comes from a separate process on its own core.
import { fileURLToPath } from "node:url";
import { installPeer } from "../servers/npm.js";
import { cores, start, stop } from "./processes.js";

const program = fileURLToPath(new URL("load-process.js", import.meta.url));

export class Load {
  #child;
  #settle = { resolve: () => {}, reject: () => {} };

  static async start() {
    return new Load(await installPeer("autocannon", ["autocannon@9.0.0"]));
  }

  /** @param {string} packageFolder the folder of the autocannon package */
  constructor(packageFolder) {
    const stdio = ["ignore", "inherit", "inherit", "ipc"];
    this.#child = start(process.execPath, [program, packageFolder], { core: cores?.load, stdio });
    this.#child.on("message", (result) => {
      if (result.failure) this.#settle.reject(new Error(`load: ${result.failure}`));
      else this.#settle.resolve(result);
    });
    this.#child.on("exit", () => this.#settle.reject(new Error("the load process has ended")));
  }

  /**
   * Sends requests as fast as they complete: in turn for some seconds, or with `once` each request once. Resolves
   * to the number of responses and the seconds taken. Rejects on any status but 200.
   */
  async atMost(url, requests, { seconds, once = false, connections = 50 }) {
    const result = await this.#send({
      kind: "atMost",
      url,
      requests: bareRequests(requests),
      seconds,
      once,
      connections,
    });
    return { responded: countResponses(result), seconds: result.seconds };
  }

  /**
   * Sends requests at a fixed rate for some seconds, without waiting for responses. Resolves to the latencies in
   * milliseconds, or undefined if the server fell behind.
   */
  async atRate(url, requests, { seconds, rate }) {
    const result = await this.#send({
      kind: "atRate",
      url,
      requests: bareRequests(requests),
      seconds,
      rate,
      connections: 50,
    });
    countResponses({ ...result, unansweredCount: 0 });
    return result.unansweredCount === 0 ? result.latencies : undefined;
  }

  #send(settings) {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#child.send(settings);
    });
  }

  get pid() {
    return this.#child.pid;
  }

  stop() {
    return stop(this.#child);
  }
}

function bareRequests(requests) {
  return requests.map(({ path, headers }) => ({ method: "GET", path, headers }));
}

/** Returns the number of responses; throws if one is not a 200. */
function countResponses({ responses: { 200: right = 0, ...rest }, unansweredCount }) {
  if (right > 0 && unansweredCount === 0 && Object.keys(rest).length === 0) return right;
  throw new Error(`responses by status: ${JSON.stringify({ 200: right, ...rest, none: unansweredCount })}`);
}
