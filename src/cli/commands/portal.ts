import { portalLink } from "../../text/origin.ts";
import { onOrOff } from "../../settings/kinds.ts";
import type { Command } from "../command.ts";
import { connect, connectionFlags, readConnected } from "../connection.ts";
import { print, printError, printJson } from "../output/terminal.ts";
import { openBrowser } from "../serve/process.ts";

const openFlag = { open: { kind: onOrOff, default: false, help: "open it in the browser of this machine" } } as const;

export const portalCommand: Command = {
  name: "portal",
  summary: "Print the link to the portal, a page in the browser.",
  flags: { ...openFlag, ...connectionFlags },
  examples: [
    ["portal --open", "the page of your sandbox at http://localhost:4120"],
    ["portal --token $TOKEN", "of one that requires a token; the link carries it"],
  ],
  async run({ given }) {
    const { flags, connection } = readConnected(openFlag, given);
    const { url } = await connect(connection);
    const link = portalLink(url, connection.token, connection.environment);
    if (flags.open) await openPage(link);
    if (connection.json) printJson({ link });
    else print(link);
  },
};

async function openPage(link: string): Promise<void> {
  const failure = await openBrowser(link);
  if (failure === undefined) return;
  printError(failure);
  process.exitCode = 1;
}
