import { setImmediate as nextTurn } from "node:timers/promises";
import { parseAssumption } from "../assumptions/catalog.ts";
import type { Environment } from "../environment/environment.ts";
import { adopt, readDocument, snapshotOf } from "../environment/snapshot.ts";
import { asCurl } from "../text/curl.ts";
import { basePath } from "../model/operations.ts";
import { isLoopback } from "../text/origin.ts";
import { adminOpenApi, version } from "../package.ts";
import { readOptions } from "../settings/environment-settings.ts";
import type { Caller, Handlers } from "./call.ts";
import { clockHandlers } from "./clock.ts";
import { describeAssumptions, describeEnvironment, summarizeEnvironment, summarizeOfferings } from "./describe.ts";
import { faultHandlers } from "./faults.ts";
import { investmentHandlers } from "./investment-page.ts";
import type { editHandlers } from "./investments.ts";
import { keyHandlers } from "./keys.ts";
import { compareKeys, previewedCall } from "./preview.ts";
import { requestHandlers } from "./requests.ts";
import { scenarioHandlers } from "./scenarios.ts";
import { timelineHandlers } from "./timeline.ts";

/** The handler of each operation, except those that load late. */
export const handlers: Omit<Handlers, keyof typeof editHandlers> = {
  getHealth: ({ server: { isStopping, environments } }) => ({
    status: isStopping ? "stopping" : "ok",
    ...(environments.shared && { database: environments.shared.sessionId === undefined ? "away" : "ok" }),
    version,
    uptime_seconds: Math.floor(process.uptime()),
  }),
  getServer: ({ server, origin }) => ({
    version,
    folder: isLoopback(new URL(origin).hostname) ? server.folder : null,
    started_at: new Date(performance.timeOrigin).toISOString(),
    ...(server.environments.shared && { process: server.environments.shared.sessionId ?? null }),
  }),
  getMetrics: ({ server }) => server.metrics(),
  getAdminOpenApi: ({ origin }) => adminOpenApi(origin),
  stopSandbox: ({ server }) => server.stop(),

  listEnvironments: async ({ server, origin, query: { summary } }) => {
    const { shared } = server.environments;
    if (summary && shared) return { data: [...(await shared.summaries())] };
    const { all } = server.environments;
    if (summary) return { data: all.map(summarizeEnvironment) };
    const describe = (environment: Environment) => environmentResponse({ environment, origin });
    return { data: shared ? await shared.describeAll(describe) : await Promise.all(all.map(describe)) };
  },
  openEnvironment: async ({ server, origin, isRemote, body }) => {
    const { environment, access } = await server.openEnvironment(readOptions(body), { origin, isRemote });
    await nextTurn();
    return { ...(await environmentResponse({ environment, origin })), ...access };
  },
  getEnvironment: environmentResponse,
  makeLinks: ({ server, environment, origin }) => server.makeLinks(environment, origin),
  deleteEnvironment: ({ server, environment, query }) => server.deleteEnvironment(environment, query),
  resetEnvironment: (call) => {
    call.environment.reset();
    return environmentResponse(call);
  },
  listExamples: ({ server, environment, origin }) => ({
    data: server
      .examples(environment)
      .map((call) => ({ ...call, curl: asCurl({ url: origin + basePath + call.path, key: call.key }) })),
  }),
  preview: ({ server, environment, body }) => server.preview(environment, previewedCall(environment, body)),
  compare: ({ server, environment, body }) =>
    compareKeys(environment, body, (call) => server.preview(environment, call)),
  listOfferings: ({ environment }) => ({ data: summarizeOfferings(environment) }),
  getSnapshot: ({ environment }) => snapshotOf(environment),
  restoreSnapshot: async (call) => {
    const { server, environment, body } = call;
    const { data, requestData } = adopt(await readDocument(body), environment.config);
    // A forged snapshot may have the secret of an environment that another process has open.
    const issuedKeys = data.changes.flatMap((change) => (change.kind === "new_key" ? change.key : []));
    const secrets = [...data.keys, ...issuedKeys].map(({ key }) => key);
    await nextTurn();
    await server.environments.shared?.refuseForeign(secrets, environment);
    await environment.whenCaughtUp(() => environment.restore(data, requestData));
    await nextTurn();
    return environmentResponse(call);
  },

  ...clockHandlers,
  ...timelineHandlers,
  ...keyHandlers,
  ...scenarioHandlers,
  ...investmentHandlers,
  ...requestHandlers,
  ...faultHandlers,

  listAssumptions: ({ environment }) => ({ data: describeAssumptions(environment) }),
  setAssumptions: ({ environment, body }) => {
    // All values are parsed before the first one is set.
    const parsed = Object.entries(body).map(([id, value]) => parseAssumption(id, value));
    for (const change of parsed) environment.assume(change);
    return { data: describeAssumptions(environment) };
  },
};

/** Describes an environment, with the base address as the caller knows it. */
function environmentResponse({ environment, origin }: Pick<Caller, "environment" | "origin">) {
  return environment.whenCaughtUp(() => describeEnvironment(environment, origin + basePath));
}
