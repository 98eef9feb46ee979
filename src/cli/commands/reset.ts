import { connectedCommand } from "../connection/connected-command.ts";

/** Resets an environment of a running sandbox. */
export const reset = connectedCommand({
  summary: "Put everything back to how it was at the start.",
  flags: {},
  examples: [["reset", "timeline, clock, limits, faults, journal and keys"]],
  ask: () => (environment) => environment.reset(),
  show: (_, { id }) => `Everything in ${id} is as it was when it was opened.`,
});
