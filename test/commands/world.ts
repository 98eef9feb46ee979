import { expect, vi } from "vitest";
import type { Assumptions } from "../../src/assumptions/catalog.ts";
import { connectSandbox } from "../../src/client/connect.ts";
import type * as control from "../../src/public/control.ts";
import { ControlError } from "../../src/errors/control-error.ts";
import { startSandbox } from "../../src/index.ts";
import { closedUnder } from "../support/closed-document.ts";
import { expectConformance } from "../support/conformance.ts";
import { known, knownFixture, send } from "../support/sandbox.ts";
import { newFile, stateOf } from "../storage/databases.ts";
import {
  currentFaults,
  type Environment,
  type Environments,
  isActive,
  isNew,
  isRefused,
  isRevoked,
  newEnvironment,
  openingOf,
  stateAt,
  type Thing,
} from "./model.ts";
import { expectDocument, predict, isOfOffering, type PathName, paths } from "./requests.ts";
import { runDescriptions } from "./runs.ts";
import { pickId } from "./scenarios.ts";

/**
 * A command to the sandbox, and its effect on the model; `applyToModel` throws `Refused` if the sandbox has to refuse.
 */
export interface ModeledCommand {
  readonly run: (environment: control.Environment, world: World) => Promise<unknown>;
  readonly applyToModel: (model: Environment, world: World) => void;
}

/** A sampled request: indexes of its environment, key and subject. */
export interface Read {
  readonly environment: number;
  readonly key: number;
  readonly name: PathName;
  readonly id: number;
}

/** A sandbox with a database, and the model of it. */
export class World {
  environments: Environments = new Map();
  /** Snapshots, each with a copy of the model at the time. */
  readonly snapshots: { readonly document: control.Snapshot; readonly model: Environment }[] = [];
  /** Whole milliseconds; only commands let it pass. */
  realTime = 0;
  readonly #file = newFile();
  readonly #failures: unknown[] = [];
  /** Ids of environments by secret, for all keys ever issued. */
  readonly #owners = new Map<string, string>();
  /** Bodies of responses, by everything they may depend on. */
  readonly #responses = new Map<string, string>();
  /** Lists of the commands, without requests and uses of limits, by the revision of a pulse. */
  readonly #revisions = new Map<string, unknown>();
  /** The receiver of commands: the sandbox in process, or a connection over HTTP. */
  client!: control.Sandbox;
  #sandbox!: control.LocalSandbox;
  #remote!: control.Sandbox;

  /** Opens a world. It mocks `performance.now` until mocks are restored. */
  static async open(): Promise<World> {
    const world = new World();
    vi.spyOn(performance, "now").mockImplementation(() => world.realTime);
    await world.#start();
    world.environments.set("default", newEnvironment("default", openingOf({})));
    await world.compare();
    return world;
  }

  environmentAt(index: number): Environment {
    return [...this.environments.values()][index % this.environments.size] as Environment;
  }

  /** Restarts the sandbox on the same file. */
  async restart(): Promise<void> {
    const stateBefore = await stateOf(this.#sandbox);
    await this.close();
    await this.#start();
    expect(await stateOf(this.#sandbox)).toEqual(stateBefore);
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

  /** Performs a command on an environment, then compares this environment and each new one with the model. */
  async perform(index: number, overHttp: boolean, makeCommand: (model: Environment) => ModeledCommand): Promise<void> {
    const environmentsBefore = this.environments;
    const { id } = this.environmentAt(index);
    this.client = overHttp ? this.#remote : this.#sandbox;
    const environment = id === "default" ? this.client : await this.client.environment(id);
    this.#use(id);
    const { run, applyToModel } = makeCommand(this.environmentAt(index));
    this.environments = structuredClone(environmentsBefore);
    if (isRefused(() => applyToModel(this.environmentAt(index), this))) {
      const digest = async (): Promise<unknown> => [await environment.snapshot(), await listsOf(environment)];
      const digestBefore = await digest();
      await expect(run(environment, this)).rejects.toThrow(ControlError);
      expect(await digest()).toEqual(digestBefore);
      this.environments = environmentsBefore;
    } else {
      await run(environment, this);
      for (const key of this.environments.keys())
        if (key === id || !environmentsBefore.has(key)) await this.#compare(key, this.#sandbox);
    }
  }

  /** Compares all environments with the model, in process and over HTTP. */
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
    const comparable = { ...rest, keys: rest.keys.map(({ effect: ____, ...key }) => key) };
    const { revision, clock } = await environment.pulse();
    expect(comparable).toEqual({ ...((this.#revisions.get(revision) as object | undefined) ?? comparable), clock });
    this.#revisions.set(revision, comparable);
  }

  /** Reads as a client of the service, and compares the response with the model's prediction. */
  async read({ environment: environmentIndex, key: keyIndex, name, id: subjectIndex }: Read): Promise<void> {
    const reader = this.environmentAt(environmentIndex);
    const { investments, keys } = stateAt(reader);
    const secret = this.#secretAt(keyIndex, reader, Object.values(keys));
    const offering = Object.values(keys).find(({ key }) => key === secret)?.offering_id ?? known.aurora;
    // Most of the sampled investments belong to the key's own offering.
    const readable = Object.keys(investments).filter(
      (key) => (investments[key]?.offering_id === offering) === subjectIndex < 4,
    );
    const id = pickId(
      isOfOffering(name) ? [subjectIndex < 4 ? offering : known.empty] : readable.toReversed().slice(0, 4),
      subjectIndex,
    );
    const owner = this.#owners.get(secret) ?? "";
    this.#use(owner);
    // Taken before the request, as a waiting step may add facts on this read.
    const { facts = [], now = "" } = this.environments.get(owner)?.content ?? {};
    const request = { secret, name, id };
    const prediction = predict(this.environments, owner, request);
    const path = paths[name](id);
    const response = await send(this.#sandbox.url, `/api/v1${path}`, { key: secret }).catch(() => undefined);
    expect(response?.status ?? 0).toBe(prediction.status);
    if (!response || prediction.byFault) return;
    const { content, opening } = prediction.environment;
    const document = closedUnder({
      assumptions: content.assumptions as unknown as Assumptions,
      rateLimit: opening.rate_limit,
    });
    const { status, headers, text: body, json } = response;
    const keyType = status === 200 ? prediction.key?.type : undefined;
    expectConformance({ document, method: "GET", path, status, headers, body, ...(keyType ? { keyType } : {}) });
    if (status !== 200) return;
    expectDocument(prediction, request, json);
    for (const { id: investmentId, attributes } of [json.data].flat()) {
      const fact = content.facts.find(
        (candidate) => candidate.kind === "new_investment" && candidate.id === investmentId,
      );
      if (fact) fact.set.investment_number ??= attributes.investment_number ?? null;
    }
    const circumstances = JSON.stringify([
      owner,
      secret,
      path,
      content.assumptions,
      facts.filter(({ date }) => date <= now),
    ]);
    expect(body).toBe(this.#responses.get(circumstances) ?? body);
    this.#responses.set(circumstances, body);
  }

  /** The secret of an active key for indexes below 8, an unknown one for 8, the latest of all environments for 9. */
  #secretAt(index: number, { content }: Environment, keys: readonly Thing[]): string {
    const active = keys.filter((key) => !isRevoked(key, content.now));
    const latest = index === 9 ? [...this.#owners.keys()].at(-1) : undefined;
    return (index < 8 ? active.at(-1 - (index % active.length))?.key : latest) ?? "sandbox_partner_nobody";
  }

  #use(id: string): void {
    Object.assign(this.environments.get(id) ?? {}, { idle: 0 });
  }

  /** Copies ids and secrets of new things from the sandbox into the model. Returns the model's environment. */
  #learn(id: string, { keys, timeline }: Lists): Environment {
    let environment = this.environments.get(id) as Environment;
    const { opening } = environment;
    if (Object.keys(opening.state.keys).length === 0) {
      const state = { ...opening.state, keys: Object.fromEntries(keys.map((key) => [key.id, key])) };
      environment = newEnvironment(id, { ...opening, state });
      this.environments.set(id, environment);
    }
    const { content } = environment;
    let text = JSON.stringify(content);
    for (const [index, fact] of content.facts.entries()) {
      const { investment, key, fault }: Thing = timeline[index] ?? {};
      const thing = investment ?? key ?? fault;
      if (!isNew(fact) || !thing || fact.id === thing.id) continue;
      text = text.replaceAll(`"${fact.id}"`, `"${thing.id}"`);
      if (fact.kind === "new_key") text = text.replaceAll(`"${fact.set.key}"`, `"${thing.key}"`);
    }
    Object.assign(content, JSON.parse(text));
    for (const { key } of Object.values(stateAt(environment, "~").keys)) this.#owners.set(key, id);
    return environment;
  }
}

type Lists = Awaited<ReturnType<typeof listsOf>>;

/** The lists of an environment for all comparisons. */
// oxlint-disable-next-line typescript/explicit-function-return-type
async function listsOf(environment: control.Environment) {
  const [description, timeline] = [await environment.describe(), await environment.timeline()];
  const [faults, limits, requests] = [
    await environment.faults.list(),
    await environment.limits.list(),
    await environment.requests.count(),
  ];
  return { ...description, timeline, faults, limits, requests };
}

/** The lists as the model predicts them; it knows a part of their members. */
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
    runs: runDescriptions(environment),
    timeline: facts.map(({ date, kind, run }) => ({ date, kind, run })),
    faults: currentFaults(environment).map((fault) => {
      const { id, until } = fault;
      return { id, until, used: uses[id] ?? 0, active: isActive(fault, environment) };
    }),
    limits: Object.keys(keys).map((key_id) => {
      const { used = 0, remaining } = limits[key_id] ?? {};
      return { key_id, used, limit: opening.rate_limit, resets_in_seconds: (remaining ?? 0) / 1000 };
    }),
    requests: journal,
  };
}
