import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { type SandboxConfig, configure } from "./configuration.ts";
import type { CoverageReport, EnvironmentLinks, PreviewedResponse, SandboxOptions } from "../public/control.ts";
import type { EnvironmentHandle, Transport } from "../control/control-client.ts";
import type { Caller, CallArguments, Server } from "../control/call.ts";
import type { AdminOperationId, ResponseOf } from "../control/operations.ts";
import { perform } from "../control/perform.ts";
import type { PreviewedCall } from "../control/preview.ts";
import { usesWriter } from "./exec-settings.ts";
import type { CoverageCounter } from "./coverage-counter.ts";
import { EnvironmentConfigs } from "./environment-configs.ts";
import type { EnvironmentConfig } from "../environment/document.ts";
import type { Environment } from "../environment/environment.ts";
import { defaultId, type Environments } from "../environment/environments.ts";
import { ControlError } from "../errors/control-error.ts";
import { ValidationError } from "../validation/errors.ts";
import { portalLink } from "../text/origin.ts";
import { digestsOf, issueTokens } from "../secrets/tokens.ts";
import type { CloseOptions, EnvironmentOptions } from "../public/options.ts";
import { createApp, RequestCounts } from "../server/app.ts";
import { isWildcard, urlHost } from "../server/host-check.ts";
import { listen, type Listening, Messages, originForm } from "../server/listen.ts";
import { exampleCalls } from "../service/examples.ts";
import { preview } from "../service/preview.ts";
import type { Storage } from "../storage/storage.ts";

export interface SandboxDependencies {
  readonly configuration: SandboxConfig;
  readonly configs: EnvironmentConfigs;
  readonly environments: Environments;
  /** Stores the environments; undefined without `db`. */
  readonly storage: Storage | undefined;
  readonly coverage: CoverageCounter;
  /** Called before an environment is deleted. */
  readonly beforeDelete: ((id: string, options: CloseOptions | undefined) => Promise<void>) | undefined;
  /** The file for the assumptions on which responds depend, by default that of an outer `exec`: see `usesWriter`. */
  readonly usesFile: string | undefined;
  /** The folder that the sandbox is for; undefined for the working directory. */
  readonly folder: string | undefined;
}

/** A server in this process. It has environments; clients command them. */
export class RunningSandbox implements Server, Transport {
  readonly environments: Environments;
  readonly #dependencies: Omit<SandboxDependencies, "configuration" | "configs" | "environments">;
  configuration: SandboxConfig;
  #configs: EnvironmentConfigs;
  #app: RequestListener;
  readonly #messages = new Messages();
  readonly #counts = new RequestCounts();
  #listening: Listening | undefined;
  isStopping = false;
  #isClosed = false;

  constructor({ configuration, configs, environments, ...parts }: SandboxDependencies) {
    this.environments = environments;
    this.#dependencies = parts;
    this.configuration = configuration;
    this.#configs = configs;
    const { adminToken, openToken } = configuration;
    for (const token of [adminToken, openToken]) if (token !== null) environments.secrets.add(token);
    this.#app = this.#createApp();
  }

  async listen(): Promise<void> {
    const { coverageDir } = this.configuration;
    if (coverageDir !== undefined) await this.#dependencies.coverage.writeAtEnd(coverageDir);
    this.#listening = await listen(
      (request, res) => {
        // Before Express, which caches the first form.
        request.url = originForm(request.url ?? "");
        // The client has to open a new connection, so none is closed between two of its requests.
        if (this.isStopping) res.shouldKeepAlive = false;
        this.#counts.watch(request, res);
        this.#app(request, res);
      },
      { ...this.configuration, messages: this.#messages },
    );
  }

  get url(): string {
    const { host } = this.configuration;
    const name = host === undefined || isWildcard(host) ? "localhost" : urlHost(host);
    return `http://${name}:${this.#listening?.port ?? this.configuration.port}`;
  }

  get folder(): string {
    return this.#dependencies.folder ?? process.cwd();
  }

  /** Rejects with ControlError if the environment was deleted. */
  async call<Id extends AdminOperationId>(
    operation: Id,
    parts: CallArguments,
    { id, uid }: EnvironmentHandle = { id: defaultId },
  ): Promise<ResponseOf<Id>> {
    this.#expectOpen();
    await this.environments.shared?.syncCopy(id);
    const environment = this.environments.find(id, uid);
    return perform(operation, this, { ...parts, environment, origin: this.url, isRemote: false });
  }

  async openEnvironment(options: EnvironmentOptions, { origin, isRemote }: Pick<Caller, "origin" | "isRemote">) {
    const { shared } = this.environments;
    const id = options.id ?? (await shared?.nextId()) ?? this.environments.nextId();
    let configs: EnvironmentConfigs;
    let config: EnvironmentConfig;
    do {
      configs = this.#configs;
      config = await configs.for(id, options, isRemote);
      // A reload meanwhile has read the fixture again.
    } while (configs !== this.#configs);
    this.#expectOpen();
    const { admin, adminToken, openToken } = this.configuration;
    const tokens = adminToken === null ? undefined : issueTokens(id);
    const openedConfig = { ...config, uid: randomUUID(), tokens: tokens && digestsOf(tokens) };
    const environment = (await shared?.add(openedConfig)) ?? this.environments.open(openedConfig);
    await this.commit();
    const portal_link = admin ? portalLink(origin, tokens?.admin, id) : null;
    if (openToken === null || !tokens) return { environment, access: { portal_link } };
    const view_link = portalLink(origin, tokens.view, id);
    return { environment, access: { portal_link, admin_token: tokens.admin, view_link } };
  }

  makeLinks(environment: Environment, origin: string): EnvironmentLinks {
    const { admin, adminToken } = this.configuration;
    const tokens = adminToken === null ? undefined : this.environments.linkTokens(environment);
    const portal_link = admin ? portalLink(origin, tokens?.admin, environment.id) : null;
    return { portal_link, view_link: admin && tokens ? portalLink(origin, tokens.view, environment.id) : null };
  }

  async openSnapshot(snapshot: object): Promise<Environment> {
    return this.#configs.openSnapshot(snapshot);
  }

  async deleteEnvironment(environment: Environment, options?: CloseOptions): Promise<void> {
    if (environment.id === defaultId) {
      throw new ControlError("refused", "The default environment cannot be deleted; reset it.");
    }
    // A failure does not prevent the deletion.
    await this.#dependencies.beforeDelete?.(environment.id, options).catch(() => {});
    await this.environments.shared?.remove(environment);
    this.environments.delete(environment);
    await this.commit(environment);
  }

  async reload(options: SandboxOptions): Promise<void> {
    if (this.environments.shared)
      throw new ValidationError("A sandbox over PostgreSQL is not reloaded: processes over one database would differ.");
    const { port, host, admin, adminToken, openToken, db, onStop: stop } = this.configuration;
    const { onStop = stop, ...edited } = await configure(options, this.#dependencies);
    const configuration = { ...edited, port, host, admin, adminToken, openToken, db, onStop };
    // New configurations read the fixture and the scenarios again.
    const configs = new EnvironmentConfigs(configuration);
    const environment = this.environments.default;
    const defaultConfig = await configs.forDefault(this.#dependencies.storage && environment.config);
    await environment.whenCaughtUp(() => environment.reopen(defaultConfig));
    this.#configs = configs;
    const onServer = this.environments.all.filter(
      (candidate) => candidate !== environment && candidate.config.ownFixture !== true,
    );
    const lostDatasets = new Set(onServer.map(({ config }) => config.dataset));
    for (const dataset of lostDatasets) if (await configs.provides(dataset)) lostDatasets.delete(dataset);
    this.#dependencies.storage?.omit?.(lostDatasets);
    this.configuration = configuration;
    this.#app = this.#createApp();
    await this.commit();
  }

  async stop(): Promise<void> {
    const { onStop } = this.configuration;
    if (this.environments.shared)
      throw new ControlError("refused", "Several processes serve these environments: stop them where they run.");
    if (!onStop) {
      throw new ControlError(
        "refused",
        "This sandbox ends with what started it: a test, `exec`, Vite, or the code that calls close(). Only `start` can be stopped.",
      );
    }
    // The response to the call goes out first.
    setImmediate(onStop);
  }

  /** Reports not ready but serves for this long; then refuses new requests, and gives those in flight as long again. */
  async drain(milliseconds: number): Promise<void> {
    this.isStopping = true;
    await wait(milliseconds, undefined, { ref: false });
    await Promise.race([this.#listening?.finish(), wait(milliseconds, undefined, { ref: false })]);
  }

  /** Frees the port last, unless it was drained: after it, the file of `db` is free as well. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const environment of this.environments.all) environment.cancel();
    this.#listening?.refuse();
    try {
      this.#dependencies.coverage.close();
      await this.#dependencies.storage?.close();
    } finally {
      await this.#listening?.close();
    }
  }

  readonly examples = exampleCalls;

  coverage(environment?: Environment): CoverageReport {
    return this.#dependencies.coverage.countsOf(environment).report();
  }

  async metrics(): Promise<string> {
    const { metricsText } = await import("../server/metrics.ts");
    return metricsText(this.#counts, this.environments);
  }

  preview(environment: Environment, call: PreviewedCall): PreviewedResponse {
    const { secrets } = this.environments;
    return preview(environment, call, { ...this.configuration, secrets });
  }

  async commit(environment?: Environment): Promise<void> {
    await this.#dependencies.storage?.commit(environment);
  }

  #expectOpen(): void {
    if (this.#isClosed) throw new ControlError("not_found", "The sandbox is closed.");
  }

  #createApp(): RequestListener {
    const { onRequest, onFailure, environment: options } = this.configuration;
    const { usesFile, coverage } = this.#dependencies;
    const writeUses = usesFile === undefined ? undefined : usesWriter(usesFile, options.assumptions);
    const app = createApp({
      ...this.configuration,
      environments: this.environments,
      server: this,
      onArrival: (call, res) => {
        const environment = this.environments.get(call.environment.id);
        if (environment && call.sentKey) coverage.observerOf(environment).arrive(call.sentKey.id, res);
      },
      onResponse: (call, entry, res) => {
        const environment = this.environments.get(call.environment.id);
        if (!environment) return false;
        writeUses?.(entry, environment);
        return coverage.observerOf(environment).observe(call, entry, res, environment.generation);
      },
      onRequest:
        onRequest &&
        ((entry) => {
          try {
            onRequest(entry);
          } catch (error) {
            onFailure(error);
          }
        }),
    });
    this.#messages.belongTo(app);
    return app;
  }
}
