import type { SchemaName } from "../openapi/admin-schemas.ts";
import type { BodyName, BodyValue } from "./bodies.ts";

/** One call of the admin API. */
export interface AdminOperation {
  readonly id: AdminOperationId;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/__admin`; names in braces stand for one segment. */
  readonly path: string;
  readonly summary: string;
  /** The status of an answer that is no error. @default 200 */
  readonly status?: 201 | 204;
  /** Whether requests may have the parameters of a request filter. */
  readonly filtered?: true;
  /** What the request's body is; left out where there is none. */
  readonly body?: BodyName;
  /** Whether the body may be the text of a scenario file instead. */
  readonly yaml?: true;
  /** Whether anybody may call it. */
  readonly open?: true;
}

/** Where everything of an environment is. */
const within = "/environments/{environment}";

const table = [
  { id: "getHealth", method: "GET", path: "/health", summary: "Whether it runs", open: true },
  { id: "getAdminOpenApi", method: "GET", path: "/openapi.json", summary: "This document", open: true },
  { id: "listEnvironments", method: "GET", path: "/environments", summary: "List the environments that are open" },
  {
    id: "openEnvironment",
    method: "POST",
    path: "/environments",
    summary: "Open an environment, with a marketing and a partner key of its own for each offering",
    status: 201,
    body: "EnvironmentOptions",
  },
  { id: "getEnvironment", method: "GET", path: within, summary: "Describe an environment as it is now" },
  { id: "dropEnvironment", method: "DELETE", path: within, summary: "Drop an environment", status: 204 },
  {
    id: "resetEnvironment",
    method: "POST",
    path: `${within}/reset`,
    summary: "Take everything back to how the environment was opened; its keys stay valid",
  },
  { id: "getSnapshot", method: "GET", path: `${within}/snapshot`, summary: "The whole environment as one document" },
  {
    id: "restoreSnapshot",
    method: "PUT",
    path: `${within}/snapshot`,
    summary: "Take the environment back to a snapshot of it",
    body: "Snapshot",
  },
  { id: "getClock", method: "GET", path: `${within}/clock`, summary: "Read the clock" },
  {
    id: "setClock",
    method: "PUT",
    path: `${within}/clock`,
    summary: "Set the clock, backwards too, or its speed",
    body: "ClockSetting",
  },
  {
    id: "advanceClock",
    method: "POST",
    path: `${within}/clock/advance`,
    summary: "Move the clock on, by a duration or to an instant",
    body: "ClockStep",
  },
  { id: "listKeys", method: "GET", path: `${within}/keys`, summary: "List the keys" },
  {
    id: "issueKey",
    method: "POST",
    path: `${within}/keys`,
    summary: "Issue a key",
    status: 201,
    body: "KeyOrder",
  },
  { id: "revokeKey", method: "DELETE", path: `${within}/keys/{id}`, summary: "Revoke a key, which stays listed" },
  { id: "listScenarios", method: "GET", path: `${within}/scenarios`, summary: "List the scenarios known by name" },
  {
    id: "checkScenario",
    method: "POST",
    path: `${within}/scenarios/check`,
    summary: "Say what is wrong with a scenario",
    body: "ScenarioDocument",
    yaml: true,
  },
  { id: "listRuns", method: "GET", path: `${within}/runs`, summary: "List the runs" },
  {
    id: "playScenario",
    method: "POST",
    path: `${within}/runs`,
    summary: "Play a scenario",
    status: 201,
    body: "PlayOrder",
    yaml: true,
  },
  { id: "playNext", method: "POST", path: `${within}/runs/{id}/next`, summary: "Play the step that waits" },
  {
    id: "stopRun",
    method: "DELETE",
    path: `${within}/runs/{id}`,
    summary: "Stop a run, which stays listed: what has not happened will not",
  },
  {
    id: "createInvestment",
    method: "POST",
    path: `${within}/investments`,
    summary: "Bring an investment into being, now; what is left out is completed",
    status: 201,
    body: "NewInvestment",
  },
  {
    id: "changeInvestment",
    method: "PATCH",
    path: `${within}/investments/{id}`,
    summary: "Change an investment, now",
    body: "InvestmentChange",
  },
  {
    id: "recordEvent",
    method: "POST",
    path: `${within}/investments/{id}/events`,
    summary: "Record an event of an investment, now",
    status: 201,
    body: "EventOrder",
  },
  { id: "getTimeline", method: "GET", path: `${within}/timeline`, summary: "List the changes, past and future" },
  {
    id: "listRequests",
    method: "GET",
    path: `${within}/requests`,
    summary: "List the requests in the journal, oldest first",
    filtered: true,
  },
  {
    id: "countRequests",
    method: "GET",
    path: `${within}/requests/count`,
    summary: "Count the requests in the journal",
    filtered: true,
  },
  { id: "clearRequests", method: "DELETE", path: `${within}/requests`, summary: "Empty the journal", status: 204 },
  { id: "listFaults", method: "GET", path: `${within}/faults`, summary: "List the faults" },
  {
    id: "addFault",
    method: "POST",
    path: `${within}/faults`,
    summary: "Make requests fail or wait",
    status: 201,
    body: "FaultRule",
  },
  { id: "removeFaults", method: "DELETE", path: `${within}/faults`, summary: "Remove all faults", status: 204 },
  { id: "removeFault", method: "DELETE", path: `${within}/faults/{id}`, summary: "Remove a fault", status: 204 },
  { id: "listLimits", method: "GET", path: `${within}/limits`, summary: "List the requests used of each key's limit" },
  { id: "clearLimits", method: "DELETE", path: `${within}/limits`, summary: "Forget all requests made", status: 204 },
  {
    id: "setLimit",
    method: "PUT",
    path: `${within}/limits/{id}`,
    summary: "Make a key as if it had made so many requests",
    body: "LimitSetting",
  },
  { id: "listAssumptions", method: "GET", path: `${within}/assumptions`, summary: "List the assumptions in force" },
  {
    id: "setAssumptions",
    method: "PATCH",
    path: `${within}/assumptions`,
    summary: "Change assumptions",
    body: "AssumptionChanges",
  },
] as const;

export type AdminOperationId = (typeof table)[number]["id"];

type Row<Id extends AdminOperationId> = Extract<(typeof table)[number], { readonly id: Id }>;

/** What the body of an operation holds, or the text of a file. */
export type BodyOf<Id extends AdminOperationId> =
  | (Row<Id> extends { readonly body: infer Name extends BodyName } ? BodyValue<Name> : undefined)
  | (Row<Id> extends { readonly yaml: true } ? string : never);

/** Every call of the admin API. */
export const adminOperations: readonly AdminOperation[] = table;

/** Where an operation is found: of an environment by its id, and of the default one without. */
export function pathsOf({ path }: AdminOperation): string[] {
  return path.startsWith(`${within}/`) ? [path, path.slice(within.length)] : [path];
}

/** What each operation answers when it is done; null is nothing. */
export const answers = {
  getHealth: "Health",
  getAdminOpenApi: "OpenApiDocument",
  listEnvironments: "EnvironmentList",
  openEnvironment: "Environment",
  getEnvironment: "Environment",
  dropEnvironment: null,
  resetEnvironment: "Environment",
  getSnapshot: "Snapshot",
  restoreSnapshot: "Environment",
  getClock: "Clock",
  setClock: "Clock",
  advanceClock: "ClockAdvance",
  listKeys: "KeyList",
  issueKey: "Key",
  revokeKey: "Key",
  listScenarios: "ScenarioList",
  checkScenario: "ScenarioCheck",
  listRuns: "RunList",
  playScenario: "Run",
  playNext: "Run",
  stopRun: "Run",
  createInvestment: "Investment",
  changeInvestment: "Investment",
  recordEvent: "Event",
  getTimeline: "ChangeList",
  listRequests: "RequestList",
  countRequests: "RequestCount",
  clearRequests: null,
  listFaults: "FaultList",
  addFault: "Fault",
  removeFaults: null,
  removeFault: null,
  listLimits: "LimitList",
  clearLimits: null,
  setLimit: "Limit",
  listAssumptions: "AssumptionList",
  setAssumptions: "AssumptionList",
} as const satisfies Readonly<Record<AdminOperationId, SchemaName | null>>;
