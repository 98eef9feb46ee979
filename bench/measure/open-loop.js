// Requests at fixed instants, whether the ones before are answered or not. A latency counts from the instant at which its
// request was due, also when it had to wait for a connection, so a server that stalls cannot hide it.
import { setImmediate as turn } from "node:timers/promises";
import { quantile } from "../statistics.js";
import { Connection, messageOf } from "./connection.js";

/** What is due in the first second warms up, and is not counted. */
const warmUp = 1000;

export async function openLoop({ url, requests, seconds, rate, connections }) {
  const messages = requests.map((request) => messageOf(url, request));
  const all = await Connection.openMany(url, connections);
  const run = new Run({ messages, idle: [...all], rate, total: Math.round((seconds + warmUp / 1000) * rate) });
  await run.end(2 * (seconds * 1000 + warmUp));
  for (const connection of all) connection.close();
  const at = (share) => quantile(run.latencies, share);
  return {
    answers: run.answers,
    unanswered: run.total - run.answered,
    seconds,
    latencies: { p50: at(0.5), p99: at(0.99), p999: at(0.999) },
  };
}

class Run {
  answers = {};
  answered = 0;
  latencies = [];
  #asked = 0;
  #begin = performance.now();

  constructor({ messages, idle, rate, total }) {
    this.messages = messages;
    this.idle = idle;
    this.total = total;
    this.interval = 1000 / rate;
  }

  /** Comes when everything is answered, or the time is over. */
  async end(timeout) {
    while (this.answered < this.total && performance.now() - this.#begin < timeout) {
      this.#askWhatIsDue();
      await turn();
    }
  }

  #askWhatIsDue() {
    const now = performance.now() - this.#begin;
    while (this.idle.length > 0 && this.#asked < this.total) {
      const due = this.#asked * this.interval;
      if (due > now) return;
      const text = this.messages[this.#asked++ % this.messages.length];
      const connection = this.idle.pop();
      connection.ask(text, (status) => this.#count(status, due, connection));
    }
  }

  #count(status, due, connection) {
    this.answered += 1;
    this.answers[status] = (this.answers[status] ?? 0) + 1;
    if (due > warmUp) this.latencies.push(performance.now() - this.#begin - due);
    this.idle.push(connection);
  }
}
