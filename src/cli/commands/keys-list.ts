import { connectedCommand } from "../connection/connected-command.ts";
import { keyTable } from "../show/key-table.ts";

/** Lists the keys of a running sandbox. */
export const keysList = connectedCommand({
  summary: "List the keys, secrets included.",
  flags: {},
  examples: [["keys list", "each with its secret, its type and its offering"]],
  ask: () => (environment) => environment.keys.list(),
  show: (keys, { offerings }) => keyTable(keys, offerings),
});
