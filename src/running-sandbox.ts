import { exampleDocuments } from "./api/example-documents.ts";
import { configure, type Configuration } from "./configuration.ts";
import type {
  Clock,
  EnvironmentDescription,
  ExampleCall,
  OfferingDescription,
  Sandbox,
  SandboxOptions,
} from "./control.ts";
import { curlLine } from "./curl-line.ts";
import { EnvironmentClock } from "./environment/clock.ts";
import { Environment } from "./environment/environment.ts";
import { exampleCalls } from "./environment/examples.ts";
import { loadFixture } from "./fixture/load-fixture.ts";
import type { KeyType } from "./model/key-type.ts";
import { page } from "./portal/page.ts";
import { isWildcard, urlHost } from "./server/addresses.ts";
import { createApp } from "./server/app.ts";
import { originForm } from "./server/origin-form.ts";
import { listen, type Listening } from "./server/listen.ts";
import { version } from "./version.ts";

const basePath = "/api/v1";

/** Loads what a configuration asks for. A `clock` that goes already goes on. */
export async function openEnvironment(configuration: Configuration, clock?: EnvironmentClock): Promise<Environment> {
  const { fixture, seed, assumptions, profile, rateLimit, delay, speed } = configuration;
  const investmentStatuses = assumptions["investment.statuses"];
  const dataset = await loadFixture(fixture, { seed, investmentStatuses });
  const now = configuration.clock === "fixture" ? Date.parse(dataset.now) : configuration.clock;
  return new Environment({
    id: "default",
    dataset,
    clock: clock ?? new EnvironmentClock({ now, speed }),
    profile,
    assumptions,
    rateLimit,
    delay,
  });
}

/** A server over a configuration and an environment, both of which a reload replaces. */
export class RunningSandbox implements Sandbox {
  #configuration: Configuration;
  #environment: Environment;
  #app: ReturnType<typeof createApp>;
  #listening: Listening | undefined;

  constructor(configuration: Configuration, environment: Environment) {
    this.#configuration = configuration;
    this.#environment = environment;
    this.#app = this.#createApp();
  }

  async listen(): Promise<void> {
    this.#listening = await listen((request, response) => {
      // Before Express, which keeps the first form it sees.
      request.url = originForm(request.url ?? "");
      this.#app(request, response);
    }, this.#configuration);
  }

  get url(): string {
    const { host } = this.#configuration;
    const name = host === undefined || isWildcard(host) ? "localhost" : urlHost(host);
    return `http://${name}:${this.#listening?.port ?? this.#configuration.port}`;
  }

  get baseUrl(): string {
    return this.url + basePath;
  }

  get adminUrl(): string {
    return `${this.url}/__admin`;
  }

  get adminToken(): string | null {
    return this.#configuration.adminToken;
  }

  get clock(): Clock {
    return this.#environment.clock;
  }

  get offerings(): readonly OfferingDescription[] {
    return this.describe().offerings;
  }

  get keys(): { readonly [Type in KeyType]: string | undefined } {
    const { keys, offerings } = this.describe();
    const first = (type: KeyType): string | undefined =>
      keys.find((key) => key.offering_id === offerings[0]?.id && key.type === type)?.key;
    return { marketing: first("marketing"), partner: first("partner") };
  }

  describe(): EnvironmentDescription {
    return this.#environment.describe();
  }

  examples(): readonly ExampleCall[] {
    return exampleCalls(this.#environment).map((call) => ({
      ...call,
      curl: curlLine(this.baseUrl + call.path, call.key),
    }));
  }

  async reload(options: SandboxOptions): Promise<void> {
    const { port, host, admin, adminToken, speed } = this.#configuration;
    const configuration = { ...configure(options), port, host, admin, adminToken };
    const environment = await openEnvironment(configuration, this.#environment.clock);
    if (configuration.speed !== speed) environment.clock.set({ speed: configuration.speed });
    this.#configuration = configuration;
    this.#environment = environment;
    this.#app = this.#createApp();
  }

  async close(): Promise<void> {
    await this.#listening?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #createApp(): ReturnType<typeof createApp> {
    const { corsOrigins, assumptionHeader, admin, adminToken, host, allowedHosts, onRequest, onFailure } =
      this.#configuration;
    const environment = this.#environment;
    return createApp({
      api: {
        directory: { fallback: environment, find: (secret) => environment.find(secret) },
        basePath,
        corsOrigins,
        assumptionHeader,
        onFailure,
      },
      admin: { open: admin, token: adminToken },
      host,
      allowedHosts,
      onRequest: (entry) => {
        try {
          onRequest(entry);
        } catch (error) {
          onFailure(error);
        }
      },
      page: () => page({ version, baseUrl: this.baseUrl, environment: this.describe(), examples: this.examples() }),
      openApi: () => this.#openApi(),
    });
  }

  async #openApi(): Promise<unknown> {
    const { openApiDocument } = await import("./openapi/openapi-document.ts");
    const { assumptions, rateLimit } = this.#configuration;
    const examples = exampleDocuments(this.#environment, basePath);
    return openApiDocument({ assumptions, rateLimit, version, examples });
  }
}
