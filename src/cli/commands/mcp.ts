import { onOrOff } from "../../settings/kinds.ts";
import type { Command } from "../command.ts";
import { connectionFlags, readConnected } from "../connection.ts";
import { isTerminal, printError } from "../output/terminal.ts";

const changesFlag = {
  allowChanges: { kind: onOrOff, default: false, help: "tools that change things too, and the secrets of keys" },
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
  async run({ given }) {
    const { flags, connection } = readConnected(changesFlag, given);
    if (isTerminal(process.stdin)) printError("An agent starts this command and speaks to it; Ctrl-D ends it.");
    const { serveTools } = await import("../mcp/serve.ts");
    await serveTools(connection, flags.allowChanges);
  },
};
