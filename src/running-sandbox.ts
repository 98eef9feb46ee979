import type { RequestListener } from "node:http";
import { type Configuration, configure } from "./configuration.ts";
import type {
  Environment,
  EnvironmentDescription,
  EnvironmentOptions,
  EnvironmentSummary,
  InEitherCase,
  LocalSandbox,
  PreviewedResponse,
  SandboxOptions,
} from "./control.ts";
import { describeEnvironment, summarizeEnvironment } from "./control/describe.ts";
import { LocalEnvironment } from "./control/local-environment.ts";
import type { PreviewedCall } from "./control/preview.ts";
import type { EnvironmentSetups } from "./environment-setup.ts";
import type { Environment as OneEnvironment } from "./environment/environment.ts";
import type { Environments } from "./environment/environments.ts";
import { asControlError, ControlError } from "./errors/control-error.ts";
import { expectMembers } from "./model/members.ts";
import { basePath } from "./model/operations.ts";
import { idOf, plainOptions } from "./model/plain-copy.ts";
import { createApp } from "./server/app.ts";
import { isWildcard, urlHost } from "./server/host-check.ts";
import { listen, type Listening, Messages, originForm } from "./server/listen.ts";
import { exampleCalls } from "./service/examples.ts";
import { preview } from "./service/preview.ts";
import type { Database } from "./storage/database.ts";

interface SandboxParts {
  readonly configuration: Configuration;
  readonly setups: EnvironmentSetups;
  readonly environments: Environments;
  /** Stores the environments; undefined without `db`. */
  readonly database: Database | undefined;
}

/** A server in this process and its default environment. */
export class RunningSandbox extends LocalEnvironment implements LocalSandbox {
  readonly #environments: Environments;
  #configuration: Configuration;
  #setups: EnvironmentSetups;
  #app: RequestListener;
  readonly #database: Database | undefined;
  readonly #messages = new Messages();
  #listening: Listening | undefined;
  #closed = false;

  constructor({ configuration, setups, environments, database }: SandboxParts) {
    super(environments.default, {
      baseUrl: () => this.baseUrl,
      examples: () => exampleCalls(environments.default),
      preview: (call) => this.#preview(environments.default, call),
      present: () => this.#expectOpen(),
      commit: () => this.#commit(),
      close: () => this.close(),
    });
    this.#environments = environments;
    this.#database = database;
    this.#configuration = configuration;
    this.#setups = setups;
    if (configuration.adminToken !== null) environments.secrets.add(configuration.adminToken);
    this.#app = this.#createApp();
  }

  async listen(): Promise<void> {
    this.#listening = await listen(
      (request, response) => {
        // Before Express, which caches the first form.
        request.url = originForm(request.url ?? "");
        this.#app(request, response);
      },
      { ...this.#configuration, messages: this.#messages },
    );
  }

  get url(): string {
    const { host } = this.#configuration;
    const name = host === undefined || isWildcard(host) ? "localhost" : urlHost(host);
    return `http://${name}:${this.#listening?.port ?? this.#configuration.port}`;
  }

  override get baseUrl(): string {
    return this.url + basePath;
  }

  get adminUrl(): string {
    return `${this.url}/__admin`;
  }

  get adminToken(): string | null {
    return this.#configuration.adminToken;
  }

  async openEnvironment(options: InEitherCase<EnvironmentOptions> = {}): Promise<Environment> {
    this.#expectOpen();
    const { id } = await asControlError(async () => {
      const given = plainOptions(options);
      expectMembers(given, "the environment");
      const { id: own, label }: EnvironmentOptions = given;
      const { id: next = this.#environments.nextId() }: EnvironmentOptions = given;
      const setup = await this.#setups.for(next, given);
      this.#environments.refuseKeyIn("id", own);
      this.#environments.refuseKeyIn("label", label);
      return this.#environments.open(setup);
    });
    await this.#commit();
    return this.environment(id);
  }

  async environment(id: string): Promise<Environment> {
    const environment = this.#environments.find(idOf(id));
    return new LocalEnvironment(environment, {
      baseUrl: () => this.baseUrl,
      examples: () => exampleCalls(environment),
      preview: (call) => this.#preview(environment, call),
      present: () => {
        this.#expectOpen();
        this.#environments.use(environment);
      },
      commit: () => this.#commit(),
      close: async () => {
        if (id === this.id) throw new ControlError("refused", "The default environment cannot be dropped; reset it.");
        this.#environments.drop(environment);
        await this.#commit();
      },
    });
  }

  environments(): Promise<readonly EnvironmentDescription[]> {
    const describe = (one: OneEnvironment) => one.caughtUp(() => describeEnvironment(one, this.baseUrl));
    return Promise.all(this.#environments.all.map(describe));
  }

  async environmentSummaries(): Promise<readonly EnvironmentSummary[]> {
    return this.#environments.all.map(summarizeEnvironment);
  }

  async reload(options: SandboxOptions): Promise<void> {
    const { port, host, admin, adminToken, db } = this.#configuration;
    const configuration = { ...configure(options), port, host, admin, adminToken, db };
    const setups = await this.#setups.reload(configuration);
    const onServer = this.#environments.all.filter(({ setup }) => setup.ownFixture !== true);
    const lost = new Set(onServer.map(({ setup }) => setup.dataset));
    for (const dataset of lost) if (await setups.provides(dataset)) lost.delete(dataset);
    const setup = await setups.forDefault();
    const environment = this.#environments.default;
    await environment.caughtUp(() => environment.reopen(setup));
    this.#database?.leaveOut(lost);
    this.#setups = setups;
    this.#configuration = configuration;
    this.#app = this.#createApp();
    await this.#commit();
  }

  stop(): Promise<void> {
    const { onStop } = this.#configuration;
    if (!onStop) {
      const message =
        "This sandbox ends with what started it: a test, `exec` or other code. Only `start` can be stopped.";
      return Promise.reject(new ControlError("refused", message));
    }
    // The answer to the call goes out first.
    setImmediate(onStop);
    return Promise.resolve();
  }

  /** Gives the port free last: whoever waits for it finds the file of `db` free as well. */
  override async close(): Promise<void> {
    this.#closed = true;
    for (const environment of this.#environments.all) environment.giveUp();
    this.#listening?.refuse();
    try {
      await this.#database?.close();
    } finally {
      await this.#listening?.close();
    }
  }

  #preview(environment: OneEnvironment, { url, key }: PreviewedCall): PreviewedResponse {
    const { secrets } = this.#environments;
    return preview(environment, url, key, { ...this.#configuration, basePath, secrets });
  }

  #expectOpen(): void {
    if (this.#closed) throw new ControlError("not_found", "The sandbox is closed.");
  }

  /** Resolves when all changes so far are stored. */
  async #commit(): Promise<void> {
    await this.#database?.commit();
  }

  #createApp(): RequestListener {
    const { onRequest, onFailure } = this.#configuration;
    const app = createApp({
      ...this.#configuration,
      environments: this.#environments,
      sandbox: this,
      basePath,
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
