import fc from "fast-check";
import { expect } from "vitest";
import type { Environment } from "../../../src/index.ts";
import { known } from "../../support/sandbox.ts";
import { call, on, type SandboxProcess } from "./processes.ts";

const hour = 3_600_000;
const beginning = Date.parse("2026-01-15T12:00:00.000Z");

/** The status of a request that a fault meets; the database gives 503. */
const faulty = 502;

const drawnAct = fc.record({
  kind: fc.constantFrom("read", "read", "read", "advance", "issue", "revoke", "fail", "look", "clear", "reset"),
  process: fc.nat(2),
  pick: fc.nat(1000),
} as const);

/** The acts whose effect the database has before they are answered. */
const commands: ReadonlySet<string> = new Set(["advance", "issue", "revoke", "reset"]);

type Act = typeof drawnAct extends fc.Arbitrary<infer Value> ? Value : never;

interface ModelKey {
  readonly id: string;
  readonly key: string;
  revoked: boolean;
}

/** An environment, and what each process has to show of it. */
export class Model {
  readonly #processes: readonly SandboxProcess[];
  /** What is drawn for this environment: other acts than for others, the same in every run. */
  readonly #acts: readonly Act[];
  readonly #at: readonly Environment[];
  /** The keys of the fixture, which nothing here uses. */
  readonly #others: ReadonlySet<string>;
  #keys: ModelKey[];
  #now = beginning;
  #requests = 0;
  /** How often requests still fail. */
  #failing = 0;

  private constructor(
    processes: readonly SandboxProcess[],
    at: readonly Environment[],
    [first, ...others]: readonly ModelKey[],
    seed: number,
  ) {
    this.#acts = fc.sample(drawnAct, { seed, numRuns: 2000 });
    this.#processes = processes;
    this.#at = at;
    this.#keys = first ? [first] : [];
    this.#others = new Set(others.map(({ id }) => id));
  }

  /** Opens an environment by one of the processes. */
  static async open(processes: readonly SandboxProcess[], nth: number): Promise<Model> {
    const server = processes[nth % processes.length] as SandboxProcess;
    const { id, keys } = await server.sandbox.openEnvironment({ scenarios: [], rateLimit: 0 });
    const at = await on(processes, id);
    const listed = await (at[0] as Environment).keys.list();
    const isFirst = ({ key }: { readonly key: string }): boolean => key === keys.partner;
    const sorted = listed.toSorted((left, right) => Number(isFirst(right)) - Number(isFirst(left)));
    return new Model(
      processes,
      at,
      sorted.map((key) => ({ id: key.id, key: key.key, revoked: false })),
      nth,
    );
  }

  /** Performs random acts, each by any process, and looks at all of them at the end. */
  async performAny(count: number): Promise<void> {
    for (const act of this.#acts.slice(0, count)) await this.#perform(act);
    for (let process = 0; process < this.#at.length; process++) {
      await this.#perform({ kind: "look", process, pick: 0 });
    }
  }

  /**
   * Performs the nth random command, and reads its effect by all processes, though the database may fail meanwhile:
   * what was confirmed is stored, and what is not known is in force once or not at all. Returns whether the command
   * was answered.
   */
  async performUnderFailures(nth: number): Promise<boolean> {
    const drawn = this.#acts.filter(({ kind }) => commands.has(kind));
    const act = drawn[nth % drawn.length] as Act;
    const [keysBefore, nowBefore] = [this.#keys.map((key) => ({ ...key })), this.#now];
    const hasResponse = await this.#perform(act).then(() => true, ifUnavailable);
    if (!hasResponse) {
      const { now, keys } = await this.#seen(act.process);
      expect([nowBefore, nowBefore + hour, beginning]).toContain(now);
      const mine = new Map(keysBefore.map((key) => [key.id, key]));
      const added = keys.filter(({ id }) => !mine.has(id));
      expect(added.length).toBeLessThanOrEqual(act.kind === "issue" ? 1 : 0);
      this.#now = now;
      this.#keys = keys;
    }
    const seen = await Promise.all(this.#at.map((_, process) => this.#seen(process)));
    for (const { now, keys } of seen) expect({ now, keys }).toEqual({ now: this.#now, keys: this.#keys });
    return hasResponse;
  }

  /** What a process shows, once the database responds. */
  async #seen(process: number): Promise<{ readonly now: number; readonly keys: ModelKey[] }> {
    const environment = this.#at[process] as Environment;
    for (;;) {
      try {
        const now = Date.parse((await environment.clock.get()).now);
        const own = (await environment.keys.list()).filter(({ id }) => !this.#others.has(id));
        return { now, keys: own.map(({ id, key, status }) => ({ id, key, revoked: status === "revoked" })) };
      } catch (error) {
        ifUnavailable(error);
      }
    }
  }

  async #perform({ kind, process, pick }: Act): Promise<void> {
    const [environment, server] = [this.#at[process] as Environment, this.#processes[process] as SandboxProcess];
    const key = this.#keys[pick % this.#keys.length];
    switch (kind) {
      case "read": {
        const { status } = await call(server, key?.key ?? "");
        // An unknown key leads to the default environment, whose journal has the request; a revoked one is known.
        expect(status).toBe(key?.revoked ? 401 : this.#failing > 0 ? faulty : 200);
        if (!key?.revoked) this.#failing = Math.max(0, this.#failing - 1);
        this.#requests += 1;
        return;
      }
      case "advance": {
        const { now } = await environment.clock.advance("1h");
        this.#now += hour;
        expect(Date.parse(now)).toBe(this.#now);
        return;
      }
      case "issue": {
        const issued = await environment.keys.issue({ type: "partner", offering_id: known.aurora });
        this.#keys.push({ id: issued.id, key: issued.key, revoked: false });
        return;
      }
      case "revoke":
        if (key === undefined || key.revoked) return;
        await environment.keys.revoke(key.id);
        key.revoked = true;
        return;
      case "fail":
        if (this.#failing > 0) return;
        await environment.faults.add({ respond: { status: faulty }, times: 1 + (pick % 3) });
        this.#failing = 1 + (pick % 3);
        return;
      case "clear":
        await environment.requests.clear();
        this.#requests = 0;
        return;
      case "reset":
        if (pick % 8 > 0) return;
        await environment.reset();
        this.#keys = this.#keys.slice(0, 1).map((first) => ({ ...first, revoked: false }));
        [this.#now, this.#requests, this.#failing] = [beginning, 0, 0];
        return;
      default: {
        const { now, keys } = await this.#seen(process);
        expect({ now, keys }).toEqual({ now: this.#now, keys: this.#keys });
        expect(await environment.requests.count()).toBe(this.#requests);
      }
    }
  }
}

/** The database did not respond; any other error is thrown again. */
function ifUnavailable(error: unknown): false {
  expect(error).toMatchObject({ code: "storage_unavailable" });
  return false;
}
