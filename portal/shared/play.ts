import { go, to, toRun } from "../base/routes.ts";
import { call } from "../data/api.ts";
import { command } from "../data/commands.ts";

/** Plays a scenario, by its name or text, on its default subject, and opens the investment. */
export async function play(scenario: string, offering_id?: string, onError?: (problem: Error) => void): Promise<void> {
  await command(
    () => call("playScenario", { body: { scenario, offering_id } }),
    ({ title }) => `${title} started. Its steps are on the timeline.`,
    onError,
    ({ id, investment_ids: [investment] }) => go(investment === undefined ? toRun(id) : to("investments", investment)),
  );
}
