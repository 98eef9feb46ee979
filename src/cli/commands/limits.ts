import type { Environment, LimitDescription } from "../../control.ts";
import { Mistake } from "../../model/mistakes.ts";
import { wholeNumber } from "../../settings/kinds.ts";
import { connectedCommand } from "../connection.ts";
import { table } from "../output/lines.ts";

async function limitTable(limits: readonly LimitDescription[], environment: Environment): Promise<string> {
  const keys = new Map((await environment.keys.list()).map((key) => [key.id, key]));
  const rows = limits.map(({ key_id, used, limit, resets_in_seconds: seconds }) => {
    const { alias, label } = keys.get(key_id) ?? {};
    return [
      alias ?? label ?? key_id,
      limit === 0 ? `${used}` : `${used} of ${limit}`,
      seconds === 0 ? "" : `${seconds} s`,
    ];
  });
  return table(["key", "used", "resets in"], rows);
}

function wholeLimit([first]: readonly LimitDescription[]): number {
  if (first && first.limit > 0) return first.limit;
  throw new Mistake("The rate limit is off (--rate-limit 0); there is nothing to use up.");
}

export const limitCommands = [
  connectedCommand({
    name: "limits list",
    summary: "Show how much of its rate limit each key has used.",
    examples: [["limits list", "the requests of this minute, by key"]],
    ask: () => (environment) => environment.limits.list(),
    show: limitTable,
  }),
  connectedCommand({
    name: "limits set",
    summary: "Set the requests that a key has used.",
    operand: "key",
    flags: {
      used: { kind: wholeNumber(0), defaultInWords: "all of its limit", words: "number of requests used" },
    },
    examples: [
      ["limits set aurora-partner", "the key is at its limit: its next request gets a 429"],
      ["limits set aurora-partner --used 118", "two requests are left"],
    ],
    ask:
      (key, { used }) =>
      async ({ limits }) =>
        limits.set(key, used ?? wholeLimit(await limits.list())),
    show: (limit, environment) => limitTable([limit], environment),
  }),
  connectedCommand({
    name: "limits clear",
    summary: "Clear the requests that all keys have used.",
    examples: [["limits clear", "no key is at its limit"]],
    ask: () => (environment) => environment.limits.clear(),
    show: () => "Cleared.",
  }),
];
