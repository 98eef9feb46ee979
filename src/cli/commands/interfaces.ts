import { portalLink } from "../../text/origin.ts";
import { onOrOff } from "../../settings/kinds.ts";
import type { Command } from "../command.ts";
import { connect, connectionFlags, readConnected } from "../connection.ts";
import { isTerminal, print, printError, printJson } from "../output/terminal.ts";
import { openBrowser } from "../serve/process.ts";
import { adminOpenApi } from "../../package.ts";
import { startSettings } from "../../settings/start-settings.ts";
import { assumptionSettings, currentAssumptions, loadSettings } from "../settings/load.ts";

const openFlag = { open: { kind: onOrOff, default: false, help: "open it in the browser of this machine" } } as const;

export const portalCommand: Command = {
  name: "portal",
  summary: "Print the link to the portal, a page in the browser.",
  flags: { ...openFlag, ...connectionFlags },
  examples: [
    ["portal --open", "the page of your sandbox at http://localhost:4120"],
    ["portal --token $TOKEN", "the page of a sandbox that requires a token; the link contains the token"],
  ],
  async run({ flagValues }) {
    const { flags, connection } = readConnected(openFlag, flagValues);
    const { url } = await connect(connection);
    const link = portalLink(url, connection.token, connection.environment);
    const failure = flags.open ? await openBrowser(link) : undefined;
    if (failure !== undefined) printError(failure);
    if (connection.json) printJson({ link });
    else print(link);
    return failure === undefined ? 0 : 1;
  },
};

const adminFlag = { admin: { kind: onOrOff, default: false, help: "the admin API instead of the service" } } as const;
const { url } = connectionFlags;

export const openapiCommand: Command = {
  name: "openapi",
  summary: "Print the OpenAPI document of the service, or of the admin API.",
  flags: { ...adminFlag, url, ...assumptionSettings, rateLimit: startSettings.rateLimit },
  examples: [
    ["openapi > openapi.json", "the service as a sandbox with the settings of this folder emulates it"],
    ["openapi --profile minimal", "only what the specification promises"],
    ["openapi --admin", "the admin API, for a client in any language"],
  ],
  async run({ flagValues }) {
    const { flags, connection } = readConnected(adminFlag, flagValues);
    if (flags.admin) return printJson(await adminOpenApi(connection.url));
    // The setting `admin` of `start` has another meaning.
    const { settings } = await loadSettings(flagValues.filter(({ setting }) => setting !== "admin"));
    const { describeService } = await import("../../server/service-description.ts");
    const service = { assumptions: currentAssumptions(settings), rateLimit: settings.rateLimit };
    printJson(await describeService(service, connection.url));
  },
};

const changesFlag = {
  allowChanges: {
    kind: onOrOff,
    default: false,
    help: "add tools that change the sandbox, and show the secrets of keys",
  },
} as const;

const { json: _json, ...target } = connectionFlags;

export const mcpCommand: Command = {
  name: "mcp",
  summary: "Serve tools to an agent, on standard input and output (MCP).",
  flags: { ...changesFlag, ...target },
  examples: [
    ["mcp", "the agent reads the sandbox at http://localhost:4120, which may start later"],
    ["mcp --allow-changes", "it also moves the clock, plays scenarios, changes investments, …"],
  ],
  async run({ flagValues }) {
    const { flags, connection } = readConnected(changesFlag, flagValues);
    if (isTerminal(process.stdin))
      printError(
        "This command is for an agent, which starts it and sends messages to its input. Press Ctrl-D to end it.",
      );
    const { serveTools } = await import("../mcp/serve.ts");
    await serveTools(connection, flags.allowChanges);
  },
};
