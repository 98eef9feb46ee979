import { type ErrorRequestHandler, type RequestHandler, Router } from "express";
import type { Environment, RequestFilter, Sandbox } from "../control.ts";
import { type AdminOperation, type AdminOperationId, adminOperations, type BodyOf } from "../control/operations.ts";
import { ControlError } from "../errors/control-error.ts";
import { HttpError } from "../errors/http-error.ts";
import { readBody, readFilter, route } from "./request.ts";

/** That it runs, which version, for how long. Anyone may ask. */
export interface Health {
  readonly status: "ok";
  readonly version: string;
  readonly uptime_seconds: number;
}

export function health(version: string): Health {
  return { status: "ok", version, uptime_seconds: Math.floor(process.uptime()) };
}

/** What a call of the admin API asks for, read. `Body` is what its body holds. */
export interface Order<Body> {
  readonly environment: Environment;
  /** The id in the path; empty where there is none. */
  readonly id: string;
  readonly filter: RequestFilter;
  readonly body: Body;
}

/** What commands are carried out on. */
export interface CommandTarget {
  readonly sandbox: Sandbox;
  readonly version: string;
  /** The OpenAPI document of the admin API. */
  readonly openApi: () => Promise<unknown>;
}

/** Carries out a call, and answers what its response holds: undefined where that is nothing. */
type Command<Id extends AdminOperationId> = (order: Order<BodyOf<Id>>, target: CommandTarget) => unknown;

/** What each call of the admin API does: one command of the control interface. */
export const commands: { readonly [Id in AdminOperationId]: Command<Id> } = {
  getHealth: (_, { version }) => health(version),
  getAdminOpenApi: (_, { openApi }) => openApi(),

  listEnvironments: (_, { sandbox }) => listed(sandbox.environments()),
  openEnvironment: async ({ body }, { sandbox }) => (await sandbox.openEnvironment(body)).describe(),
  getEnvironment: ({ environment }) => environment.describe(),
  dropEnvironment: ({ environment }) => environment.close(),
  async resetEnvironment({ environment }) {
    await environment.reset();
    return environment.describe();
  },
  getSnapshot: ({ environment }) => environment.snapshot(),
  async restoreSnapshot({ environment, body }) {
    await environment.restore(body);
    return environment.describe();
  },

  getClock: ({ environment }) => environment.clock.get(),
  setClock: ({ environment, body }) => environment.clock.set(body),
  advanceClock: ({ environment: { clock }, body: { by, to = "" } }) =>
    by === undefined ? clock.advanceTo(to) : clock.advance(by),

  listKeys: ({ environment }) => listed(environment.keys.list()),
  issueKey: ({ environment, body }) => environment.keys.issue(body),
  revokeKey: ({ environment, id }) => environment.keys.revoke(id),

  listScenarios: ({ environment }) => listed(environment.scenarios.list()),
  checkScenario: ({ environment, body }) => environment.scenarios.check(body),
  listRuns: ({ environment }) => listed(environment.runs.list()),
  playScenario({ environment, body }) {
    if (typeof body === "string") return environment.play(body);
    const { scenario, ...subject } = body;
    return environment.play(scenario, subject);
  },
  playNext: ({ environment, id }) => environment.runs.next(id),
  stopRun: ({ environment, id }) => environment.runs.stop(id),

  createInvestment: ({ environment, body }) => environment.investments.create(body),
  changeInvestment: ({ environment, id, body }) => environment.investments.change(id, body),
  recordEvent: ({ environment, id, body }) => environment.investments.recordEvent(id, body),
  getTimeline: ({ environment }) => listed(environment.timeline()),

  listRequests: ({ environment, filter }) => environment.requests.list(filter),
  countRequests: async ({ environment, filter }) => ({ count: await environment.requests.count(filter) }),
  clearRequests: ({ environment }) => environment.requests.clear(),

  listFaults: ({ environment }) => listed(environment.faults.list()),
  addFault: ({ environment, body }) => environment.faults.add(body),
  removeFaults: ({ environment }) => environment.faults.remove(),
  removeFault: ({ environment, id }) => environment.faults.remove(id),

  listLimits: ({ environment }) => listed(environment.limits.list()),
  clearLimits: ({ environment }) => environment.limits.clear(),
  setLimit: ({ environment, id, body: { used } }) => environment.limits.set(id, used),

  listAssumptions: ({ environment }) => listed(environment.assumptions.list()),
  setAssumptions: ({ environment, body }) => listed(environment.assumptions.set(body)),
};

async function listed<Item>(items: Promise<readonly Item[]>): Promise<{ readonly data: readonly Item[] }> {
  return { data: await items };
}

/** What the admin API is made with. */
export interface AdminOptions extends CommandTarget {
  /** Lets in who may call it, or throws. */
  readonly guard: RequestHandler;
}

/** The admin API: every path below where it is mounted. Sends no CORS headers, ever. */
export function createAdminRouter({ guard, ...target }: AdminOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const answer: RequestHandler = async (request, response) => {
    const { operation, environment, id } = route(request.method, request.path);
    const filter = readFilter(operation, new URLSearchParams(request.url.replace(/^[^?]*/, "")));
    const body = isRead(operation) ? undefined : await readBody(operation, request, response);
    const { sandbox } = target;
    const order = {
      environment: environment === undefined ? sandbox : await sandbox.environment(environment),
      id,
      filter,
      body,
    };
    const command = commands[operation.id] as (order: Order<unknown>, target: CommandTarget) => unknown;
    const answered = await command(order, target);
    response.set({ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
    response.status(operation.status ?? 200);
    if (operation.status === 204) response.end();
    else response.json(answered);
  };
  for (const { path } of adminOperations.filter(({ open }) => open)) router.get(path, answer);
  router.use(guard, answer);
  router.use(asHttpError);
  return router;
}

/** A request that changes nothing; nobody looks at a body it may have. */
function isRead({ method }: AdminOperation): boolean {
  return method === "GET";
}

/** A command that cannot be done is an error of the catalogue. */
const asHttpError: ErrorRequestHandler = (thrown: unknown, _request, _response, next) => {
  next(thrown instanceof ControlError ? new HttpError(thrown.code, { detail: thrown.message }) : thrown);
};
