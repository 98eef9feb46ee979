import type { Command } from "../command.ts";
import { connectionFlags, placeIn, readConnected, callerOf } from "../connection.ts";
import { print, printJson } from "../output/terminal.ts";

export const stopCommand: Command = {
  name: "stop",
  summary: "Stop a sandbox that runs in the background.",
  flags: connectionFlags,
  examples: [
    ["stop", "the one at http://localhost:4120; waits until it is gone"],
    ["stop --url http://localhost:4321", "another; one of exec or of a test refuses"],
  ],
  async run({ given }) {
    const { connection } = readConnected({}, given);
    const sandbox = await callerOf(connection);
    const place = await placeIn(sandbox);
    await sandbox.call("stopSandbox");
    if (connection.json) printJson(null);
    else print(`Stopped the sandbox at ${sandbox.url}${place}.`);
  },
};
