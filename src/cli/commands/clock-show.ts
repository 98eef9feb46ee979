import { connectedCommand } from "../connection/connected-command.ts";
import { clockReading } from "../show/clock-reading.ts";

/** Shows the clock of a running sandbox. */
export const clockShow = connectedCommand({
  summary: "Show what time it is in the sandbox.",
  flags: {},
  examples: [["clock show", "its instant and its speed"]],
  ask: () => (environment) => environment.clock.get(),
  show: clockReading,
});
