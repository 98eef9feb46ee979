// oxlint-disable max-lines -- One table, in which readers look up a call.
import type * as control from "../public/control.ts";
import type { Count } from "../public/scalars.ts";
import {
  closeOptions,
  coverageScope,
  environmentList,
  investmentFilter,
  histogramFilter,
  pulseSince,
  requestFilter,
  timelineFilter,
} from "../settings/queries.ts";
import { type ResponseIn, responses, type BodyIn, environmentPath, operation, type QueryIn } from "./operation.ts";

/** Every operation of the admin API, for clients, the router and the OpenAPI document; `handlers` implements it. */
export const adminOperations = {
  getHealth: operation("GET /health", {
    summary: "Check that the server is up",
    response: responses<Health>(),
    isPublic: true,
  }),
  getServer: operation("GET /server", {
    summary: "Get where the server runs, and since when",
    response: responses<control.ServerDescription>(),
  }),
  getMetrics: operation("GET /metrics", {
    summary: "Get what the process has counted and measured, for Prometheus",
    response: responses<string>(),
    textType: "text/plain",
  }),
  getAdminOpenApi: operation("GET /openapi.json", {
    summary: "Get this document",
    response: responses<OpenApiDocument>(),
    isPublic: true,
  }),
  stopSandbox: operation("POST /stop", {
    summary: "Stop the sandbox; refused unless `offering-sandbox start` runs it",
    changes: false,
  }),

  listEnvironments: operation("GET /environments", {
    summary: "List the open environments",
    query: environmentList,
    response: responses<List<control.EnvironmentDescription | control.EnvironmentSummary>>(),
  }),
  openEnvironment: operation("POST /environments", {
    summary: "Open an environment with the keys of its fixture, each with a new secret",
    body: "EnvironmentOptions",
    response: responses<control.OpenedDescription>(),
    creates: true,
  }),
  getEnvironment: operation(`GET ${environmentPath}`, {
    summary: "Describe an environment in its current state",
    response: responses<control.EnvironmentDescription>(),
  }),
  makeLinks: operation(`POST ${environmentPath}/links`, {
    summary: "Make links to the environment in the portal, one of them view-only",
    response: responses<control.EnvironmentLinks>(),
    waits: false,
    keepsUndo: true,
  }),
  deleteEnvironment: operation(`DELETE ${environmentPath}`, {
    summary: "Delete an environment",
    query: closeOptions,
    waits: false,
  }),
  resetEnvironment: operation(`POST ${environmentPath}/reset`, {
    summary: "Reset the environment to how it was opened; its keys stay valid",
    response: responses<control.EnvironmentDescription>(),
    // A reset can end a long clock advance, so it does not wait for the end of the advance.
    waits: false,
  }),
  getPulse: operation(`GET ${environmentPath}/pulse`, {
    summary: "Get what is new since an earlier pulse; the call is never logged",
    query: pulseSince,
    response: responses<control.Pulse>(),
  }),
  listExamples: operation(`GET ${environmentPath}/examples`, {
    summary: "List example calls of the service, one for each kind of response",
    response: responses<List<control.ExampleCall>>(),
  }),
  preview: operation(`POST ${environmentPath}/preview`, {
    summary: "Get the service's response to a GET, without counting the call or recording it in the journal",
    body: "PreviewRequest",
    label: "the preview",
    response: responses<control.PreviewedResponse>(),
    changes: false,
  }),
  compare: operation(`POST ${environmentPath}/comparison`, {
    summary: "Get an offering or investment as stored and as each key gets it, at one instant, without counting a read",
    body: "ComparisonRequest",
    label: "the comparison",
    response: responses<control.Comparison>(),
    changes: false,
  }),
  listOfferings: operation(`GET ${environmentPath}/offerings`, {
    summary: "List the offerings, with counts and sums of their investments",
    response: responses<List<control.OfferingSummary>>(),
  }),
  getSnapshot: operation(`GET ${environmentPath}/snapshot`, {
    summary: "Get the whole environment as one document",
    isLarge: true,
    response: responses<control.Snapshot>(),
  }),
  restoreSnapshot: operation(`PUT ${environmentPath}/snapshot`, {
    summary: "Restore the environment from a snapshot of this environment, or of another with the same fixture",
    body: "Snapshot",
    response: responses<control.EnvironmentDescription>(),
  }),

  replay: operation(`POST ${environmentPath}/replay`, {
    summary: "Repeat the requests in the journal, each at its own state, without counting or recording them",
    body: "ReplayOptions",
    label: "the replay",
    response: responses<control.ReplayReport>(),
    changes: false,
  }),

  getClock: operation(`GET ${environmentPath}/clock`, {
    summary: "Read the clock",
    response: responses<control.ClockReading>(),
  }),
  setClock: operation(`PUT ${environmentPath}/clock`, {
    summary: "Set the clock, forwards or backwards, or its speed; `previous` undoes the last change",
    body: "ClockSetting",
    label: "the clock",
    response: responses<control.ClockMove>(),
    keepsUndo: true,
  }),
  advanceClock: operation(`POST ${environmentPath}/clock/advance`, {
    summary: "Advance the clock by a duration, to an instant or to the next change",
    body: "ClockStep",
    label: "the advance",
    response: responses<control.ClockMove>(),
    keepsUndo: true,
  }),
  undo: operation(`POST ${environmentPath}/clock/undo`, {
    summary: "Undo the last move of the clock, or the last change of an investment",
    body: "UndoOptions",
    label: "the undo",
    response: responses<control.ClockMove>(),
    keepsUndo: true,
  }),
  getTimeline: operation(`GET ${environmentPath}/timeline`, {
    summary: "List the changes, past and future",
    query: timelineFilter,
    isLarge: true,
    response: responses<List<control.ChangeDescription>>(),
  }),
  getHistogram: operation(`GET ${environmentPath}/timeline/histogram`, {
    summary: "Get the number of changes over time",
    query: histogramFilter,
    response: responses<control.TimelineHistogram>(),
  }),

  listKeys: operation(`GET ${environmentPath}/keys`, {
    summary: "List the keys",
    response: responses<List<control.KeyDescription>>(),
  }),
  issueKey: operation(`POST ${environmentPath}/keys`, {
    summary: "Issue a marketing or partner key",
    body: "NewKey",
    label: "the key",
    response: responses<control.KeyDescription>(),
    creates: true,
  }),
  revokeKey: operation(`DELETE ${environmentPath}/keys/{id}`, {
    summary: "Revoke a key; it stays listed",
    response: responses<control.KeyDescription>(),
  }),

  listScenarios: operation(`GET ${environmentPath}/scenarios`, {
    summary: "List the scenarios that can be played by name",
    response: responses<List<control.ScenarioDescription>>(),
  }),
  getScenario: operation(`GET ${environmentPath}/scenarios/{id}`, {
    summary: "Get a scenario by its name, with its steps in words and its text",
    response: responses<control.ScenarioDetail>(),
  }),
  checkScenario: operation(`POST ${environmentPath}/scenarios/check`, {
    summary: "Check a scenario",
    body: "ScenarioDocument",
    yaml: true,
    response: responses<control.ScenarioCheck>(),
    changes: false,
  }),
  saveScenario: operation(`POST ${environmentPath}/scenarios`, {
    summary: "Save a scenario, in place of a saved one with the same name; a reset does not remove it",
    body: "ScenarioDocument",
    yaml: true,
    response: responses<control.ScenarioDescription>(),
    creates: true,
    keepsUndo: true,
  }),
  deleteScenario: operation(`DELETE ${environmentPath}/scenarios/{id}`, {
    summary: "Delete a saved scenario; its runs stay",
    keepsUndo: true,
  }),
  recordScenario: operation(`POST ${environmentPath}/scenarios/record`, {
    summary: "Write the manual changes as a scenario, without saving it",
    body: "RecordOptions",
    label: "the recording",
    response: responses<control.RecordedScenario>(),
    changes: false,
  }),
  listRuns: operation(`GET ${environmentPath}/runs`, {
    summary: "List the runs",
    response: responses<List<control.RunDescription>>(),
  }),
  getRun: operation(`GET ${environmentPath}/runs/{id}`, {
    summary: "Get a run with its scenario, in words and as text",
    response: responses<control.RunDetail>(),
  }),
  playScenario: operation(`POST ${environmentPath}/runs`, {
    summary: "Play a scenario",
    body: "PlayOptions",
    label: "the request",
    yaml: true,
    response: responses<control.RunDescription>(),
    creates: true,
  }),
  playNext: operation(`POST ${environmentPath}/runs/{id}/next`, {
    summary: "Play the waiting step",
    response: responses<control.RunDescription>(),
  }),
  stopRun: operation(`DELETE ${environmentPath}/runs/{id}`, {
    summary: "Stop a run: its upcoming steps are removed; it stays listed",
    response: responses<control.RunDescription>(),
  }),

  listInvestments: operation(`GET ${environmentPath}/investments`, {
    summary: "List investments, without counting the call against a limit or recording it in the journal",
    query: investmentFilter,
    response: responses<control.InvestmentPage>(),
  }),
  getInvestment: operation(`GET ${environmentPath}/investments/{id}`, {
    summary: "Get a complete investment, with its events",
    response: responses<control.InvestmentRecord>(),
  }),
  createInvestment: operation(`POST ${environmentPath}/investments`, {
    summary: "Create an investment now; anything omitted is completed",
    body: "NewInvestment",
    label: "the investment",
    response: responses<control.InvestmentRecord>(),
    creates: true,
  }),
  changeInvestment: operation(`PATCH ${environmentPath}/investments/{id}`, {
    summary: "Change an investment, its investors, signing parties and payments now",
    body: "InvestmentChange",
    label: "the change",
    response: responses<control.InvestmentRecord>(),
    keepsUndo: true,
  }),
  recordEvent: operation(`POST ${environmentPath}/investments/{id}/events`, {
    summary: "Record an event of an investment now",
    body: "NewEvent",
    label: "the event",
    response: responses<control.EventRecord>(),
    creates: true,
  }),

  listRequests: operation(`GET ${environmentPath}/requests`, {
    summary: "List the requests in the journal, oldest first",
    query: requestFilter,
    response: responses<control.RequestList>(),
  }),
  countRequests: operation(`GET ${environmentPath}/requests/count`, {
    summary: "Count the requests in the journal",
    query: requestFilter,
    response: responses<RequestCount>(),
  }),
  getResponse: operation(`GET ${environmentPath}/requests/{id}/response`, {
    summary: "Repeat the response to a request in the journal, at its own state",
    response: responses<control.ReplayedResponse>(),
  }),
  getCoverage: operation(`GET ${environmentPath}/coverage`, {
    summary: "Get which operations and errors of the service the clients have covered, and how they reacted",
    query: coverageScope,
    allEnvironmentsParameter: "all",
    response: responses<control.CoverageReport>(),
  }),
  clearRequests: operation(`DELETE ${environmentPath}/requests`, { summary: "Clear the journal" }),

  listFaults: operation(`GET ${environmentPath}/faults`, {
    summary: "List the faults",
    response: responses<List<control.FaultDescription>>(),
  }),
  addFault: operation(`POST ${environmentPath}/faults`, {
    summary: "Add a fault: make requests fail or wait",
    body: "FaultRule",
    label: "the fault",
    response: responses<control.FaultDescription>(),
    creates: true,
  }),
  removeFaults: operation(`DELETE ${environmentPath}/faults`, { summary: "Remove all faults" }),
  removeFault: operation(`DELETE ${environmentPath}/faults/{id}`, { summary: "Remove a fault" }),

  listLimits: operation(`GET ${environmentPath}/limits`, {
    summary: "List the use of each key's rate limit",
    response: responses<List<control.LimitDescription>>(),
  }),
  clearLimits: operation(`DELETE ${environmentPath}/limits`, { summary: "Reset the rate limits" }),
  setLimit: operation(`PUT ${environmentPath}/limits/{id}`, {
    summary: "Set the number of requests that a key has used",
    body: "LimitSetting",
    label: "the limit",
    response: responses<control.LimitDescription>(),
  }),

  listAssumptions: operation(`GET ${environmentPath}/assumptions`, {
    summary: "List the current assumptions",
    response: responses<List<control.AssumptionDescription>>(),
  }),
  setAssumptions: operation(`PATCH ${environmentPath}/assumptions`, {
    summary: "Change assumptions",
    body: "AssumptionChanges",
    label: "the change",
    response: responses<List<control.AssumptionDescription>>(),
  }),
};

interface Health {
  /** `stopping` while a server with `--drain` ends. The response to a call with `?ready` then has the status 503. */
  readonly status: "ok" | "stopping";
  /** Whether PostgreSQL responds; omitted without PostgreSQL. A server stays ready meanwhile: its calls wait. */
  readonly database?: "ok" | "away";
  readonly version: string;
  readonly uptime_seconds: Count;
}

interface OpenApiDocument {
  readonly openapi: string;
  readonly [member: string]: unknown;
}

interface RequestCount {
  readonly count: Count;
}

interface List<Item> {
  readonly data: readonly Item[];
}

/** The response to a refused call: a problem document (RFC 9457). */
export interface Problem {
  readonly type: "about:blank";
  readonly title: string;
  readonly status: Count;
  readonly detail: string;
  /** The code: `invalid`, `not_found`, `conflict`, `refused`, `not_saved` or another code. */
  readonly code: string;
}

export type AdminOperationId = keyof typeof adminOperations;

type Table = typeof adminOperations;

export type ResponseOf<Id extends AdminOperationId> = ResponseIn<Table[Id]>;
export type QueryOf<Id extends AdminOperationId> = QueryIn<Table[Id]>;
export type BodyOf<Id extends AdminOperationId> = BodyIn<Table[Id]>;

/** The arguments of a call, apart from its environment: the id in the path, the query and the body. */
export type ArgumentsOf<Id extends AdminOperationId> = (Table[Id]["path"] extends `${string}{id}${string}`
  ? { readonly id: string }
  : { readonly id?: never }) &
  (undefined extends BodyOf<Id> ? { readonly body?: never } : { readonly body: BodyOf<Id> }) &
  (undefined extends QueryOf<Id> ? { readonly query?: never } : { readonly query?: NonNullable<QueryOf<Id>> });
