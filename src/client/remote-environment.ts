import type * as control from "../control.ts";
import { withCurl } from "../control/example-call.ts";
import { expectFirstOffering, expectSecret } from "../control/first-offering.ts";
import type { AdminOperationId, AnswerOf } from "../control/operations.ts";
import { asControlError } from "../errors/control-error.ts";
import { isName } from "../model/text.ts";
import { expectMembers } from "../model/members.ts";
import { plainCopy } from "../model/plain-copy.ts";
import type { AdminConnection, Call } from "./connection.ts";

/** They load YAML. */
const files = () => import("../control/files.ts");

/** The commands of an environment, over the admin API of its sandbox. */
export class RemoteEnvironment implements control.Environment {
  readonly id: string;
  readonly baseUrl: string;
  readonly offerings: readonly control.OfferingDescription[];
  readonly keys: control.Keys;
  readonly #connection: AdminConnection;
  #dropped: Promise<void> | undefined;

  /** `description` is of the moment the environment was opened or connected to. */
  constructor(connection: AdminConnection, description: control.EnvironmentDescription) {
    this.#connection = connection;
    this.id = description.id;
    this.baseUrl = `${connection.url}/api/v1`;
    this.offerings = description.offerings;
    this.keys = {
      get marketing() {
        return expectSecret(description.marketing_key, "marketing");
      },
      get partner() {
        return expectSecret(description.partner_key, "partner");
      },
      list: () => data(this.#call("listKeys")),
      issue: (body) => this.#call("issueKey", { body }),
      revoke: (id) => this.#call("revokeKey", { id }),
    };
  }

  get offering(): control.OfferingDescription {
    return expectFirstOffering(this.offerings);
  }

  readonly clock: control.Clock = {
    get: () => this.#call("getClock"),
    set: async (to) => {
      const setting = await copied(to);
      return this.#call("setClock", { body: typeof setting === "string" ? { now: setting } : setting });
    },
    advance: (by) => this.#call("advanceClock", { body: { by } }),
    advanceTo: (to) => this.#call("advanceClock", { body: { to } }),
    next: () => this.#call("advanceClock", { body: { to: "next" } }),
    previous: () => this.#call("setClock", { body: { now: "previous" } }) as Promise<control.ClockReturn>,
  };

  readonly scenarios: control.Scenarios = {
    list: () => data(this.#call("listScenarios")),
    get: (id) => this.#call("getScenario", { id }),
    check: (body) => this.#call("checkScenario", { body }),
  };

  readonly runs: control.Runs = {
    list: () => data(this.#call("listRuns")),
    get: (id) => this.#call("getRun", { id }),
    next: (id) => this.#call("playNext", { id }),
    stop: (id) => this.#call("stopRun", { id }),
  };

  readonly investments: control.Investments = {
    list: (filter = {}) => this.#call("listInvestments", { query: filter }),
    get: (id) => this.#call("getInvestment", { id }),
    create: (body) => this.#call("createInvestment", { body }),
    change: (id, body) => this.#call("changeInvestment", { id, body }),
    recordEvent: (id, body) => this.#call("recordEvent", { id, body }),
  };

  readonly requests: control.Requests = {
    list: (filter = {}) => this.#call("listRequests", { query: filter }),
    count: async (filter = {}) => (await this.#call("countRequests", { query: filter })).count,
    clear: () => this.#call("clearRequests"),
  };

  readonly faults: control.Faults = {
    list: () => data(this.#call("listFaults")),
    add: (body) => this.#call("addFault", { body }),
    remove: (id) => (id === undefined ? this.#call("removeFaults") : this.#call("removeFault", { id })),
  };

  readonly limits: control.LimitsControl = {
    list: () => data(this.#call("listLimits")),
    clear: () => this.#call("clearLimits"),
    set: (id, used) => this.#call("setLimit", { id, body: { used } }),
  };

  readonly assumptions: control.AssumptionsControl = {
    list: () => data(this.#call("listAssumptions")),
    set: (body) => data(this.#call("setAssumptions", { body })),
  };

  describe(): Promise<control.EnvironmentDescription> {
    return this.#call("getEnvironment");
  }

  pulse(since: control.PulseSince = {}): Promise<control.Pulse> {
    return this.#call("getPulse", { query: since });
  }

  /** For the address of this connection, which may be another than the server knows: a mapped port, a name. */
  async examples(): Promise<readonly control.ExampleCall[]> {
    return (await data(this.#call("listExamples"))).map((call) => withCurl(call, this.baseUrl));
  }

  preview(body: control.PreviewOrder): Promise<control.PreviewedResponse> {
    return this.#call("preview", { body });
  }

  offeringSummaries(): Promise<readonly control.OfferingSummary[]> {
    return data(this.#call("listOfferings"));
  }

  async play(source: string | object, subject: control.PlaySubject = {}): Promise<control.RunDescription> {
    const order = await copied(subject, (given) => expectMembers(given, "the order"));
    const isPlain = typeof source !== "string" || isName(source);
    const scenario = isPlain ? source : await asControlError(async () => (await files()).scenarioDocument(source));
    return this.#call("playScenario", { body: { scenario, ...order } });
  }

  timeline(filter: control.TimelineFilter = {}): Promise<readonly control.ChangeDescription[]> {
    return data(this.#call("getTimeline", { query: filter }));
  }

  outline(buckets?: number): Promise<control.TimelineOutline> {
    return this.#call("getOutline", { query: { buckets } });
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

  close(): Promise<void> {
    this.#dropped ??= this.#call("dropEnvironment").catch((error: unknown) => {
      this.#dropped = undefined;
      throw error;
    });
    return this.#dropped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #call<Id extends AdminOperationId>(id: Id, call: Call = {}): Promise<AnswerOf<Id>> {
    return this.#connection.call(id, { environment: this.id, ...call });
  }
}

/** An argument as plain data. Rejects with ControlError for what JSON cannot hold, and if `check` throws Mistake. */
function copied<Value>(argument: Value, check: (given: unknown) => void = () => {}): Promise<Value> {
  return asControlError(() => {
    const given = plainCopy(argument);
    check(given);
    return given;
  });
}

/** Returns the items of a list's answer. */
export async function data<Item>(answer: Promise<{ readonly data: readonly Item[] }>): Promise<readonly Item[]> {
  return (await answer).data;
}
