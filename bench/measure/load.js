// The load comes from a process of its own, on a core of its own.
import { fileURLToPath } from "node:url";
import { onCore, pins } from "./cores.js";
import { start, stop } from "./running.js";

const program = fileURLToPath(new URL("load-process.js", import.meta.url));

/** How many connections ask at the same time. */
export const connections = 50;

export class Load {
  #child;
  #settle = { resolve: () => {}, reject: () => {} };

  /** @param {string} installed the folder that autocannon is installed in */
  constructor(installed) {
    const [command, args] = onCore(pins?.load, process.execPath, [program, installed]);
    this.#child = start(command, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#child.on("message", (result) => {
      if (result.failure) this.#settle.reject(new Error(`load: ${result.failure}`));
      else this.#settle.resolve(result);
    });
    this.#child.on("exit", () => this.#settle.reject(new Error("the load process has ended")));
  }

  /** As many requests as the server answers, for so many seconds: what it answered, by status, and how long it took. */
  atMost(url, requests, { seconds }) {
    return this.#fire({ kind: "at-most", url, requests: bare(requests), seconds, connections });
  }

  /** So many requests a second, whether answered or not: what was answered, and the latencies, in milliseconds. */
  atRate(url, requests, { seconds, rate }) {
    return this.#fire({ kind: "at-rate", url, requests: bare(requests), seconds, rate, connections });
  }

  /** Each request once, as fast as they are answered: what was answered. */
  eachOnce(url, requests) {
    return this.#fire({ kind: "each-once", url, requests: bare(requests), connections });
  }

  #fire(order) {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#child.send(order);
    });
  }

  get pid() {
    return this.#child.pid;
  }

  stop() {
    return stop(this.#child);
  }
}

function bare(requests) {
  return requests.map(({ path, headers }) => ({ method: "GET", path, headers }));
}
