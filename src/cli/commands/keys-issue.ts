import { keyTypes } from "../../model/key-type.ts";
import { Mistake } from "../../model/mistake.ts";
import { connectedCommand } from "../connection/connected-command.ts";
import { oneOf, text } from "../settings/kinds.ts";
import { operandValue } from "../settings/read-values.ts";
import { keyTable } from "../show/key-table.ts";

const flags = {
  offering: {
    kind: text("alias|id", "an offering's alias or id"),
    otherwise: "the first",
    describe: "the offering that it is for",
  },
  label: { kind: text("text", "a label"), describe: "what to call it" },
} as const;

/** Issues a key in a running sandbox. */
export const keysIssue = connectedCommand({
  summary: `Issue a key: ${keyTypes.join(" or ")}.`,
  operand: "type",
  flags,
  examples: [["keys issue partner --offering aurora", "a partner key for the offering aurora"]],
  ask: ({ offering, label }, operand = "") => {
    const type = operandValue(oneOf(keyTypes), operand, "keys issue");
    return async ({ offerings, keys }) => {
      const [first] = offerings;
      if (!first) throw new Mistake("There is no offering that a key could be for.");
      return keys.issue({ type, offering_id: offering ?? first.id, label });
    };
  },
  show: (key, { offerings }) => keyTable([key], offerings),
});
