import { portalLink } from "../../model/origin.ts";
import { onOrOff } from "../../settings/kinds.ts";
import { connectedCommand } from "../connection.ts";
import { printError } from "../output/terminal.ts";

export const portalCommand = connectedCommand({
  name: "portal",
  summary: "Print the link to the portal, a page in the browser.",
  flags: { open: { kind: onOrOff, default: false, words: "open it in the browser of this machine" } },
  examples: [
    ["portal --open", "the page of your sandbox at http://localhost:4120"],
    ["portal --token $TOKEN", "of one that requires a token; the link carries it"],
  ],
  ask:
    (_, { open }, { token, environment }) =>
    async ({ url }) => {
      const link = portalLink(url, token, environment);
      if (open) await openPage(link);
      return { link };
    },
  show: ({ link }) => link,
});

async function openPage(link: string): Promise<void> {
  const { openBrowser } = await import("../serve/browser.ts");
  const failure = await openBrowser(link);
  if (failure === undefined) return;
  printError(failure);
  process.exitCode = 1;
}
