import { setTimeout as wait } from "node:timers/promises";
import { fileOf } from "../data/datasets.js";
import { ask, wrongness } from "./ask.js";
import { onCore } from "./cores.js";
import { freePort } from "./free-port.js";
import { start, stop } from "./running.js";
import { processorTime, residentMemory } from "./usage.js";

/** How long a server may take to its first right answer, in milliseconds. */
const startingTime = 120_000;

/** A server in a process of its own, which has given its first right answer. */
export class RunningServer {
  /** Starts a server over a dataset. Rejects with why it cannot be, in a line. */
  static async start(server, dataset, { core } = {}) {
    const port = await freePort();
    const place = { dataset, port, file: fileOf(dataset, server), installed: server.installed };
    const { args, stdout = "ignore", cwd = dataset.folder, ...options } = server.start(place);
    const [command, all] = onCore(core, server.command ?? process.execPath, args);
    const since = performance.now();
    const child = start(command, all, { stdio: ["ignore", stdout, "pipe"], cwd, ...options });
    const running = new RunningServer(child, `http://127.0.0.1:${port}`);
    try {
      const [first] = server.requests("one", dataset.samples);
      running.readyAfter = await running.#firstRightAnswer(first, since);
    } catch (error) {
      await running.stop();
      throw error;
    }
    return running;
  }

  #child;
  #complaint = "";
  #ended = false;

  constructor(child, url) {
    this.#child = child;
    this.url = url;
    child.once("exit", (code, signal) => (this.#ended = `ended with ${code ?? signal}`));
    child.once("error", (error) => (this.#ended = error.message));
    child.stderr.setEncoding("utf8").on("data", (part) => (this.#complaint = (this.#complaint + part).slice(-4000)));
  }

  /** Asks until the answer is right, and says after how many milliseconds it came. */
  async #firstRightAnswer(first, since) {
    for (;;) {
      const found = await ask(this.url, first).then(
        (answer) => wrongness(answer, first),
        (error) => error.message,
      );
      const passed = performance.now() - since;
      if (found === undefined) return passed;
      if (this.#ended) throw new Error(`${this.#ended}: ${firstComplaint(this.#complaint)}`);
      if (passed > startingTime) throw new Error(`no right answer in ${startingTime / 1000} s: ${found}`);
      await wait(Math.max(2, passed / 200));
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

function firstComplaint(text) {
  const lines = text.split("\n").filter((line) => /\S/.test(line));
  return lines.find((line) => line.includes("Error")) ?? lines[0] ?? "not a word";
}
