import { connectedCommand } from "../connection/connected-command.ts";
import { scenarioToPlay } from "../connection/scenario-to-play.ts";
import { text } from "../settings/kinds.ts";
import { runBlock } from "../show/run-block.ts";

const flags = {
  offering: {
    kind: text("alias|id", "an offering's alias or id"),
    otherwise: "the one that the scenario names",
    describe: "the offering to play it on",
  },
  investment: {
    kind: text("alias|id", "an investment's alias or id"),
    otherwise: "the one that the scenario names",
    describe: "the investment to play it on",
  },
} as const;

/** Plays a scenario in a running sandbox. */
export const scenarioPlay = connectedCommand({
  summary: "Play a scenario in a running sandbox.",
  operand: "name or file",
  flags,
  examples: [
    ["scenario play closing", "one that the sandbox knows"],
    ["scenario play my.yaml --offering aurora", "your own, on the offering aurora"],
  ],
  ask: async ({ offering, investment }, nameOrFile = "") => {
    const scenario = await scenarioToPlay(nameOrFile);
    return (environment) => environment.play(scenario, { offering_id: offering, investment_id: investment });
  },
  show: runBlock,
});
