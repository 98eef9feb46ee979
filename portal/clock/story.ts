import { isPresenting, playSpeed } from "../base/preferences.ts";
import { go, to } from "../base/routes.ts";
import { call } from "../data/api.ts";
import { command } from "../data/commands.ts";
import { play } from "./playing.ts";
import { subject } from "./subject.ts";

/** How long the new investment is on screen before the clock moves. */
const openingMs = 1500;

/** Plays `closing` on a new investment, presents it, and steps through its changes at one a second. */
export async function showStory(): Promise<void> {
  const run = await command(() => call("playScenario", { body: { scenario: "closing" } }));
  const [id] = run?.investment_ids ?? [];
  if (id === undefined) return;
  [isPresenting.value, playSpeed.value] = [true, "changes"];
  go(to("investments", id));
  await new Promise((resolve) => setTimeout(resolve, openingMs));
  const filter = subject.peek()?.filter ?? {};
  // The page may have left the investment meanwhile.
  if ("investment_id" in filter && filter.investment_id === id) await play();
}
