import { Agent } from "node:http";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { Sandbox } from "../../src/public/control.ts";
import { stopMachineTime } from "../support/machine-time.ts";
import { caseCount } from "../support/case-count.ts";
import { ask, list, offering, open, toldIn } from "./client.ts";

/** Small, so that clients meet it all the time. */
const rateLimit = 3;

/** The time of the limit in seconds, which passes only by commands, and waits that end by it. */
class Limit {
  now = 0;
  readonly #sandbox: Sandbox;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  async pass(seconds: number): Promise<void> {
    await this.#sandbox.clock.advance(`${seconds}s`);
    this.now += seconds;
  }
}

/** A client that knows when it may ask again. */
class Client {
  /** How many requests it sent too early. */
  early = 0;
  #until = 0;
  readonly #sandbox: Sandbox;
  readonly #limit: Limit;
  readonly #agents = [0, 1].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));

  constructor(sandbox: Sandbox, limit: Limit) {
    this.#sandbox = sandbox;
    this.#limit = limit;
    onTestFinished(() => this.close());
  }

  get waits(): boolean {
    return this.#limit.now < this.#until;
  }

  /** Sends a request on one of its connections, or on a new one. */
  async ask(path: string, connection: number | "new"): Promise<void> {
    const agent = connection === "new" ? undefined : this.#agents[connection];
    const isEarly = this.waits;
    const { status, headers } = await ask(this.#sandbox, path, { agent });
    if (isEarly) this.early += 1;
    if (status === 429) this.#until = Math.max(this.#until, this.#limit.now + Number(headers["retry-after"]));
  }

  close(): void {
    for (const agent of this.#agents) agent.destroy();
  }
}

const path = fc.constantFrom(list, offering);
const kept = fc.constantFrom(0, 1);
const seconds = fc.constantFrom(1, 20, 61);

test("of one client, every request that comes too early is a risk, and none is undecided", async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(path, fc.oneof(kept, fc.constant("new" as const))) },
    { weight: 1, arbitrary: seconds },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      await using sandbox = await open("in process", { rateLimit });
      stopMachineTime(0.001);
      const limit = new Limit(sandbox);
      const client = new Client(sandbox, limit);
      for (const action of steps) await (typeof action === "number" ? limit.pass(action) : client.ask(...action));
      client.close();
      const { risks, undecided } = await sandbox.coverage();
      const counts = risks.map(({ id, count }) => [id, count]);
      expect([counts, undecided]).toEqual([client.early > 0 ? [["too-early", client.early]] : [], 0]);
    }),
    { numRuns: caseCount(20) },
  );
});

test("clients with one key that have covered, or a client that asks in parallel, are never a risk if each waits", async () => {
  /** Those that ask at once, each with one request or two, unless they wait; or seconds that pass. */
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.array(fc.record({ client: fc.nat(2), path, both: fc.boolean(), kept }), {
        minLength: 1,
        maxLength: 3,
      }),
    },
    { weight: 1, arbitrary: seconds },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 14 }), async (count, steps) => {
      await using sandbox = await open("in process", { rateLimit });
      stopMachineTime(0.001);
      const limit = new Limit(sandbox);
      const clients = Array.from({ length: count }, () => new Client(sandbox, limit));
      const meet = clients.flatMap((client) => (count === 1 ? [0, 1] : [0]).map((at) => client.ask(list, at)));
      await Promise.all(meet);
      for (const action of steps) {
        if (typeof action === "number") await limit.pass(action);
        else
          await Promise.all(
            [...new Map(action.map((request) => [request.client % count, request]))].flatMap(([at, request]) => {
              const client = clients[at];
              if (!client || client.waits) return [];
              return (request.both ? [0, 1] : [request.kept]).map((connection) => client.ask(request.path, connection));
            }),
          );
      }
      for (const client of clients) client.close();
      expect(toldIn(await sandbox.coverage())).not.toMatch("too-early");
    }),
    { numRuns: caseCount(20) },
  );
});
