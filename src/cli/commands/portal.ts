import { CannotConnect } from "../../errors/control-error.ts";
import { portalLink } from "../../model/origin.ts";
import { onOrOff } from "../../settings/kinds.ts";
import { type Command, programName } from "../command.ts";
import { connect, type Connection, connectionFlags, readConnected } from "../connection.ts";
import { print, printError, printJson } from "../output/terminal.ts";
import { columns } from "../output/text.ts";
import { type RunningSandbox, runningSandboxes } from "../serve/running-sandboxes.ts";

const openFlag = { open: { kind: onOrOff, default: false, words: "open it in the browser of this machine" } } as const;

export const portalCommand: Command = {
  name: "portal",
  summary: "Print the link to the portal, a page in the browser.",
  flags: { ...openFlag, ...connectionFlags },
  epilogue: `Where no address is given and no sandbox answers at the default one, it takes the one that you run elsewhere, such as that of exec, or lists them if there are several.`,
  examples: [
    ["portal --open", "the page of your sandbox at http://localhost:4120, or elsewhere"],
    ["portal --token $TOKEN", "of one that requires a token; the link carries it"],
  ],
  async run({ given }) {
    const { flags, connection, isAddressed } = readConnected(openFlag, given);
    const { token, environment, json } = connection;
    const found = await foundElsewhere(connection, isAddressed);
    const { url } = found[0] ?? connection;
    if (found.length > 1) {
      if (json) printJson({ sandboxes: found });
      else print(columns(found.map((one) => [portalLink(one.url, null), one.command, one.directory])).join("\n"));
      printError(`Several sandboxes run. Choose one: ${programName} portal --url ${url}`);
      return 1;
    }
    const link = portalLink(url, token, environment);
    if (json) printJson({ link });
    else print(link);
    if (!flags.open) return 0;
    const { openBrowser } = await import("../serve/browser.ts");
    const failure = await openBrowser(link);
    if (failure !== undefined) printError(failure);
    return failure === undefined ? 0 : 1;
  },
};

/** The sandboxes of this user where nobody gave an address and none answers at the default one; else none. */
async function foundElsewhere(connection: Connection, isAddressed: boolean): Promise<readonly RunningSandbox[]> {
  try {
    await connect(connection);
    return [];
  } catch (error) {
    if (isAddressed || !(error instanceof CannotConnect)) throw error;
    const found = await runningSandboxes();
    const [first, ...others] = found;
    if (!first) throw error;
    if (others.length === 0) {
      printError(`${error.message} This one does: ${first.command} in ${first.directory}`);
      await connect({ ...connection, url: first.url });
    }
    return found;
  }
}
