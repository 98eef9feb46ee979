// What is asked of the sandbox that is soaked: lists and investments without a pause, and environments that open, play a
// scenario and are dropped.
import { Agent } from "node:http";
import { ask } from "../measure/ask.js";

const readers = 4;
const missing = "00000000-0000-4000-8000-000000000000";

/** It has thousands of repetitions, which are the default environment's to play. */
const tooLong = new Set(["live-demo"]);

export class SoakLoad {
  requests = 0;
  environments = 0;
  /** @type {string[]} */
  failures = [];
  #latencies = [];
  #agent = new Agent({ keepAlive: true });
  #sandbox;
  #until;

  constructor(sandbox, until) {
    this.#sandbox = sandbox;
    this.#until = until;
  }

  /** Comes when the time is over. */
  async run() {
    const names = (await this.#sandbox.scenarios.list()).map(({ name }) => name).filter((name) => !tooLong.has(name));
    const reading = Array.from({ length: readers }, (_, reader) => this.#read(reader));
    await Promise.all([...reading, this.#open(names)]);
    this.#agent.destroy();
  }

  /** The latencies since this was last asked, in milliseconds. */
  takeLatencies() {
    return this.#latencies.splice(0);
  }

  #goesOn() {
    return Date.now() < this.#until;
  }

  async #ask(path, key, status) {
    const request = { path: `/api/v1${path}`, headers: { authorization: `Bearer ${key}` } };
    const answer = await ask(this.#sandbox.url, request, this.#agent);
    this.requests += 1;
    this.#latencies.push(answer.ms);
    if (status !== undefined && answer.status !== status) this.failures.push(`${path}: ${answer.status}`);
    return answer.status === 200 ? JSON.parse(answer.text) : undefined;
  }

  async #read(reader) {
    const { offerings, keys } = this.#sandbox;
    for (let turn = reader; this.#goesOn(); turn += readers) {
      const page = 1 + (turn % 6);
      const list = await this.#ask(`/offerings/${offerings[0].id}/investments?page=${page}`, keys.partner, 200);
      for (const { id } of list?.data.slice(0, 3) ?? []) {
        // Meanwhile everything may have been wound back, and what came after the beginning is gone.
        await this.#ask(`/investments/${id}`, keys.marketing);
        await this.#ask(`/investments/${id}/status`, keys.marketing);
        await this.#ask(`/investments/${id}/events`, keys.partner);
      }
      await this.#ask(`/investments/${missing}`, keys.partner, 404);
    }
  }

  async #open(names) {
    for (; this.#goesOn(); this.environments += 1) {
      const name = names[this.environments % names.length];
      const environment = await this.#sandbox.openEnvironment();
      const run = await environment.play(name);
      await environment.clock.advance("2d");
      const [id] = run.investment_ids;
      if (name === "closing") {
        const read = await this.#ask(`/investments/${id}/status`, environment.keys.partner, 200);
        const status = read?.data.attributes.status;
        if (status !== "CLOSED") this.failures.push(`closing: ${status}`);
      }
      await environment.close();
    }
  }
}
