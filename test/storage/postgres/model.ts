import fc from "fast-check";
import { expect } from "vitest";
import type { Environment } from "../../../src/index.ts";
import { known } from "../../support/sandbox.ts";
import { call, on, type SandboxProcess } from "./processes.ts";

const hour = 3_600_000;
const beginning = Date.parse("2026-01-15T12:00:00.000Z");

/** The status that a fault returns; the database causes 503. */
const faulty = 502;

const randomAct = fc.record({
  kind: fc.constantFrom("read", "read", "read", "advance", "issue", "revoke", "fail", "look", "clear", "reset"),
  process: fc.nat(2),
  pick: fc.nat(1000),
} as const);

/** The acts whose effect the database has before their response. */
const commands: ReadonlySet<string> = new Set(["advance", "issue", "revoke", "reset"]);

type Act = typeof randomAct extends fc.Arbitrary<infer Value> ? Value : never;

interface ModelKey {
  readonly id: string;
  readonly key: string;
  revoked: boolean;
}

/** An environment, and the state of it that every process has to show. */
export class Model {
  readonly #processes: readonly SandboxProcess[];
  /** The random acts of this environment: they differ between environments, and are the same in every run. */
  readonly #acts: readonly Act[];
  readonly #environments: readonly Environment[];
  /** The ids of those keys of the fixture that no act uses. */
  readonly #otherKeys: ReadonlySet<string>;
  #keys: ModelKey[];
  #now = beginning;
  #requests = 0;
  /** The number of requests to which the fault still applies. */
  #failing = 0;

  private constructor(
    processes: readonly SandboxProcess[],
    environments: readonly Environment[],
    [first, ...otherKeys]: readonly ModelKey[],
    seed: number,
  ) {
    this.#acts = fc.sample(randomAct, { seed, numRuns: 2000 });
    this.#processes = processes;
    this.#environments = environments;
    this.#keys = first ? [first] : [];
    this.#otherKeys = new Set(otherKeys.map(({ id }) => id));
  }

  /** Opens an environment in one of the processes. */
  static async open(processes: readonly SandboxProcess[], nth: number): Promise<Model> {
    const server = processes[nth % processes.length] as SandboxProcess;
    const { id, keys } = await server.sandbox.openEnvironment({ scenarios: [], rateLimit: 0 });
    const environments = await on(processes, id);
    const keyList = await (environments[0] as Environment).keys.list();
    const isFirst = ({ key }: { readonly key: string }): boolean => key === keys.partner;
    const sortedKeys = keyList.toSorted((left, right) => Number(isFirst(right)) - Number(isFirst(left)));
    return new Model(
      processes,
      environments,
      sortedKeys.map((key) => ({ id: key.id, key: key.key, revoked: false })),
      nth,
    );
  }

  /** Performs random acts, each in any process. At the end, compares the state in every process. */
  async performAny(count: number): Promise<void> {
    for (const act of this.#acts.slice(0, count)) await this.#perform(act);
    for (let process = 0; process < this.#environments.length; process++) {
      await this.#perform({ kind: "look", process, pick: 0 });
    }
  }

  /**
   * Performs the nth random command, and reads its effect by all processes, though the database may fail meanwhile:
   * confirmed commands are stored, and unconfirmed ones are applied once or not at all. Returns whether the command
   * has a response.
   */
  async performUnderFailures(nth: number): Promise<boolean> {
    const randomCommands = this.#acts.filter(({ kind }) => commands.has(kind));
    const act = randomCommands[nth % randomCommands.length] as Act;
    const [keysBefore, nowBefore] = [this.#keys.map((key) => ({ ...key })), this.#now];
    const hasResponse = await this.#perform(act).then(() => true, ifUnavailable);
    if (!hasResponse) {
      const { now, keys } = await this.#views(act.process);
      expect([nowBefore, nowBefore + hour, beginning]).toContain(now);
      const keyIdsBefore = new Map(keysBefore.map((key) => [key.id, key]));
      const addedKeys = keys.filter(({ id }) => !keyIdsBefore.has(id));
      expect(addedKeys.length).toBeLessThanOrEqual(act.kind === "issue" ? 1 : 0);
      this.#now = now;
      this.#keys = keys;
    }
    const views = await Promise.all(this.#environments.map((_, process) => this.#views(process)));
    for (const { now, keys } of views) expect({ now, keys }).toEqual({ now: this.#now, keys: this.#keys });
    return hasResponse;
  }

  /** Returns the state that a process shows, once the database responds. */
  async #views(process: number): Promise<{ readonly now: number; readonly keys: ModelKey[] }> {
    const environment = this.#environments[process] as Environment;
    for (;;) {
      try {
        const now = Date.parse((await environment.clock.get()).now);
        const ownKeys = (await environment.keys.list()).filter(({ id }) => !this.#otherKeys.has(id));
        return { now, keys: ownKeys.map(({ id, key, status }) => ({ id, key, revoked: status === "revoked" })) };
      } catch (error) {
        ifUnavailable(error);
      }
    }
  }

  async #perform({ kind, process, pick }: Act): Promise<void> {
    const [environment, server] = [
      this.#environments[process] as Environment,
      this.#processes[process] as SandboxProcess,
    ];
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
        const { now, keys } = await this.#views(process);
        expect({ now, keys }).toEqual({ now: this.#now, keys: this.#keys });
        expect(await environment.requests.count()).toBe(this.#requests);
      }
    }
  }
}

/** Expects that an error says that the database did not respond. */
function ifUnavailable(error: unknown): false {
  expect(error).toMatchObject({ code: "storage_unavailable" });
  return false;
}
