import { expect, vi } from "vitest";
import type { Assumptions } from "../../src/assumptions/catalogue.ts";
import { connectSandbox } from "../../src/client/connect.ts";
import type * as control from "../../src/control.ts";
import { ControlError } from "../../src/errors/control-error.ts";
import { startSandbox } from "../../src/index.ts";
import { closedUnder } from "../support/closed-document.ts";
import { expectConformance } from "../support/conformance.ts";
import { known, knownFixture, send } from "../support/sandbox.ts";
import { newFile, stateOf } from "../storage/kept.ts";
import {
  currentFaults,
  type Environment,
  type Environments,
  isActive,
  isNew,
  isRefused,
  isRevoked,
  opened,
  openingOf,
  stateAt,
  type Thing,
} from "./model.ts";
import { expectDocument, foresee, isOfOffering, type PathName, paths } from "./requests.ts";
import { described } from "./runs.ts";
import { pick } from "./scenarios.ts";

/** A question to a sandbox, and its consequence in the model; `follow` throws Refused if it has to be refused. */
export interface Act {
  readonly ask: (real: control.Environment, world: World) => Promise<unknown>;
  readonly follow: (model: Environment, world: World) => void;
}

/** A request as it is drawn, by what picks its parts. */
export interface Read {
  readonly environment: number;
  readonly key: number;
  readonly name: PathName;
  readonly id: number;
}

/** A sandbox with its database, and the model that it is compared with. */
export class World {
  environments: Environments = new Map();
  /** Snapshots, with the model when they were taken. */
  readonly snapshots: { readonly document: control.Snapshot; readonly model: Environment }[] = [];
  /** Whole milliseconds, which pass on command only. */
  realTime = 0;
  readonly #file = newFile();
  readonly #failures: unknown[] = [];
  /** Ids of environments by the secrets of all keys that there ever were. */
  readonly #owners = new Map<string, string>();
  /** Answers by all that they may depend on. */
  readonly #answers = new Map<string, string>();
  /** The answers of listing commands, requests and the use of limits aside, by the revision of a pulse. */
  readonly #revisions = new Map<string, unknown>();
  /** The one that commands are asked of: in process, or over HTTP. */
  asked!: control.Sandbox;
  #sandbox!: control.LocalSandbox;
  #remote!: control.Sandbox;

  /** Takes over the time of the process, until mocks are restored. */
  static async open(): Promise<World> {
    const world = new World();
    vi.spyOn(performance, "now").mockImplementation(() => world.realTime);
    await world.#start();
    world.environments.set("default", opened("default", openingOf({})));
    await world.compare();
    return world;
  }

  /** One of the open environments. */
  environmentAt(at: number): Environment {
    return [...this.environments.values()][at % this.environments.size] as Environment;
  }

  /** Starts the sandbox again on the same file. */
  async restart(): Promise<void> {
    const before = await stateOf(this.#sandbox);
    await this.close();
    await this.#start();
    expect(await stateOf(this.#sandbox)).toEqual(before);
  }

  async close(): Promise<void> {
    await this.#sandbox.close();
    expect(this.#failures).toEqual([]);
  }

  async #start(): Promise<void> {
    const { rate_limit: rateLimit } = openingOf({});
    const onFailure = (error: unknown): unknown => this.#failures.push(error);
    this.#sandbox = await startSandbox({ fixture: knownFixture, rateLimit, db: this.#file, onFailure });
    this.#remote = await connectSandbox(this.#sandbox.url);
  }

  /** Performs a command on an environment, and compares it and each new one with the model's. */
  async perform(at: number, overHttp: boolean, act: (before: Environment) => Act): Promise<void> {
    const before = this.environments;
    const { id } = this.environmentAt(at);
    this.asked = overHttp ? this.#remote : this.#sandbox;
    const real = id === "default" ? this.asked : await this.asked.environment(id);
    this.#use(id);
    const { ask, follow } = act(this.environmentAt(at));
    this.environments = structuredClone(before);
    if (isRefused(() => follow(this.environmentAt(at), this))) {
      const digest = async (): Promise<unknown> => [await real.snapshot(), await listsOf(real)];
      const unchanged = await digest();
      await expect(ask(real, this)).rejects.toThrow(ControlError);
      expect(await digest()).toEqual(unchanged);
      this.environments = before;
    } else {
      await ask(real, this);
      for (const one of this.environments.keys())
        if (one === id || !before.has(one)) await this.#compare(one, this.#sandbox);
    }
  }

  /** Compares all environments with the model's, in process and over HTTP. */
  async compare(): Promise<void> {
    for (const sandbox of [this.#sandbox, this.#remote]) {
      expect((await sandbox.environments()).map(({ id }) => id)).toEqual([...this.environments.keys()]);
      for (const id of this.environments.keys()) await this.#compare(id, sandbox);
    }
  }

  async #compare(id: string, sandbox: control.Sandbox): Promise<void> {
    const environment = await sandbox.environment(id);
    this.#use(id);
    const lists = await listsOf(environment);
    expect(lists).toMatchObject(expectedLists(this.#learn(id, lists)));
    const { base_url: _, limits: __, requests: ___, ...rest } = lists;
    const shown = { ...rest, keys: rest.keys.map(({ effect: ____, ...key }) => key) };
    const { revision, clock } = await environment.pulse();
    expect(shown).toEqual({ ...((this.#revisions.get(revision) as object | undefined) ?? shown), clock });
    this.#revisions.set(revision, shown);
  }

  /** Reads as a client of the service. */
  async read({ environment: at, key: keyAt, name, id: nth }: Read): Promise<void> {
    const reader = this.environmentAt(at);
    const { investments, keys } = stateAt(reader);
    const secret = this.#secretAt(keyAt, reader, Object.values(keys));
    const own = Object.values(keys).find(({ key }) => key === secret)?.offering_id ?? known.aurora;
    // Mostly what the key may read.
    const readable = Object.keys(investments).filter((one) => (investments[one]?.offering_id === own) === nth < 4);
    const id = pick(isOfOffering(name) ? [nth < 4 ? own : known.empty] : readable.toReversed().slice(0, 4), nth);
    const owner = this.#owners.get(secret) ?? "";
    this.#use(owner);
    // Before a step that waits for this read adds its own.
    const { facts = [], now = "" } = this.environments.get(owner)?.content ?? {};
    const request = { secret, name, id };
    const foreseen = foresee(this.environments, owner, request);
    const path = paths[name](id);
    const answer = await send(this.#sandbox.url, `/api/v1${path}`, { key: secret }).catch(() => undefined);
    expect(answer?.status ?? 0).toBe(foreseen.status);
    if (!answer || foreseen.byFault) return;
    const { content, opening } = foreseen.environment;
    const document = closedUnder({
      assumptions: content.assumptions as unknown as Assumptions,
      rateLimit: opening.rate_limit,
    });
    const { status, headers, text: body, json } = answer;
    const keyType = status === 200 ? foreseen.key?.type : undefined;
    expectConformance({ document, method: "GET", path, status, headers, body, ...(keyType ? { keyType } : {}) });
    if (status !== 200) return;
    expectDocument(foreseen, request, json);
    for (const { id: shown, attributes } of [json.data].flat()) {
      const fact = content.facts.find((one) => one.kind === "new_investment" && one.id === shown);
      if (fact) fact.set.investment_number ??= attributes.investment_number ?? null;
    }
    const basis = JSON.stringify([owner, secret, path, content.assumptions, facts.filter(({ date }) => date <= now)]);
    expect(body).toBe(this.#answers.get(basis) ?? body);
    this.#answers.set(basis, body);
  }

  /** The secret of a key that serves; now and then that of the latest that there ever was, or one that nobody issued. */
  #secretAt(at: number, { content }: Environment, keys: readonly Thing[]): string {
    const active = keys.filter((key) => !isRevoked(key, content.now));
    const latest = at === 9 ? [...this.#owners.keys()].at(-1) : undefined;
    return (at < 8 ? active.at(-1 - (at % active.length))?.key : latest) ?? "sandbox_partner_nobody";
  }

  #use(id: string): void {
    Object.assign(this.environments.get(id) ?? {}, { idle: 0 });
  }

  /** Puts in what only the sandbox can tell: the ids and secrets of what is new. Returns the environment. */
  #learn(id: string, { keys, timeline }: Lists): Environment {
    let environment = this.environments.get(id) as Environment;
    const { opening } = environment;
    if (Object.keys(opening.state.keys).length === 0) {
      const state = { ...opening.state, keys: Object.fromEntries(keys.map((key) => [key.id, key])) };
      environment = opened(id, { ...opening, state });
      this.environments.set(id, environment);
    }
    const { content } = environment;
    let text = JSON.stringify(content);
    for (const [at, fact] of content.facts.entries()) {
      const { investment, key, fault }: Thing = timeline[at] ?? {};
      const real = investment ?? key ?? fault;
      if (!isNew(fact) || !real || fact.id === real.id) continue;
      text = text.replaceAll(`"${fact.id}"`, `"${real.id}"`);
      if (fact.kind === "new_key") text = text.replaceAll(`"${fact.set.key}"`, `"${real.key}"`);
    }
    Object.assign(content, JSON.parse(text));
    for (const { key } of Object.values(stateAt(environment, "~").keys)) this.#owners.set(key, id);
    return environment;
  }
}

type Lists = Awaited<ReturnType<typeof listsOf>>;

/** Everything that commands list of an environment. */
// oxlint-disable-next-line typescript/explicit-function-return-type
async function listsOf(real: control.Environment) {
  const [description, timeline] = [await real.describe(), await real.timeline()];
  const [faults, limits, requests] = [await real.faults.list(), await real.limits.list(), await real.requests.count()];
  return { ...description, timeline, faults, limits, requests };
}

/** As much of the lists as the model knows. */
function expectedLists(environment: Environment): object {
  const { content, opening, limits, journal } = environment;
  const { now, facts, uses } = content;
  const { keys, investments, offerings } = stateAt(environment);
  const countIn = (offering: string): number =>
    Object.values(investments).filter(({ offering_id }) => offering_id === offering).length;
  return {
    clock: { now, speed: 0 },
    rate_limit: opening.rate_limit,
    offerings: Object.entries(offerings).map(([id, { name }]) => ({ id, name, investments: countIn(id) })),
    keys: Object.values(keys).map((key) => {
      const { id, revoke_date } = key;
      return { id, revoke_date, status: isRevoked(key, now) ? "revoked" : "active" };
    }),
    runs: described(environment),
    timeline: facts.map(({ date, kind, run }) => ({ date, kind, run })),
    faults: currentFaults(environment).map((fault) => {
      const { id, until } = fault;
      return { id, until, used: uses[id] ?? 0, active: isActive(fault, environment) };
    }),
    limits: Object.keys(keys).map((key_id) => {
      const { used = 0, left } = limits[key_id] ?? {};
      return { key_id, used, limit: opening.rate_limit, resets_in_seconds: (left ?? 0) / 1000 };
    }),
    requests: journal,
  };
}
