import type { KeyDescription, OfferingDescription } from "../../control.ts";
import { keyTypes } from "../../model/vocabulary.ts";
import { oneOf, text } from "../../settings/kinds.ts";
import { readValue } from "../../settings/values.ts";
import { connectedCommand } from "../connection.ts";
import { table } from "../output/lines.ts";

/** Keys as a table: secret, status, id and use. */
export function keyTable(keys: readonly KeyDescription[], offerings: readonly OfferingDescription[]): string {
  const nameOf = (id: string): string => offerings.find((offering) => offering.id === id)?.name ?? id;
  const rows = keys.map((key) => [key.key, key.status, key.id, purpose(key, nameOf(key.offering_id)), key.effect]);
  return table(["key", "status", "id", "for", "a call gets"], rows);
}

/** `Aurora Robotics partner, mine`. Most labels already begin with the offering and type. */
function purpose({ type, label }: KeyDescription, offering: string): string {
  const name = `${offering} ${type}`;
  if (label === null) return name;
  return label.startsWith(name) ? label : `${name}, ${label}`;
}

const keyFlags = {
  offering: {
    kind: text("alias|id", "an offering's alias or id"),
    defaultInWords: "the first",
    words: "the offering of the key",
  },
  label: { kind: text("text", "a label"), words: "a name of your own" },
} as const;

export const keyCommands = [
  connectedCommand({
    name: "keys list",
    summary: "List the keys, secrets included.",
    examples: [["keys list", "each with its secret, its type and its offering"]],
    ask: () => (environment) => environment.keys.list(),
    show: (keys, { offerings }) => keyTable(keys, offerings),
  }),
  connectedCommand({
    name: "keys issue",
    summary: `Issue a key: ${keyTypes.join(" or ")}.`,
    operand: "type",
    flags: keyFlags,
    examples: [["keys issue partner --offering aurora", "a partner key for the offering aurora"]],
    ask: (operand, { offering, label }) => {
      const type = readValue(oneOf(keyTypes), operand, "keys issue");
      return ({ keys }) => keys.issue({ type, offering_id: offering, label });
    },
    show: (key, { offerings }) => keyTable([key], offerings),
  }),
  connectedCommand({
    name: "keys revoke",
    summary: "Revoke a key; it stays listed.",
    operand: "key",
    examples: [
      ["keys revoke aurora-partner", "by alias; every call with it gets a 401 from now on"],
      ['keys revoke "$KEY"', "by its secret; also by label or id"],
    ],
    ask: (key) => (environment) => environment.keys.revoke(key),
    show: (key, { offerings }) => keyTable([key], offerings),
  }),
];
