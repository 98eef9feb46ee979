import type { AdminConnection } from "../../client/connection.ts";
import type { EnvironmentBase, OpenedDescription } from "../../public/control.ts";
import { ControlError } from "../../errors/control-error.ts";
import { asCurl } from "../../text/curl.ts";
import { basePath } from "../../model/operations.ts";
import { formatPlace } from "../../text/origin.ts";
import { environmentSettings, withSnakeCaseNames } from "../../settings/environment-settings.ts";
import type { Command } from "../command.ts";
import { callerOf, connectionFlags, readConnected } from "../connection.ts";
import { operationCommand } from "../operation-command.ts";
import { formatClock, alignColumns, formatTable } from "../output/text.ts";
import { print, printJson, style } from "../output/terminal.ts";
import { formatKeys } from "./keys.ts";

function formatEnvironments(environments: readonly EnvironmentBase[]): string {
  const rows = environments.map(({ id, fixture, clock, label }) => [id, fixture, formatClock(clock), label ?? ""]);
  return formatTable(["id", "fixture", "clock", "label"], rows);
}

function formatEnvironment({ id, base_url: url, keys, offerings, ...access }: OpenedDescription): string {
  const { portal_link: portal, admin_token: token, view_link: view } = access;
  return [
    ...alignColumns([
      ["environment", id],
      ["base address", url],
      ...(portal === null ? [] : [["portal", portal]]),
      ...(view === undefined ? [] : [["read-only", view]]),
      ...(token === undefined ? [] : [["admin token", token]]),
    ]),
    "",
    formatKeys(keys, offerings),
  ].join("\n");
}

/** Formats the place and start of a sandbox: ` (in /home/ada/app, since …)`. Empty if the call is refused. */
async function formatPlaceOf(sandbox: AdminConnection): Promise<string> {
  try {
    return formatPlace(await sandbox.call("getServer"));
  } catch (error) {
    if (error instanceof ControlError) return "";
    throw error;
  }
}

const stopCommand: Command = {
  name: "stop",
  summary: "Stop a sandbox that runs in the background.",
  flags: connectionFlags,
  examples: [
    ["stop", "stops the sandbox at http://localhost:4120 and waits until it has ended"],
    ["stop --url http://localhost:4321", "stops another sandbox; a sandbox that exec or a test started refuses"],
  ],
  async run({ flagValues }) {
    const { connection } = readConnected({}, flagValues);
    const sandbox = await callerOf(connection);
    const place = await formatPlaceOf(sandbox);
    await sandbox.call("stopSandbox");
    if (connection.json) printJson(null);
    else print(`Stopped the sandbox at ${sandbox.url}${place}.`);
  },
};

export const environmentCommands = [
  operationCommand("examples", "listExamples", {
    examples: [["examples", "a curl line for each: 200, 401, 403, 404, 429"]],
    // The client fills in its own address, because a sandbox behind a proxy does not know it.
    request: async (sandbox) => {
      const { data } = await sandbox.call("listExamples");
      return data.map((call) => ({ ...call, curl: asCurl({ ...call, url: sandbox.url + basePath + call.path }) }));
    },
    render: (calls) =>
      calls.map(({ status, title, curl }) => `${style("dim", `${status}  ${title}`)}\n${curl}`).join("\n\n") ||
      "No key has data to read.",
  }),
  operationCommand("reset", "resetEnvironment", {
    examples: [["reset", "timeline, clock, limits, faults, journal and keys"]],
    render: async ({ id }, sandbox) =>
      `Environment "${id}" was reset at ${sandbox.url}${await formatPlaceOf(sandbox)}.`,
  }),
  operationCommand("environments list", "listEnvironments", {
    flags: () => ({}),
    request: async (sandbox) => (await sandbox.call("listEnvironments", { query: { summary: true } })).data,
    render: formatEnvironments,
  }),
  operationCommand("environments open", "openEnvironment", {
    operand: "[id]",
    flags: () => environmentSettings,
    examples: [
      ["environments open mine", "prints its keys; use it in other commands with --environment mine"],
      ["environments open --fixture minimal --scenario closing", "with other data, and a scenario"],
      ["environments open mine --snapshot state.json", "in the state of the snapshot, with new keys"],
    ],
    request: (sandbox, options) => sandbox.call("openEnvironment", { body: withSnakeCaseNames(options) }),
    render: formatEnvironment,
  }),
  operationCommand("environments delete", "deleteEnvironment", {
    summary: "Delete an environment. Its keys get a 401 from then on.",
    operand: "id",
    examples: [
      ["environments delete mine", "the environment default stays"],
      ["environments delete mine --outcome failed", "for a failed test: exec --snapshot-dir then writes its snapshot"],
    ],
    request: (sandbox, { outcome }, id = "") => sandbox.call("deleteEnvironment", { query: { outcome } }, { id }),
    render: () => "Deleted.",
  }),
  stopCommand,
];
