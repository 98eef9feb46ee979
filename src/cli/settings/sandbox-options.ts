import { assume } from "../../assumptions/assume.ts";
import type { Assumptions } from "../../assumptions/catalogue.ts";
import type { SandboxOptions } from "../../control.ts";
import { explain } from "../failure.ts";
import type { Log } from "../output/log.ts";
import { startSettings, type StartSettings } from "./start-settings.ts";

/** The flags of commands that follow the assumptions. */
export const assumptionFlags = {
  profile: startSettings.profile,
  assume: startSettings.assume,
  config: startSettings.config,
} as const;

/** The assumptions that are set otherwise than in the profile. */
function assumptionChanges(settings: StartSettings): Partial<Assumptions> {
  return settings.cors ? { ...settings.assume } : { ...settings.assume, cors: "no" };
}

/** The assumptions of a sandbox started with these settings. */
export function assumptionsInForce(settings: StartSettings): Assumptions {
  return assume(settings.profile, assumptionChanges(settings));
}

/** The settings as the library takes them, with a log that is told of what happens. */
export function sandboxOptions(settings: StartSettings, log: Log): SandboxOptions {
  return {
    fixture: settings.fixture,
    scenarios: settings.scenario,
    db: settings.db,
    seed: settings.seed,
    clock: settings.clock,
    speed: settings.speed,
    profile: settings.profile,
    assumptions: assumptionChanges(settings),
    rateLimit: settings["rate-limit"],
    delay: settings.delay,
    corsOrigins: settings["cors-origin"],
    allowedHosts: settings["allowed-hosts"],
    admin: settings.admin,
    adminToken: settings["admin-token"],
    assumptionHeader: settings["assumption-header"],
    port: settings.port,
    host: settings.host,
    onRequest: log.request,
    onFailure: (error) => log.error(explain(error)),
  };
}
