import { connectedCommand } from "../connection/connected-command.ts";
import { keyTable } from "../show/key-table.ts";

/** Revokes a key in a running sandbox. */
export const keysRevoke = connectedCommand({
  summary: "Revoke a key; it stays listed.",
  operand: "key-id",
  flags: {},
  examples: [["keys revoke 1f6c0a52-…", "from now on every call with it is a 401"]],
  ask:
    (_, id = "") =>
    ({ keys }) =>
      keys.revoke(id),
  show: (key, { offerings }) => keyTable([key], offerings),
});
