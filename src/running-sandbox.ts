import { exampleDocuments } from "./api/example-documents.ts";
import { configure, type Configuration } from "./configuration.ts";
import type {
  Environment,
  EnvironmentDescription,
  EnvironmentOptions,
  ExampleCall,
  LocalSandbox,
  SandboxOptions,
} from "./control.ts";
import { curlLine } from "./curl-line.ts";
import { describeEnvironment } from "./environment/describe.ts";
import type { Environments } from "./environment/environments.ts";
import { exampleCalls } from "./environment/examples.ts";
import { LocalEnvironment } from "./environment/local/local-environment.ts";
import { asControlError } from "./errors/as-control-error.ts";
import { ControlError } from "./errors/control-error.ts";
import { Openings } from "./openings.ts";
import type { Database } from "./storage/database.ts";
import { isWildcard, urlHost } from "./server/addresses.ts";
import { createApp } from "./server/app.ts";
import { listen, type Listening } from "./server/listen.ts";
import { Messages } from "./server/messages.ts";
import { originForm } from "./server/origin-form.ts";
import { version } from "./version.ts";

const basePath = "/api/v1";

/** What a sandbox is made of. */
interface Parts {
  readonly configuration: Configuration;
  readonly openings: Openings;
  readonly environments: Environments;
  /** Where the environments are kept; undefined where they are not. */
  readonly database: Database | undefined;
}

/** A server in this process, and its default environment. */
export class RunningSandbox extends LocalEnvironment implements LocalSandbox {
  readonly #environments: Environments;
  #configuration: Configuration;
  #openings: Openings;
  #app: ReturnType<typeof createApp>;
  readonly #database: Database | undefined;
  readonly #messages = new Messages();
  #listening: Listening | undefined;
  #closed = false;

  constructor({ configuration, openings, environments, database }: Parts) {
    super(environments.default, {
      baseUrl: () => this.baseUrl,
      present: () => this.#expectOpen(),
      commit: () => this.#commit(),
      close: () => this.close(),
    });
    this.#environments = environments;
    this.#database = database;
    this.#configuration = configuration;
    this.#openings = openings;
    if (configuration.adminToken !== null) environments.plainSecrets.add(configuration.adminToken);
    this.#app = this.#createApp();
  }

  async listen(): Promise<void> {
    this.#listening = await listen(
      (request, response) => {
        // Before Express, which keeps the first form it sees.
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

  examples(): readonly ExampleCall[] {
    return exampleCalls(this.#environments.default).map((call) => ({
      ...call,
      curl: curlLine(this.baseUrl + call.path, call.key),
    }));
  }

  async openEnvironment(options: EnvironmentOptions = {}): Promise<Environment> {
    this.#expectOpen();
    const { id = this.#environments.nextId() } = options;
    await asControlError(async () => this.#environments.open(await this.#openings.for(id, options)));
    await this.#commit();
    return this.environment(id);
  }

  async environment(id: string): Promise<Environment> {
    const environment = this.#environments.find(id);
    return new LocalEnvironment(environment, {
      baseUrl: () => this.baseUrl,
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
    return Promise.resolve(this.#environments.all.map(describeEnvironment));
  }

  async reload(options: SandboxOptions): Promise<void> {
    const { port, host, admin, adminToken, db } = this.#configuration;
    const configuration = { ...configure(options), port, host, admin, adminToken, db };
    const openings = new Openings(configuration);
    this.#environments.default.reopen(await openings.forDefault());
    this.#openings = openings;
    this.#configuration = configuration;
    this.#app = this.#createApp();
    await this.#commit();
  }

  override async close(): Promise<void> {
    this.#closed = true;
    await this.#listening?.close();
    await this.#database?.close();
  }

  #expectOpen(): void {
    if (this.#closed) throw new ControlError("not_found", "The sandbox is closed.");
  }

  /** Fulfilled when everything that has changed by now is kept. */
  async #commit(): Promise<void> {
    await this.#database?.commit();
  }

  #createApp(): ReturnType<typeof createApp> {
    const { corsOrigins, assumptionHeader, admin, adminToken, host, allowedHosts, onRequest, onFailure } =
      this.#configuration;
    const environments = this.#environments;
    const app = createApp({
      api: {
        directory: {
          fallback: environments.default,
          find: (secret) => environments.findKey(secret),
          conceal: (text) => environments.plainSecrets.conceal(text),
        },
        basePath,
        corsOrigins,
        assumptionHeader,
        onFailure,
      },
      admin: { open: admin, token: adminToken },
      host,
      allowedHosts,
      onRequest:
        onRequest &&
        ((entry) => {
          try {
            onRequest(entry);
          } catch (error) {
            onFailure(error);
          }
        }),
      pageContent: () => ({
        version,
        baseUrl: this.baseUrl,
        environment: describeEnvironment(environments.default),
        examples: this.examples(),
      }),
      openApi: () => this.#openApi(),
      sandbox: this,
    });
    this.#messages.belongTo(app);
    return app;
  }

  async #openApi(): Promise<unknown> {
    const { openApiDocument } = await import("./openapi/openapi-document.ts");
    const { assumptions, rateLimit } = this.#environments.default;
    const examples = exampleDocuments(this.#environments.default, basePath);
    return openApiDocument({ assumptions, rateLimit, version, examples });
  }
}
