import type { Environment } from "../control.ts";
import { basePath } from "../model/operations.ts";
import { adminOpenApi, version } from "../package.ts";
import { onOrOff } from "../settings/kinds.ts";
import { pulseSince } from "../settings/pulse-since.ts";
import type { Settings } from "../settings/settings.ts";
import { type AdminCall, data, one, operation } from "./operation.ts";
import { asRemote } from "./remote.ts";

/** Describes an environment with the base address by which the caller reaches the sandbox. */
async function described({ origin }: Pick<AdminCall, "origin">, environment: Environment, change?: Promise<void>) {
  await change;
  return { ...(await environment.describe()), base_url: origin + basePath };
}

function health() {
  return { status: "ok", version, uptime_seconds: Math.floor(process.uptime()) } as const;
}

const environmentList = {
  summary: { kind: onOrOff, default: false, words: "without the lists of offerings, keys and runs" },
} as const satisfies Settings;

/** The operations of the server, and of an environment as a whole. */
export const environmentOperations = {
  getHealth: operation("GET /health", { summary: "Check that the server is up", answer: "Health", open: true }, health),
  getAdminOpenApi: operation(
    "GET /openapi.json",
    { summary: "Get this document", answer: "OpenApiDocument", open: true },
    ({ origin }) => adminOpenApi(origin),
  ),
  stopSandbox: operation(
    "POST /stop",
    { summary: "Stop the sandbox; refused unless `offering-sandbox start` runs it" },
    ({ sandbox }) => sandbox.stop(),
  ),

  listEnvironments: operation(
    "GET /environments",
    { summary: "List the open environments", query: environmentList, answer: "EnvironmentList" },
    async ({ sandbox, origin, query: { summary } }) => {
      if (summary) return data(sandbox.environmentSummaries());
      return { data: (await sandbox.environments()).map((found) => ({ ...found, base_url: origin + basePath })) };
    },
  ),
  openEnvironment: operation(
    "POST /environments",
    {
      summary: "Open an environment with its own marketing and partner key for each offering",
      body: "EnvironmentOptions",
      answer: "Environment",
      creates: true,
    },
    async (call) => described(call, await call.sandbox.openEnvironment(asRemote(call.body))),
  ),
  getEnvironment: operation(
    `GET ${one}`,
    { summary: "Describe an environment as it is now", answer: "Environment" },
    (call) => described(call, call.environment),
  ),
  dropEnvironment: operation(`DELETE ${one}`, { summary: "Drop an environment" }, ({ environment }) =>
    environment.close(),
  ),
  resetEnvironment: operation(
    `POST ${one}/reset`,
    { summary: "Reset the environment to how it was opened; its keys stay valid", answer: "Environment" },
    (call) => described(call, call.environment, call.environment.reset()),
  ),
  getPulse: operation(
    `GET ${one}/pulse`,
    { summary: "Get the news since an earlier pulse; in no log", query: pulseSince, answer: "Pulse" },
    ({ environment, query }) => environment.pulse(query),
  ),
  listExamples: operation(
    `GET ${one}/examples`,
    { summary: "List example calls of the service, one for each kind of answer", answer: "ExampleList" },
    ({ environment }) => data(environment.examples()),
  ),
  preview: operation(
    `POST ${one}/preview`,
    {
      summary: "Get what the service would answer a GET; this counts nowhere and is in no journal",
      body: "PreviewOrder",
      answer: "PreviewedResponse",
    },
    ({ environment, body }) => environment.preview(body),
  ),
  listOfferings: operation(
    `GET ${one}/offerings`,
    { summary: "List the offerings, with counts and sums of their investments", answer: "OfferingSummaryList" },
    ({ environment }) => data(environment.offeringSummaries()),
  ),
  getSnapshot: operation(
    `GET ${one}/snapshot`,
    { summary: "Get the whole environment as one document", answer: "Snapshot" },
    ({ environment }) => environment.snapshot(),
  ),
  restoreSnapshot: operation(
    `PUT ${one}/snapshot`,
    {
      summary: "Restore the environment from a snapshot of it, or of another over the same fixture",
      body: "Snapshot",
      answer: "Environment",
    },
    (call) => described(call, call.environment, call.environment.restore(call.body)),
  ),
};
