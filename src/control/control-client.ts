import type * as control from "../public/control.ts";
import { asControlError, ControlError } from "../errors/control-error.ts";
import { withCallerStacks } from "../validation/from-caller.ts";
import { asCurl } from "../text/curl.ts";
import { expectMembers, unknownMember, plainCopy, plainOptions } from "../validation/members.ts";
import { ValidationError } from "../validation/errors.ts";
import { basePath } from "../model/operations.ts";
import type { KeyType } from "../model/vocabulary.ts";
import { environmentSettings, withSnakeCaseNames } from "../settings/environment-settings.ts";
import { checkedOptions } from "../settings/values.ts";
import type { CallArguments } from "./call.ts";
import type { AdminOperation } from "./operation.ts";
import { type AdminOperationId, adminOperations, type ResponseOf } from "./operations.ts";
import { checkPathId } from "./path-id.ts";

/** Names one environment: without `uid`, any with this id. */
export type EnvironmentHandle = Pick<control.EnvironmentDescription, "id"> &
  Partial<Pick<control.OpenedDescription, "uid" | "admin_token">>;

/** An environment as it was when it was opened or connected to. */
export type KnownEnvironment = EnvironmentHandle &
  Pick<control.EnvironmentDescription, "offerings" | "marketing_key" | "partner_key">;

/** The way to a sandbox: in process or over HTTP. */
export interface Transport {
  /** The origin: `http://localhost:4120`. */
  readonly url: string;
  /**
   * Calls an operation, on the default environment unless another is given. Rejects with ControlError or
   * ValidationError; with the code `not_found` if the environment has ended, even if another has its id now.
   */
  call<Id extends AdminOperationId>(
    operation: Id,
    args: CallArguments,
    environment?: EnvironmentHandle,
  ): Promise<ResponseOf<Id>>;
  /** Closes the sandbox in process, or the connection. */
  close(): Promise<void>;
}

/** The commands of an environment. */
class ControlClient implements control.Environment {
  readonly keys: control.Keys;
  readonly #transport: Transport;
  readonly #environment: KnownEnvironment;

  constructor(transport: Transport, environment: KnownEnvironment) {
    this.#transport = transport;
    this.#environment = environment;
    this.keys = withCallerStacks({
      get marketing() {
        return expectSecret(environment.marketing_key, "marketing");
      },
      get partner() {
        return expectSecret(environment.partner_key, "partner");
      },
      list: () => itemsOf(this.#call("listKeys")),
      issue: (body) => this.#call("issueKey", { body }),
      revoke: (id) => this.#call("revokeKey", { id }),
    });
  }

  readonly clock: control.Clock = withCallerStacks<control.Clock>({
    get: () => this.#call("getClock"),
    set: (instantOrSetting) =>
      this.#call("setClock", () => {
        const setting = plainCopy(instantOrSetting);
        return { body: typeof setting === "string" ? { now: setting } : setting };
      }),
    advance: (duration, subject) => this.#call("advanceClock", { body: { ...subject, by: duration } }),
    advanceTo: (instant, subject) => this.#call("advanceClock", { body: { ...subject, to: instant } }),
    next: (subject) => this.#call("advanceClock", { body: { ...subject, to: "next" } }),
    previous: (subject) => this.#call("setClock", { body: { ...subject, now: "previous" } }),
    undo: (body = {}) => this.#call("undo", { body }),
  });

  readonly scenarios: control.Scenarios = withCallerStacks<control.Scenarios>({
    list: () => itemsOf(this.#call("listScenarios")),
    get: (id) => this.#call("getScenario", { id }),
    check: (body) => this.#call("checkScenario", { body }),
    record: (body = {}) => this.#call("recordScenario", { body }),
    save: (body) => this.#call("saveScenario", { body }),
    delete: (id) => this.#call("deleteScenario", { id }),
  });

  readonly runs: control.Runs = withCallerStacks<control.Runs>({
    list: () => itemsOf(this.#call("listRuns")),
    get: (id) => this.#call("getRun", { id }),
    next: (id) => this.#call("playNext", { id }),
    stop: (id) => this.#call("stopRun", { id }),
  });

  readonly investments: control.Investments = withCallerStacks<control.Investments>({
    list: (filter = {}) => this.#call("listInvestments", { query: filter }),
    get: (id) => this.#call("getInvestment", { id }),
    create: (body) => this.#call("createInvestment", { body }),
    change: (id, body) => this.#call("changeInvestment", { id, body }),
    recordEvent: (id, body) => this.#call("recordEvent", { id, body }),
  });

  readonly requests: control.Requests = withCallerStacks<control.Requests>({
    list: (filter = {}) => this.#call("listRequests", { query: filter }),
    count: async (filter = {}) => (await this.#call("countRequests", { query: filter })).count,
    response: (id) => this.#call("getResponse", { id: typeof id === "number" ? String(id) : id }),
    clear: () => this.#call("clearRequests"),
  });

  readonly faults: control.Faults = withCallerStacks<control.Faults>({
    list: () => itemsOf(this.#call("listFaults")),
    add: (body) => this.#call("addFault", { body }),
    remove: (id) => (id === undefined ? this.#call("removeFaults") : this.#call("removeFault", { id })),
  });

  readonly limits: control.LimitsControl = withCallerStacks<control.LimitsControl>({
    list: () => itemsOf(this.#call("listLimits")),
    clear: () => this.#call("clearLimits"),
    set: (id, used) => this.#call("setLimit", { id, body: used === undefined ? {} : { used } }),
  });

  readonly assumptions: control.AssumptionsControl = withCallerStacks<control.AssumptionsControl>({
    list: () => itemsOf(this.#call("listAssumptions")),
    set: (body) => itemsOf(this.#call("setAssumptions", { body })),
  });

  get id(): string {
    return this.#environment.id;
  }

  get baseUrl(): string {
    return this.#transport.url + basePath;
  }

  get offerings(): readonly control.OfferingDescription[] {
    return this.#environment.offerings;
  }

  get offering(): control.OfferingDescription {
    const [offering] = this.offerings;
    if (offering) return offering;
    throw new ControlError("not_found", "The fixture has no offerings.");
  }

  describe(): Promise<control.EnvironmentDescription> {
    return this.#call("getEnvironment");
  }

  pulse(since: control.PulseSince = {}): Promise<control.Pulse> {
    return this.#call("getPulse", { query: since });
  }

  /** Lists examples with this client's address, which a proxy may hide from the server. */
  async examples(): Promise<readonly control.ExampleCall[]> {
    return (await itemsOf(this.#call("listExamples"))).map((call) => ({
      ...call,
      curl: asCurl({ url: this.baseUrl + call.path, key: call.key }),
    }));
  }

  preview(body: control.PreviewRequest): Promise<control.PreviewedResponse> {
    return this.#call("preview", { body });
  }

  compare(body: control.ComparisonRequest): Promise<control.Comparison> {
    return this.#call("compare", { body });
  }

  offeringSummaries(): Promise<readonly control.OfferingSummary[]> {
    return itemsOf(this.#call("listOfferings"));
  }

  play(scenario: string | object, subject: control.PlaySubject = {}): Promise<control.RunDescription> {
    return this.#call("playScenario", () => {
      const body = plainCopy(subject);
      expectMembers(body, "the request");
      if (!("scenario" in body)) return { body: { scenario, ...body } };
      throw new ValidationError(unknownMember("scenario", ["offering_id", "investment_id"], "the request"));
    });
  }

  timeline(filter: control.TimelineFilter = {}): Promise<readonly control.ChangeDescription[]> {
    return itemsOf(this.#call("getTimeline", { query: filter }));
  }

  histogram(filter: control.HistogramFilter = {}): Promise<control.TimelineHistogram> {
    return this.#call("getHistogram", { query: filter });
  }

  async reset(): Promise<void> {
    await this.#call("resetEnvironment");
  }

  snapshot(): Promise<control.Snapshot> {
    return this.#call("getSnapshot");
  }

  async restore(snapshot: control.Snapshot): Promise<void> {
    await this.#call("restoreSnapshot", { body: snapshot });
  }

  replay(snapshot?: control.Snapshot, body: control.ReplayOptions = {}): Promise<control.ReplayReport> {
    return this.#call("replay", () => ({ body: { ...plainCopy(body), ...(snapshot !== undefined && { snapshot }) } }));
  }

  coverage(scope: { readonly all?: boolean | undefined } = {}): Promise<control.CoverageReport> {
    return this.#call("getCoverage", { query: scope });
  }

  async close(query?: control.CloseOptions): Promise<void> {
    try {
      await this.#call("deleteEnvironment", { query });
    } catch (error) {
      // The environment has already ended.
      if (!(error instanceof ControlError && error.code === "not_found")) throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #call<Id extends AdminOperationId>(
    id: Id,
    args: CallArguments | (() => CallArguments) = {},
  ): Promise<ResponseOf<Id>> {
    return asControlError(() => {
      const copy = copyArguments(adminOperations[id], typeof args === "function" ? args() : args);
      return this.#transport.call(id, copy, this.#environment);
    });
  }
}

withCallerStacks(ControlClient.prototype);

/** The commands of a sandbox and of one of its environments. */
export class ControlSandbox extends ControlClient implements control.Sandbox {
  readonly #transport: Transport;

  constructor(transport: Transport, environment: KnownEnvironment) {
    super(transport, environment);
    this.#transport = transport;
  }

  get url(): string {
    return this.#transport.url;
  }

  get adminUrl(): string {
    return `${this.url}/__admin`;
  }

  openEnvironment(options: control.EnvironmentOptions = {}): Promise<control.OpenedEnvironment> {
    return asControlError(async () => {
      const checked = checkedOptions(environmentSettings, plainOptions(options), "the environment");
      const opened = await this.#transport.call("openEnvironment", { body: withSnakeCaseNames({ ...checked }) });
      const { portal_link: portalLink, admin_token: adminToken, view_link: viewLink } = opened;
      return Object.assign(new ControlClient(this.#transport, opened), { portalLink, adminToken, viewLink });
    });
  }

  environment(id: string): Promise<control.Environment> {
    return asControlError(async () => {
      const environment = await this.#transport.call("getEnvironment", {}, { id: checkPathId(id) });
      return new ControlClient(this.#transport, environment);
    });
  }

  server(): Promise<control.ServerDescription> {
    return this.#transport.call("getServer", {});
  }

  environments(): Promise<readonly control.EnvironmentDescription[]> {
    return this.#transport.call("listEnvironments", {}).then(({ data }) => data.filter((entry) => "keys" in entry));
  }

  async environmentSummaries(): Promise<readonly control.EnvironmentSummary[]> {
    const { data } = await this.#transport.call("listEnvironments", { query: { summary: true } });
    return data.filter((entry) => "expires_at" in entry);
  }

  stop(): Promise<void> {
    return this.#transport.call("stopSandbox", {});
  }

  override close(): Promise<void> {
    return this.#transport.close();
  }
}

withCallerStacks(ControlSandbox.prototype);

/**
 * Copies the arguments of a call, so that later changes have no effect. Throws ValidationError for values that JSON
 * cannot hold, and for an invalid query, because the text of a value could be read as another value.
 */
export function copyArguments(
  { query: table = {}, body: name }: AdminOperation,
  { id, query, body }: CallArguments,
): CallArguments {
  const filter = plainCopy(query);
  return {
    ...(id !== undefined && { id: checkPathId(id) }),
    ...(filter !== undefined && { query: checkedOptions(table, filter, "the filter") }),
    // A missing body would be an empty object over HTTP.
    ...(name !== undefined && { body: plainCopy({ body }).body ?? null }),
  };
}

/** Returns the items of a list's response. */
async function itemsOf<Item>(response: Promise<{ readonly data: readonly Item[] }>): Promise<readonly Item[]> {
  return (await response).data;
}

/** Returns a secret. Throws ControlError if there is none, because a test without a key would not test anything. */
function expectSecret(secret: string | null, type: KeyType): string {
  if (secret !== null) return secret;
  throw new ControlError("not_found", `The first offering was opened without a ${type} key that serves; issue one.`);
}
