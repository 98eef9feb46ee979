import { connectedCommand } from "../connection.ts";

export const stopCommand = connectedCommand({
  name: "stop",
  summary: "Stop a sandbox that runs in the background.",
  examples: [
    ["stop", "the one at http://localhost:4120; waits until it is gone"],
    ["stop --url http://localhost:4321", "another; one of exec or of a test refuses"],
  ],
  ask: () => (sandbox) => sandbox.stop(),
  show: (_, { url }) => `Stopped the sandbox at ${url}.`,
});
