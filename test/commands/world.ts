import { expect } from "vitest";
import type { Assumptions } from "../../src/assumptions/catalogue.ts";
import { connectSandbox } from "../../src/client/connect.ts";
import type * as control from "../../src/control.ts";
import { ControlError } from "../../src/errors/control-error.ts";
import { startSandbox } from "../../src/index.ts";
import type { OpenApiDocument } from "../../src/openapi/openapi-types.ts";
import { openApiDocument } from "../../src/openapi/service-document.ts";
import { expectConformance } from "../support/conformance.ts";
import { known, knownFixture, send } from "../support/sandbox.ts";
import { newFile, stateOf } from "../storage/kept.ts";
import { pick } from "./command.ts";
import { expectLists } from "./lists.ts";
import { type Environment, type Fact, isRevoked, type Key, opened, realTime, stateAt } from "./model.ts";
import { openingOf } from "./opening.ts";
import { type Document, expectDocument, foresee, type PathName, paths } from "./reads.ts";
import { Refused } from "./runs.ts";

/** What is asked of a sandbox, and what follows from it in the model; `follow` throws Refused if it has to be refused. */
export interface Act {
  readonly ask: (environment: control.Environment, sandbox: control.Sandbox) => Promise<unknown>;
  readonly follow: (environment: Environment, environments: Map<string, Environment>) => void;
}

export interface Read {
  readonly environment: number;
  readonly key: number;
  readonly name: PathName;
  readonly id: number;
}

/** A snapshot, with the model and its limit time when it was taken. */
interface Taken {
  readonly document: control.Snapshot;
  readonly taken: Environment;
  readonly time: number;
}

const rate_limit = 8;

/** A sandbox with its database, and the model that it is compared with. */
export class World {
  environments = new Map<string, Environment>();
  readonly snapshots: Taken[] = [];
  readonly #file = newFile();
  readonly #failures: unknown[] = [];
  /** Ids of environments by the secrets of all keys that there ever were. */
  readonly #owners = new Map<string, string>([["sandbox_partner_nobody", ""]]);
  /** Answers by all that they may depend on. */
  readonly #answers = new Map<string, string>();
  #sandbox!: control.LocalSandbox;
  #remote!: control.Sandbox;

  static async open(): Promise<World> {
    const world = new World();
    await world.#start();
    world.environments.set("default", opened("default", openingOf({ rate_limit, ttl_seconds: Infinity })));
    await world.#learn("default", world.#sandbox);
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
    const onFailure = (error: unknown): unknown => this.#failures.push(error);
    this.#sandbox = await startSandbox({ fixture: knownFixture, rateLimit: rate_limit, db: this.#file, onFailure });
    this.#remote = await connectSandbox(this.#sandbox.url);
  }

  /** Performs a command on an environment, and compares the environment with the model's. */
  async perform(at: number, overHttp: boolean, { ask, follow }: Act): Promise<void> {
    const { id } = this.environmentAt(at);
    const sandbox = overHttp ? this.#remote : this.#sandbox;
    const environment = id === "default" ? sandbox : await sandbox.environment(id);
    this.#use(id);
    const after = structuredClone(this.environments);
    if (isRefused(() => follow(after.get(id) as Environment, after))) {
      const before = await digest(environment);
      await expect(ask(environment, sandbox)).rejects.toThrow(ControlError);
      expect(await digest(environment)).toEqual(before);
    } else {
      await ask(environment, sandbox);
      this.environments = after;
      for (const { id: one, opening } of after.values())
        if (opening.keys.length === 0) await this.#compare(one, this.#sandbox);
      if (after.has(id)) await this.#compare(id, this.#sandbox);
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
    await this.#learn(id, environment);
    await expectLists(environment, this.environments.get(id) as Environment);
  }

  /** A number that was served never changes. */
  #rememberNumbers({ facts }: Environment["content"], shown: readonly Document[]): void {
    for (const { id, attributes } of shown) {
      const fact = facts.find((one) => one.kind === "new_investment" && one.id === id);
      if (fact?.kind === "new_investment") fact.investment.number ??= attributes.investment_number ?? null;
    }
  }

  /** One of the keys that serve; now and then the latest that there ever was, or one that nobody issued. */
  #keyAt(at: number, reader: Environment, keys: readonly Key[]): Pick<Key, "secret" | "offering_id"> {
    const active = keys.filter((key) => !isRevoked(key, reader.content.now));
    const found = at < 8 ? active.at(-1 - (at % active.length)) : undefined;
    const [nobodys = "", ...issued] = this.#owners.keys();
    return found ?? { secret: (at === 9 ? issued.at(-1) : undefined) ?? nobodys, offering_id: known.aurora };
  }

  #use(id: string): void {
    Object.assign(this.environments.get(id) ?? {}, { lastUsed: realTime.passed });
  }

  /** Reads as a client of the service. */
  async read({ environment: at, key: keyAt, name, id: nth }: Read): Promise<void> {
    const reader = this.environmentAt(at);
    const { investments, keys } = stateAt(reader);
    const { secret, offering_id: own } = this.#keyAt(keyAt, reader, keys);
    const ofOffering = name === "offering" || name === "list" || name === "page";
    const latest = Object.keys(investments).toReversed();
    // Mostly what the key may read.
    const readable = latest.filter((one) => (investments[one]?.offering_id === own) === nth < 4);
    const id = pick(ofOffering ? [nth < 4 ? own : known.empty] : readable.slice(0, 4), nth);
    const owner = this.#owners.get(secret);
    this.#use(owner ?? "");
    // Before a step that waits for this read adds its own.
    const { facts = [], now = "" } = this.environments.get(owner ?? "")?.content ?? {};
    const foreseen = foresee(this.environments, owner, { secret, name, id });
    const path = paths[name](id);
    const answer = await send(this.#sandbox.url, `/api/v1${path}`, { key: secret }).catch(() => undefined);
    expect(answer?.status ?? 0).toBe(foreseen.status);
    if (!answer || foreseen.byFault) return;
    const { content, opening } = foreseen.environment;
    const document = documentUnder(content.assumptions as unknown as Assumptions, opening.rate_limit);
    const { status, headers, text: body } = answer;
    const { key: { type: keyType } = {} } = foreseen;
    expectConformance({ document, method: "GET", path, status, headers, body, ...(keyType ? { keyType } : {}) });
    if (status !== 200) return;
    expectDocument(foreseen, name, id, answer.json);
    this.#rememberNumbers(content, [answer.json.data].flat());
    const basis = JSON.stringify([owner, secret, path, content.assumptions, facts.filter(({ date }) => date <= now)]);
    expect(body).toBe(this.#answers.get(basis) ?? body);
    this.#answers.set(basis, body);
  }

  /** Puts in what only the sandbox can tell: the ids and secrets of what is new. */
  async #learn(id: string, control: control.Environment): Promise<void> {
    const environment = this.environments.get(id) as Environment;
    if (environment.opening.keys.length === 0) {
      const keys = (await control.keys.list()).map(({ key: secret, ...key }) => ({
        ...key,
        secret,
        granted: secret !== known.keys.ungranted,
      }));
      const atLimit = keys.filter(({ secret }) => secret === known.keys.atLimit).map((key) => key.id);
      this.environments.set(id, opened(id, { ...environment.opening, keys, at_limit: atLimit }));
    }
    const { content, opening } = this.environments.get(id) as Environment;
    let text = JSON.stringify(content);
    for (const [at, change] of (await control.timeline()).entries()) {
      for (const [stand, real] of namesIn(content.facts[at], change)) text = text.replaceAll(`"${stand}"`, `"${real}"`);
    }
    Object.assign(content, JSON.parse(text));
    for (const { secret } of stateAt({ ...environment, opening, content }, "~").keys) this.#owners.set(secret, id);
  }
}

/** The stand-ins of a fact for names that only the sandbox can tell, with these. */
function namesIn(
  fact: Fact | undefined,
  change: control.ChangeDescription,
): [stand: string, real: string | undefined][] {
  const { investment, key, fault } = change as Record<string, { id: string; key: string } | undefined>;
  if (fact?.kind === "new_investment") return [[fact.id, investment?.id]];
  if (fact?.kind === "new_fault") return [[fact.id, fault?.id]];
  return fact?.kind === "new_key"
    ? [
        [fact.id, key?.id],
        [fact.key.secret, key?.key],
      ]
    : [];
}

function isRefused(follow: () => void): boolean {
  try {
    follow();
    return false;
  } catch (error) {
    if (error instanceof Refused) return true;
    throw error;
  }
}

/** Everything that a refused command must not change. */
async function digest(environment: control.Environment): Promise<unknown> {
  const { limits, requests, keys, runs } = environment;
  return [
    await environment.snapshot(),
    await limits.list(),
    await requests.count(),
    await keys.list(),
    await runs.list(),
  ];
}

const documents = new Map<string, OpenApiDocument>();

/** The OpenAPI document of the service under these assumptions. */
function documentUnder(assumptions: Assumptions, rateLimit: number): OpenApiDocument {
  const key = JSON.stringify([assumptions, rateLimit]);
  const document = documents.get(key) ?? openApiDocument({ assumptions, rateLimit, version: "0" });
  documents.set(key, document);
  return document;
}
