import type { SandboxOptions } from "../../control.ts";
import { explain } from "../failure.ts";
import type { Log } from "../log/log.ts";
import { assumptionChanges } from "./assumptions-in-force.ts";
import type { StartSettings } from "./start-settings.ts";

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
