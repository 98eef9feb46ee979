import { isPresenting, playSpeed } from "../base/preferences.ts";
import { go, to, toRun } from "../base/routes.ts";
import { play } from "../clock/playing.ts";
import { subject } from "../clock/subject.ts";
import { call } from "../data/api.ts";
import { command } from "../data/commands.ts";

/** Plays a scenario, by its name or text, on its default subject, and opens the investment. */
export async function playScenario(
  scenario: string,
  offering_id?: string,
  onError?: (problem: Error) => void,
): Promise<void> {
  await command(
    () => call("playScenario", { body: { scenario, offering_id } }),
    ({ title }) => `${title} started. Its steps are on the timeline.`,
    onError,
    ({ id, investment_ids: [investment] }) => go(investment === undefined ? toRun(id) : to("investments", investment)),
  );
}

/** The milliseconds for which the new investment is on screen before the clock moves. */
const storyDelayMs = 1500;

/** Plays a scenario, presents its investment, and steps through the changes at one a second. */
export async function showStory(scenario: string): Promise<void> {
  const run = await command(() => call("playScenario", { body: { scenario } }));
  const [id] = run?.investment_ids ?? [];
  if (id === undefined) return;
  [isPresenting.value, playSpeed.value] = [true, "changes"];
  go(to("investments", id));
  await new Promise((resolve) => setTimeout(resolve, storyDelayMs));
  const filter = subject.peek()?.filter ?? {};
  // The page may have left the investment meanwhile.
  if ("investment_id" in filter && filter.investment_id === id) await play();
}
