import type { Assumptions } from "../../assumptions/catalogue.ts";
import { assume } from "../../assumptions/profiles.ts";
import { startSettings, type StartSettings } from "./start-settings.ts";

/** The flags of commands that follow the assumptions. */
export const assumptionFlags = {
  profile: startSettings.profile,
  assume: startSettings.assume,
  config: startSettings.config,
} as const;

/** The assumptions that are set otherwise than in the profile. */
export function assumptionChanges(settings: StartSettings): Partial<Assumptions> {
  return settings.cors ? { ...settings.assume } : { ...settings.assume, cors: "no" };
}

/** The assumptions of a sandbox started with these settings. */
export function assumptionsInForce(settings: StartSettings): Assumptions {
  return assume(settings.profile, assumptionChanges(settings));
}
