import type { ScenarioDescription } from "../../src/control.ts";
import { isResetAsked } from "../clock/reset-button.tsx";
import { advance } from "../clock/moves.ts";
import { theme, themes } from "../preferences.ts";
import { go, to, toRun } from "../routes.ts";
import { call } from "../server/api.ts";
import { command } from "../server/commands.ts";
import { mayChange } from "../server/token.ts";
import { shortcuts } from "../shortcuts.ts";

/** A command by its name, with words on it, and what it does. */
type Act = readonly [run: () => void, name: string, detail: string];

/** Keys that are of use on the keyboard alone. */
const moves = new Set(["/", "j", "k"]);

/** The commands that the finder runs: those of the keys, the clock, the themes, and to play each scenario. */
export function acts(scenarios: readonly ScenarioDescription[]): readonly Act[] {
  const ofKeys = shortcuts.value
    .filter(({ key }) => !moves.has(key))
    .map(({ key, label, run }): Act => [run, label, key === " " ? "Space" : key]);
  const ofThemes = Object.entries(themes).map(([name, { label }]): Act => {
    return [() => (theme.value = name as keyof typeof themes), label, name === theme.value ? "as it is" : ""];
  });
  if (!mayChange.value) return [...ofKeys, ...ofThemes];
  return [
    ...ofKeys,
    [() => void advance("1h"), "An hour on", "+1 h"],
    [() => void advance("1d"), "A day on", "+1 d"],
    [() => (isResetAsked.value = true), "Reset …", "asks first"],
    ...ofThemes,
    ...scenarios.map(({ name, description }): Act => [() => void play(name), `Play ${name}`, description]),
  ];
}

/** Plays a scenario as it says, and shows the investment that it is on. */
async function play(scenario: string): Promise<void> {
  await command(
    () => call("playScenario", { body: { scenario } }),
    ({ id }) => `${scenario} plays as ${id}. Its coming steps are on the timeline.`,
    undefined,
    ({ id, investment_ids: [investment] }) => go(investment === undefined ? toRun(id) : to("investments", investment)),
  );
}
