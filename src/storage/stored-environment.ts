import type { Assumptions } from "../assumptions/catalogue.ts";
import { assume } from "../assumptions/profiles.ts";
import type { EnvironmentOptions } from "../control.ts";
import type { Environment } from "../environment/environment.ts";
import { defaultId } from "../environment/environments.ts";
import type { Kept, Opening } from "../environment/opening.ts";
import { formatInstant } from "../model/instant.ts";

/** An environment as a database holds it. Plain data. */
export interface StoredEnvironment {
  readonly id: string;
  /** What it is opened with again. Of the default one only the clock is: the rest is what the server is started with. */
  readonly options: EnvironmentOptions;
  /** What its dataset was made from. */
  readonly fixture: { readonly name: string; readonly digest: string };
  readonly kept: Omit<Kept, "assumptions"> & { readonly assumptions: Partial<Assumptions> };
}

/** An environment as it is to be stored. */
export function storedEnvironment(environment: Environment): StoredEnvironment {
  const { id, opening } = environment;
  const { name, digest } = opening.dataset;
  const kept = environment.keep();
  return {
    id,
    options: optionsOf(opening),
    fixture: { name, digest },
    kept: { ...kept, assumptions: differences(opening.assumptions, kept.assumptions) },
  };
}

/** The opening and what is kept of a stored environment, from the opening that its options make. */
export function reopened(stored: StoredEnvironment, opening: Opening): { opening: Opening; kept: Kept } {
  const { clock = "", speed = 0 } = stored.options;
  return {
    opening: { ...opening, clock: { now: Date.parse(clock), speed } },
    kept: { ...stored.kept, assumptions: { ...opening.assumptions, ...stored.kept.assumptions } },
  };
}

function optionsOf(opening: Opening): EnvironmentOptions {
  const { id, dataset, clock, scenarios, profile, assumptions, rateLimit, lifetime } = opening;
  const start = { clock: formatInstant(clock.now), speed: clock.speed };
  if (id === defaultId) return start;
  return {
    ...start,
    fixture: dataset.name,
    scenarios: scenarios.map(({ name }) => name),
    profile,
    assumptions: differences(assume(profile), assumptions),
    rate_limit: rateLimit,
    ttl_seconds: lifetime / 1000,
  };
}

/** Those of the second that are otherwise in the first. */
function differences(from: Assumptions, to: Assumptions): Partial<Assumptions> {
  const entries = Object.entries(to) as [keyof Assumptions, unknown][];
  return Object.fromEntries(entries.filter(([id, value]) => from[id] !== value));
}
