import { Agent } from "node:http";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { Sandbox } from "../../src/public/control.ts";
import { stopMachineTime } from "../support/machine-time.ts";
import { caseCount } from "../support/case-count.ts";
import { sendRequest, list, offering, open, summarize } from "./client.ts";

/** Small, so that clients exceed it all the time. */
const rateLimit = 3;

/** The time of the limit in seconds, which passes only by commands, and waits that end by it. */
class LimitTime {
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

/** A client that knows when it may send the next request. */
class Client {
  /** How many requests it sent too early. */
  earlyCount = 0;
  #until = 0;
  readonly #sandbox: Sandbox;
  readonly #limit: LimitTime;
  readonly #agents = [0, 1].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));

  constructor(sandbox: Sandbox, limit: LimitTime) {
    this.#sandbox = sandbox;
    this.#limit = limit;
    onTestFinished(() => this.close());
  }

  get isWaiting(): boolean {
    return this.#limit.now < this.#until;
  }

  /** Sends a request on one of its connections, or on a new one. */
  async send(path: string, connection: number | "new"): Promise<void> {
    const agent = connection === "new" ? undefined : this.#agents[connection];
    const isEarly = this.isWaiting;
    const { status, headers } = await sendRequest(this.#sandbox, path, { agent });
    if (isEarly) this.earlyCount += 1;
    if (status === 429) this.#until = Math.max(this.#until, this.#limit.now + Number(headers["retry-after"]));
  }

  close(): void {
    for (const agent of this.#agents) agent.destroy();
  }
}

const path = fc.constantFrom(list, offering);
const anyConnection = fc.constantFrom(0, 1);
const seconds = fc.constantFrom(1, 20, 61);

test("every early request of a single client is a risk, and none is undecided", async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(path, fc.oneof(anyConnection, fc.constant("new" as const))) },
    { weight: 1, arbitrary: seconds },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      await using sandbox = await open("in process", { rateLimit });
      stopMachineTime(0.001);
      const limit = new LimitTime(sandbox);
      const client = new Client(sandbox, limit);
      for (const action of steps) await (typeof action === "number" ? limit.pass(action) : client.send(...action));
      client.close();
      const { risks, undecided } = await sandbox.coverage();
      const counts = risks.map(({ id, count }) => [id, count]);
      expect([counts, undecided]).toEqual([client.earlyCount > 0 ? [["too-early", client.earlyCount]] : [], 0]);
    }),
    { numRuns: caseCount(20) },
  );
});

test("several clients with one key, or one client with parallel requests, are never a risk if each waits", async () => {
  /** Clients that send one request or two at the same time, unless they wait; or seconds that pass. */
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.array(fc.record({ client: fc.nat(2), path, isParallel: fc.boolean(), connection: anyConnection }), {
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
      const limit = new LimitTime(sandbox);
      const clients = Array.from({ length: count }, () => new Client(sandbox, limit));
      const firstRequests = clients.flatMap((client) =>
        (count === 1 ? [0, 1] : [0]).map((connection) => client.send(list, connection)),
      );
      await Promise.all(firstRequests);
      for (const action of steps) {
        if (typeof action === "number") await limit.pass(action);
        else
          await Promise.all(
            [...new Map(action.map((request) => [request.client % count, request]))].flatMap(
              ([clientIndex, request]) => {
                const client = clients[clientIndex];
                if (!client || client.isWaiting) return [];
                return (request.isParallel ? [0, 1] : [request.connection]).map((connection) =>
                  client.send(request.path, connection),
                );
              },
            ),
          );
      }
      for (const client of clients) client.close();
      expect(summarize(await sandbox.coverage())).not.toMatch("too-early");
    }),
    { numRuns: caseCount(20) },
  );
});
