import { coverageScope, environmentList } from "../settings/admin-queries.ts";
import { investmentFilter } from "../settings/investment-filter.ts";
import { pulseSince } from "../settings/pulse-since.ts";
import { requestFilter } from "../settings/request-filter.ts";
import { outlineFilter, timelineFilter } from "../settings/timeline-filter.ts";
import { type AnswerIn, type BodyIn, one, operation, type QueryIn } from "./operation.ts";

/** Every operation of the admin API: clients, the router and the OpenAPI document read them here; `handlers` does them. */
export const adminOperations = {
  getHealth: operation("GET /health", {
    summary: "Check that the server is up",
    answer: "Health",
    open: true,
  }),
  getAdminOpenApi: operation("GET /openapi.json", {
    summary: "Get this document",
    answer: "OpenApiDocument",
    open: true,
  }),
  stopSandbox: operation("POST /stop", {
    summary: "Stop the sandbox; refused unless `offering-sandbox start` runs it",
    changes: false,
  }),

  listEnvironments: operation("GET /environments", {
    summary: "List the open environments",
    query: environmentList,
    answer: "EnvironmentList",
  }),
  openEnvironment: operation("POST /environments", {
    summary: "Open an environment with its own marketing and partner key for each offering",
    body: "EnvironmentOptions",
    answer: "OpenedEnvironment",
    creates: true,
  }),
  getEnvironment: operation(`GET ${one}`, {
    summary: "Describe an environment as it is now",
    answer: "Environment",
  }),
  dropEnvironment: operation(`DELETE ${one}`, { summary: "Drop an environment", waits: false }),
  resetEnvironment: operation(`POST ${one}/reset`, {
    summary: "Reset the environment to how it was opened; its keys stay valid",
    answer: "Environment",
    // It is the way out of a leap of the clock.
    waits: false,
  }),
  getPulse: operation(`GET ${one}/pulse`, {
    summary: "Get the news since an earlier pulse; in no log",
    query: pulseSince,
    answer: "Pulse",
  }),
  listExamples: operation(`GET ${one}/examples`, {
    summary: "List example calls of the service, one for each kind of answer",
    answer: "ExampleList",
  }),
  preview: operation(`POST ${one}/preview`, {
    summary: "Get what the service would answer a GET; this counts nowhere and is in no journal",
    body: "PreviewOrder",
    whole: "the preview",
    answer: "PreviewedResponse",
    changes: false,
  }),
  compare: operation(`POST ${one}/comparison`, {
    summary: "Get an offering or investment as held and as each key reads it, all of one instant; this counts nowhere",
    body: "ComparisonOrder",
    whole: "the comparison",
    answer: "Comparison",
    changes: false,
  }),
  listOfferings: operation(`GET ${one}/offerings`, {
    summary: "List the offerings, with counts and sums of their investments",
    answer: "OfferingSummaryList",
  }),
  getSnapshot: operation(`GET ${one}/snapshot`, {
    summary: "Get the whole environment as one document",
    answer: "Snapshot",
  }),
  restoreSnapshot: operation(`PUT ${one}/snapshot`, {
    summary: "Restore the environment from a snapshot of it, or of another over the same fixture",
    body: "Snapshot",
    answer: "Environment",
  }),

  replay: operation(`POST ${one}/replay`, {
    summary: "Ask the requests in the journal again, each at its own state; this counts nowhere",
    body: "ReplayOrder",
    whole: "the replay",
    answer: "ReplayReport",
    changes: false,
  }),

  getClock: operation(`GET ${one}/clock`, { summary: "Read the clock", answer: "Clock" }),
  setClock: operation(`PUT ${one}/clock`, {
    summary: "Set the clock, forwards or backwards, or its speed; `previous` takes the last change back",
    body: "ClockSetting",
    whole: "the clock",
    answer: "ClockSet",
  }),
  advanceClock: operation(`POST ${one}/clock/advance`, {
    summary: "Advance the clock by a duration, to an instant or to the next change",
    body: "ClockStep",
    whole: "the advance",
    answer: "ClockAdvance",
  }),
  getTimeline: operation(`GET ${one}/timeline`, {
    summary: "List the changes, past and future",
    query: timelineFilter,
    answer: "ChangeList",
  }),
  getOutline: operation(`GET ${one}/timeline/outline`, {
    summary: "Get how the changes are spread over time",
    query: outlineFilter,
    answer: "TimelineOutline",
  }),

  listKeys: operation(`GET ${one}/keys`, { summary: "List the keys", answer: "KeyList" }),
  issueKey: operation(`POST ${one}/keys`, {
    summary: "Issue a key",
    body: "KeyOrder",
    whole: "the key",
    answer: "Key",
    creates: true,
  }),
  revokeKey: operation(`DELETE ${one}/keys/{id}`, { summary: "Revoke a key; it stays listed", answer: "Key" }),

  listScenarios: operation(`GET ${one}/scenarios`, {
    summary: "List the scenarios that can be played by name",
    answer: "ScenarioList",
  }),
  getScenario: operation(`GET ${one}/scenarios/{id}`, {
    summary: "Get a scenario by its name, with its steps in words and its text",
    answer: "ScenarioDetail",
  }),
  checkScenario: operation(`POST ${one}/scenarios/check`, {
    summary: "Check a scenario",
    body: "ScenarioDocument",
    yaml: true,
    answer: "ScenarioCheck",
    changes: false,
  }),
  recordScenario: operation(`POST ${one}/scenarios/record`, {
    summary: "Write what was done by hand as a scenario; nothing is kept",
    body: "RecordOrder",
    whole: "the recording",
    answer: "RecordedScenario",
    changes: false,
  }),
  listRuns: operation(`GET ${one}/runs`, { summary: "List the runs", answer: "RunList" }),
  getRun: operation(`GET ${one}/runs/{id}`, {
    summary: "Get a run with its scenario, in words and as text",
    answer: "RunDetail",
  }),
  playScenario: operation(`POST ${one}/runs`, {
    summary: "Play a scenario",
    body: "PlayOrder",
    whole: "the order",
    yaml: true,
    answer: "Run",
    creates: true,
  }),
  playNext: operation(`POST ${one}/runs/{id}/next`, { summary: "Play the waiting step", answer: "Run" }),
  stopRun: operation(`DELETE ${one}/runs/{id}`, {
    summary: "Stop a run: its remaining steps will not happen; it stays listed",
    answer: "Run",
  }),

  listInvestments: operation(`GET ${one}/investments`, {
    summary: "List investments; this counts against no limit and is in no journal",
    query: investmentFilter,
    answer: "InvestmentPage",
  }),
  getInvestment: operation(`GET ${one}/investments/{id}`, {
    summary: "Get the whole of an investment, with its events",
    answer: "Investment",
  }),
  createInvestment: operation(`POST ${one}/investments`, {
    summary: "Create an investment now; anything left out is completed",
    body: "NewInvestment",
    whole: "the investment",
    answer: "Investment",
    creates: true,
  }),
  changeInvestment: operation(`PATCH ${one}/investments/{id}`, {
    summary: "Change an investment, its investors, signing parties and payments now",
    body: "InvestmentChange",
    whole: "the change",
    answer: "Investment",
  }),
  recordEvent: operation(`POST ${one}/investments/{id}/events`, {
    summary: "Record an event of an investment now",
    body: "EventOrder",
    whole: "the event",
    answer: "Event",
    creates: true,
  }),

  listRequests: operation(`GET ${one}/requests`, {
    summary: "List the requests in the journal, oldest first",
    query: requestFilter,
    answer: "RequestList",
  }),
  countRequests: operation(`GET ${one}/requests/count`, {
    summary: "Count the requests in the journal",
    query: requestFilter,
    answer: "RequestCount",
  }),
  getAnswer: operation(`GET ${one}/requests/{id}/answer`, {
    summary: "Make the answer to a request in the journal again, at its own state",
    answer: "RequestAnswer",
  }),
  getCoverage: operation(`GET ${one}/coverage`, {
    summary: "Get which behaviours of the service the clients have met, and how they reacted",
    query: coverageScope,
    beyond: "all",
    answer: "CoverageReport",
  }),
  clearRequests: operation(`DELETE ${one}/requests`, { summary: "Clear the journal" }),

  listFaults: operation(`GET ${one}/faults`, { summary: "List the faults", answer: "FaultList" }),
  addFault: operation(`POST ${one}/faults`, {
    summary: "Add a fault: make requests fail or wait",
    body: "FaultRule",
    whole: "the fault",
    answer: "Fault",
    creates: true,
  }),
  removeFaults: operation(`DELETE ${one}/faults`, { summary: "Remove all faults" }),
  removeFault: operation(`DELETE ${one}/faults/{id}`, { summary: "Remove a fault" }),

  listLimits: operation(`GET ${one}/limits`, {
    summary: "List the use of each key's rate limit",
    answer: "LimitList",
  }),
  clearLimits: operation(`DELETE ${one}/limits`, { summary: "Reset the rate limits" }),
  setLimit: operation(`PUT ${one}/limits/{id}`, {
    summary: "Set the number of requests that a key has used",
    body: "LimitSetting",
    whole: "the limit",
    answer: "Limit",
  }),

  listAssumptions: operation(`GET ${one}/assumptions`, {
    summary: "List the assumptions in force",
    answer: "AssumptionList",
  }),
  setAssumptions: operation(`PATCH ${one}/assumptions`, {
    summary: "Change assumptions",
    body: "AssumptionChanges",
    whole: "the change",
    answer: "AssumptionList",
  }),
};

type Table = typeof adminOperations;

export type AdminOperationId = keyof Table;

export type AnswerOf<Id extends AdminOperationId> = AnswerIn<Table[Id]>;
export type QueryOf<Id extends AdminOperationId> = QueryIn<Table[Id]>;
export type BodyOf<Id extends AdminOperationId> = BodyIn<Table[Id]>;

/** The parts of a call beside its environment: the id in the path, the query and the body. */
export type PartsOf<Id extends AdminOperationId> = (Table[Id]["path"] extends `${string}{id}${string}`
  ? { readonly id: string }
  : { readonly id?: never }) &
  (undefined extends BodyOf<Id> ? { readonly body?: never } : { readonly body: BodyOf<Id> }) &
  (undefined extends QueryOf<Id> ? { readonly query?: never } : { readonly query?: NonNullable<QueryOf<Id>> });
