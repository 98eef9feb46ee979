import { investmentFilter } from "../settings/investment-filter.ts";
import { requestFilter } from "../settings/request-filter.ts";
import { environmentOperations } from "./environment-operations.ts";
import { type AdminOperation, type ContentOf, data, one, operation } from "./operation.ts";
import { asRemote } from "./remote.ts";
import { timeOperations } from "./time-operations.ts";

/** Every operation of the admin API: the client, the router and the OpenAPI document read them here. */
export const adminOperations = {
  ...environmentOperations,

  ...timeOperations,

  listKeys: operation(`GET ${one}/keys`, { summary: "List the keys", answer: "KeyList" }, ({ environment }) =>
    data(environment.keys.list()),
  ),
  issueKey: operation(
    `POST ${one}/keys`,
    { summary: "Issue a key", body: "KeyOrder", answer: "Key", creates: true },
    ({ environment, body }) => environment.keys.issue(body),
  ),
  revokeKey: operation(
    `DELETE ${one}/keys/{id}`,
    { summary: "Revoke a key; it stays listed", answer: "Key" },
    ({ environment, id }) => environment.keys.revoke(id),
  ),

  listScenarios: operation(
    `GET ${one}/scenarios`,
    { summary: "List the scenarios that can be played by name", answer: "ScenarioList" },
    ({ environment }) => data(environment.scenarios.list()),
  ),
  getScenario: operation(
    `GET ${one}/scenarios/{id}`,
    { summary: "Get a scenario by its name, with its steps in words and its text", answer: "ScenarioDetail" },
    ({ environment, id }) => environment.scenarios.get(id),
  ),
  checkScenario: operation(
    `POST ${one}/scenarios/check`,
    { summary: "Check a scenario", body: "ScenarioDocument", yaml: true, answer: "ScenarioCheck" },
    ({ environment, body }) => environment.scenarios.check(body),
  ),
  listRuns: operation(`GET ${one}/runs`, { summary: "List the runs", answer: "RunList" }, ({ environment }) =>
    data(environment.runs.list()),
  ),
  getRun: operation(
    `GET ${one}/runs/{id}`,
    { summary: "Get a run with its scenario, in words and as text", answer: "RunDetail" },
    ({ environment, id }) => environment.runs.get(id),
  ),
  playScenario: operation(
    `POST ${one}/runs`,
    { summary: "Play a scenario", body: "PlayOrder", yaml: true, answer: "Run", creates: true },
    ({ environment, body }) => {
      if (typeof body === "string") return environment.play(body, asRemote({}));
      const { scenario, ...subject } = body;
      return environment.play(scenario, asRemote(subject));
    },
  ),
  playNext: operation(
    `POST ${one}/runs/{id}/next`,
    { summary: "Play the waiting step", answer: "Run" },
    ({ environment, id }) => environment.runs.next(id),
  ),
  stopRun: operation(
    `DELETE ${one}/runs/{id}`,
    { summary: "Stop a run: its remaining steps will not happen; it stays listed", answer: "Run" },
    ({ environment, id }) => environment.runs.stop(id),
  ),

  listInvestments: operation(
    `GET ${one}/investments`,
    {
      summary: "List investments; this counts against no limit and is in no journal",
      query: investmentFilter,
      answer: "InvestmentPage",
    },
    ({ environment, query }) => environment.investments.list(query),
  ),
  getInvestment: operation(
    `GET ${one}/investments/{id}`,
    { summary: "Get the whole of an investment, with its events", answer: "Investment" },
    ({ environment, id }) => environment.investments.get(id),
  ),
  createInvestment: operation(
    `POST ${one}/investments`,
    {
      summary: "Create an investment now; anything left out is completed",
      body: "NewInvestment",
      answer: "Investment",
      creates: true,
    },
    ({ environment, body }) => environment.investments.create(body),
  ),
  changeInvestment: operation(
    `PATCH ${one}/investments/{id}`,
    { summary: "Change an investment now", body: "InvestmentChange", answer: "Investment" },
    ({ environment, id, body }) => environment.investments.change(id, body),
  ),
  recordEvent: operation(
    `POST ${one}/investments/{id}/events`,
    { summary: "Record an event of an investment now", body: "EventOrder", answer: "Event", creates: true },
    ({ environment, id, body }) => environment.investments.recordEvent(id, body),
  ),

  listRequests: operation(
    `GET ${one}/requests`,
    { summary: "List the requests in the journal, oldest first", query: requestFilter, answer: "RequestList" },
    ({ environment, query }) => environment.requests.list(query),
  ),
  countRequests: operation(
    `GET ${one}/requests/count`,
    { summary: "Count the requests in the journal", query: requestFilter, answer: "RequestCount" },
    async ({ environment, query }) => ({ count: await environment.requests.count(query) }),
  ),
  clearRequests: operation(`DELETE ${one}/requests`, { summary: "Clear the journal" }, ({ environment }) =>
    environment.requests.clear(),
  ),

  listFaults: operation(`GET ${one}/faults`, { summary: "List the faults", answer: "FaultList" }, ({ environment }) =>
    data(environment.faults.list()),
  ),
  addFault: operation(
    `POST ${one}/faults`,
    { summary: "Add a fault: make requests fail or wait", body: "FaultRule", answer: "Fault", creates: true },
    ({ environment, body }) => environment.faults.add(body),
  ),
  removeFaults: operation(`DELETE ${one}/faults`, { summary: "Remove all faults" }, ({ environment }) =>
    environment.faults.remove(),
  ),
  removeFault: operation(`DELETE ${one}/faults/{id}`, { summary: "Remove a fault" }, ({ environment, id }) =>
    environment.faults.remove(id),
  ),

  listLimits: operation(
    `GET ${one}/limits`,
    { summary: "List the use of each key's rate limit", answer: "LimitList" },
    ({ environment }) => data(environment.limits.list()),
  ),
  clearLimits: operation(`DELETE ${one}/limits`, { summary: "Reset the rate limits" }, ({ environment }) =>
    environment.limits.clear(),
  ),
  setLimit: operation(
    `PUT ${one}/limits/{id}`,
    { summary: "Set the number of requests that a key has used", body: "LimitSetting", answer: "Limit" },
    ({ environment, id, body: { used } }) => environment.limits.set(id, used),
  ),

  listAssumptions: operation(
    `GET ${one}/assumptions`,
    { summary: "List the assumptions in force", answer: "AssumptionList" },
    ({ environment }) => data(environment.assumptions.list()),
  ),
  setAssumptions: operation(
    `PATCH ${one}/assumptions`,
    { summary: "Change assumptions", body: "AssumptionChanges", answer: "AssumptionList" },
    ({ environment, body }) => data(environment.assumptions.set(body)),
  ),
};

export type AdminOperationId = keyof typeof adminOperations;

/** The content of an operation's response. */
export type AnswerOf<Id extends AdminOperationId> =
  (typeof adminOperations)[Id] extends AdminOperation<infer Answer> ? ContentOf<Answer> : never;

/** The parts that a call of an operation needs beside its environment: those of the path, the query and the body. */
export type PartsOf<Id extends AdminOperationId> =
  (typeof adminOperations)[Id] extends AdminOperation<infer _Answer, infer Path, infer Body, infer Query>
    ? (Path extends `${string}{id}${string}` ? { readonly id: string } : { readonly id?: never }) &
        (undefined extends Body ? { readonly body?: never } : { readonly body: Body }) &
        (undefined extends Query ? { readonly query?: never } : { readonly query?: Partial<Query> })
    : never;

/** Returns the paths of an operation: of an environment by its id, and of the default one without an id. */
export function pathsOf({ path }: AdminOperation): string[] {
  return path.startsWith(`${one}/`) ? [path, path.slice(one.length)] : [path];
}
