import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { fileOf } from "../data/datasets.js";
import { check } from "./ask.js";
import { start, stop } from "./processes.js";
import { processorTime, residentMemory } from "./usage.js";

/** Milliseconds a server may take to its first right response. */
const timeout = 120_000;

/** A server in a child process, after its first right response. */
export class RunningServer {
  /** Starts a server over a dataset. Rejects with the reason in one line. */
  static async start(server, dataset, { core } = {}) {
    const port = await freePort();
    const launch = { dataset, port, file: fileOf(dataset, server), installed: server.installed };
    const { args, cwd = dataset.folder, ...options } = server.start(launch);
    const since = performance.now();
    const stdio = ["ignore", "ignore", "pipe"];
    const child = start(server.command ?? process.execPath, args, { core, stdio, cwd, ...options });
    const running = new RunningServer(child, `http://127.0.0.1:${port}`);
    try {
      const [firstRequest] = server.requests("one", dataset.samples);
      running.readyAfter = await running.#firstRightResponse(firstRequest, since);
    } catch (error) {
      await running.stop();
      throw error;
    }
    return running;
  }

  #child;
  #stderr = "";
  #ended = false;

  constructor(child, url) {
    this.#child = child;
    this.url = url;
    child.once("exit", (code, signal) => (this.#ended = `ended with ${code ?? signal}`));
    child.once("error", (error) => (this.#ended = error.message));
    child.stderr.setEncoding("utf8").on("data", (chunk) => (this.#stderr = (this.#stderr + chunk).slice(-4000)));
  }

  /** Repeats a request until the response is right; resolves to the milliseconds until then. */
  async #firstRightResponse(first, since) {
    for (;;) {
      const error = await check(this.url, first).then(
        () => undefined,
        (reason) => reason,
      );
      const elapsed = performance.now() - since;
      if (error === undefined) return elapsed;
      if (this.#ended) throw new Error(`${this.#ended}: ${this.#stderr}`);
      if (elapsed > timeout) throw new Error(`no right response in ${timeout / 1000} s: ${error.message}`);
      await wait(Math.max(2, elapsed / 200));
    }
  }

  processorTime() {
    return processorTime(this.#child.pid);
  }

  residentMemory() {
    return residentMemory(this.#child.pid);
  }

  stop() {
    return stop(this.#child);
  }
}

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
