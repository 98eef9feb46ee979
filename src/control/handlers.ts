import type {
  CoverageReport,
  EnvironmentAccess,
  EnvironmentOptions,
  ExampleCall,
  PreviewedResponse,
} from "../control.ts";
import type { Environment } from "../environment/environment.ts";
import type { Environments } from "../environment/environments.ts";
import { adopt, readSnapshot, snapshotOf } from "../environment/snapshot.ts";
import { optionsInJson } from "../settings/environment-settings.ts";
import { basePath } from "../model/operations.ts";
import { adminOpenApi, version } from "../package.ts";
import { advanceClock, readClock, setClock } from "./clock.ts";
import * as commands from "./commands.ts";
import {
  describeAssumptions,
  describeEnvironment,
  describeLimit,
  summarizeEnvironment,
  summarizeOfferings,
} from "./describe.ts";
import { withCurl } from "./example-call.ts";
import type * as InvestmentEdits from "./investments.ts";
import { getInvestment, listInvestments } from "./investment-page.ts";
import type { AdminOperationId, AnswerOf, BodyOf, QueryOf } from "./operations.ts";
import { compare, previewedCall, type PreviewedCall } from "./preview.ts";
import { pulse } from "./pulse.ts";
import { getScenario, listScenarios, scenarioCheck } from "./scenarios.ts";
import { listTimeline, outline } from "./timeline.ts";

const previewOf =
  (server: Server): Server["preview"] =>
  (environment, call) =>
    server.preview(environment, call);

const replays = () => import("./replay.ts");

/** A start does not need the code for completing and checking an investment. */
let edits: typeof InvestmentEdits | undefined;

/** Acts at once when the code is there, so that no later call overtakes. */
function byHand<Result>(
  environment: Environment,
  act: (edits: typeof InvestmentEdits) => Result,
): Result | Promise<Result> {
  if (edits) return act(edits);
  return import("./investments.ts").then((loaded) => {
    edits = loaded;
    return environment.caughtUp(() => act(loaded));
  });
}

export interface Opened {
  readonly environment: Environment;
  readonly access: EnvironmentAccess;
}

/** The server around the environments. */
export interface Server {
  readonly environments: Environments;
  /** Whether it serves only until its clients are elsewhere. */
  readonly isStopping: boolean;
  /** Opens an environment. Rejects with ControlError or Mistake. */
  open(options: EnvironmentOptions, caller: Pick<HandledCall, "origin" | "isRemote">): Promise<Opened>;
  /** Opens a snapshot's environment with its journal, apart from the others. Rejects as `open`. */
  openCase(snapshot: object): Promise<Environment>;
  /** Drops an environment; does nothing if it was dropped before. Rejects with ControlError for the default one. */
  drop(environment: Environment): Promise<void>;
  examples(environment: Environment): Omit<ExampleCall, "curl">[];
  /** Answers a call as the service would, and does nothing else. */
  preview(environment: Environment, call: PreviewedCall): PreviewedResponse;
  /** Tells which behaviours clients of an environment have met; of every environment without one. */
  coverage(environment?: Environment): Promise<CoverageReport>;
  /** Rejects with ControlError unless the sandbox can be asked to stop. */
  stop(): Promise<void>;
  /** Resolves when the database has all changes; at once without a database. */
  commit(): Promise<void>;
}

/** A call of an operation, its query and body checked. */
export interface HandledCall<Id extends AdminOperationId = AdminOperationId> {
  readonly server: Server;
  /** The environment in the path; the default one where the path names none. */
  readonly environment: Environment;
  /** The address at which the caller reaches the server. */
  readonly origin: string;
  /** Whether the caller is in another process: the server reads no files for it. */
  readonly isRemote: boolean;
  /** The id in the path; empty where there is none. */
  readonly id: string;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
}

type Handler<Id extends AdminOperationId> = (call: HandledCall<Id>) => AnswerOf<Id> | Promise<AnswerOf<Id>>;

/** The work of each operation. Handlers throw Mistake or ControlError, and change nothing then. */
export const handlers: { readonly [Id in AdminOperationId]: Handler<Id> } = {
  getHealth: ({ server }) => ({
    status: server.isStopping ? "stopping" : "ok",
    version,
    uptime_seconds: Math.floor(process.uptime()),
  }),
  getAdminOpenApi: ({ origin }) => adminOpenApi(origin),
  stopSandbox: ({ server }) => server.stop(),

  listEnvironments: async ({ server, origin, query: { summary } }) => {
    const { all } = server.environments;
    if (summary) return { data: all.map(summarizeEnvironment) };
    return { data: await Promise.all(all.map((environment) => environmentAnswer({ environment, origin }))) };
  },
  openEnvironment: async ({ server, origin, isRemote, body }) => {
    const { environment, access } = await server.open(optionsInJson(body), { origin, isRemote });
    return { ...(await environmentAnswer({ environment, origin })), ...access };
  },
  getEnvironment: environmentAnswer,
  dropEnvironment: ({ server, environment }) => server.drop(environment),
  resetEnvironment: (call) => {
    call.environment.reset();
    return environmentAnswer(call);
  },
  getPulse: ({ environment, query }) => pulse(environment, query),
  listExamples: ({ server, environment, origin }) => ({
    data: server.examples(environment).map((call) => withCurl(call, origin + basePath)),
  }),
  preview: ({ server, environment, body }) => server.preview(environment, previewedCall(environment, body)),
  compare: ({ server, environment, body }) => compare(environment, body, (call) => server.preview(environment, call)),
  listOfferings: ({ environment }) => ({ data: summarizeOfferings(environment) }),
  getSnapshot: ({ environment }) => snapshotOf(environment),
  restoreSnapshot: async (call) => {
    const { environment, body } = call;
    const content = adopt(await readSnapshot(body), environment.setup);
    await environment.caughtUp(() => environment.restore(content));
    return environmentAnswer(call);
  },

  replay: async ({ server, environment, body: { snapshot, answers = false, ...other } }) => {
    const { assuming, replay } = await replays();
    const subject = snapshot ? await server.openCase(snapshot) : environment;
    return replay(subject, previewOf(server), { assume: assuming(other), answers });
  },

  getClock: ({ environment }) => readClock(environment),
  setClock: ({ environment, body }) => setClock(environment, body),
  advanceClock: ({ environment, body }) => advanceClock(environment, body),
  getTimeline: ({ environment, query }) => ({ data: listTimeline(environment, query) }),
  getOutline: ({ environment, query }) => outline(environment, query),

  listKeys: ({ environment }) => ({ data: commands.listKeys(environment) }),
  issueKey: ({ environment, body }) => commands.issueKey(environment, body),
  revokeKey: ({ environment, id }) => commands.revokeKey(environment, id),

  listScenarios: async ({ environment }) => ({ data: await listScenarios(environment) }),
  getScenario: ({ environment, id }) => getScenario(environment, id),
  checkScenario: ({ body }) => scenarioCheck(body),
  recordScenario: async ({ environment, body }) => (await import("./recording.ts")).recordScenario(environment, body),
  listRuns: ({ environment: { stores } }) => ({ data: stores.runs.all.map((run) => stores.runs.describe(run)) }),
  getRun: ({ environment, id }) => commands.getRun(environment, id),
  playScenario: ({ environment, isRemote, body }) => {
    const { scenario, ...subject } = typeof body === "string" ? { scenario: body } : body;
    return commands.play(environment, scenario, subject, isRemote);
  },
  playNext: ({ environment, id }) => commands.continueRun(environment, id, "next"),
  stopRun: ({ environment, id }) => commands.continueRun(environment, id, "stop"),

  listInvestments: ({ environment, query }) => listInvestments(environment, query),
  getInvestment: ({ environment, id }) => getInvestment(environment, id),
  createInvestment: ({ environment, body }) =>
    byHand(environment, ({ createInvestment }) => createInvestment(environment, body)),
  changeInvestment: ({ environment, id, body }) =>
    byHand(environment, ({ changeInvestment }) => changeInvestment(environment, id, body)),
  recordEvent: ({ environment, id, body }) =>
    byHand(environment, ({ recordEvent }) => recordEvent(environment, id, body)),

  listRequests: ({ environment, query }) => commands.listRequests(environment, query),
  getCoverage: ({ server, environment, query: { all } }) => server.coverage(all ? undefined : environment),
  getAnswer: async ({ server, environment, id }) => (await replays()).answerAgain(environment, previewOf(server), id),
  countRequests: ({ environment, query }) => ({ count: commands.listRequests(environment, query).data.length }),
  clearRequests: ({ environment }) => environment.clearRequests(),

  listFaults: ({ environment }) => ({ data: commands.listFaults(environment) }),
  addFault: ({ environment, body }) => commands.addFault(environment, body),
  removeFaults: ({ environment }) => commands.removeFaults(environment),
  removeFault: ({ environment, id }) => commands.removeFaults(environment, id),

  listLimits: ({ environment }) => ({ data: environment.keys.map(({ id }) => describeLimit(environment, id)) }),
  clearLimits: ({ environment }) => environment.stores.limits.clear(),
  setLimit: ({ environment, id, body: { used } }) => commands.setLimit(environment, id, used),

  listAssumptions: ({ environment }) => ({ data: describeAssumptions(environment) }),
  setAssumptions: ({ environment, body }) => ({ data: commands.setAssumptions(environment, body) }),
};

/** Describes an environment, with the base address as the caller knows it. */
function environmentAnswer({ environment, origin }: Pick<HandledCall, "environment" | "origin">) {
  return environment.caughtUp(() => describeEnvironment(environment, origin + basePath));
}
