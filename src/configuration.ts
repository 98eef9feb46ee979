import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { ProfileName } from "./assumptions/assume.ts";
import type { Assumptions } from "./assumptions/catalogue.ts";
import type { FixtureSource } from "./fixture/read.ts";
import { parseIsoDate } from "./model/instant.ts";
import { isMembers, unknownOption } from "./model/members.ts";
import { Mistake } from "./model/mistakes.ts";
import type { SandboxOptions } from "./options.ts";
import { isLoopback } from "./server/host-check.ts";
import { callback } from "./settings/kinds.ts";
import { sandboxSettings, type Settings } from "./settings/settings.ts";
import { checkValues, readAssumptions } from "./settings/values.ts";

/** The options of a sandbox, checked and complete. */
export interface Configuration {
  readonly fixture: FixtureSource;
  readonly seed: number | undefined;
  /** Undefined for the fixture's own. */
  readonly scenarios: readonly string[] | undefined;
  readonly db: string | undefined;
  /** Milliseconds since the epoch, or `"fixture"` for the fixture's present. */
  readonly clock: number | "fixture";
  readonly speed: number;
  readonly profile: ProfileName;
  readonly assumptions: Assumptions;
  readonly rateLimit: number;
  readonly delay: readonly [least: number, most: number];
  readonly corsOrigins: ReadonlySet<string>;
  readonly allowedHosts: readonly string[];
  readonly admin: boolean;
  readonly adminToken: string | null;
  readonly assumptionHeader: boolean;
  readonly port: number;
  /** Undefined for both loopbacks. */
  readonly host: string | undefined;
  readonly onRequest: SandboxOptions["onRequest"];
  readonly onFailure: NonNullable<SandboxOptions["onFailure"]>;
}

const callbacks: Settings = { onRequest: { kind: callback, words: "" }, onFailure: { kind: callback, words: "" } };

/** Completes options. Throws Mistake with every unknown option, its nearest name, and every invalid value. */
export function configure(options: SandboxOptions): Configuration {
  checkOptions(options);
  const { clock, speed, port, fixture, profile, rateLimit, delay, admin, assumptionHeader } = sandboxSettings;
  const host = options.host?.replace(/^\[(.*)\]$/, "$1");
  const onLoopback = host === undefined || isLoopback(host);
  const wait = options.delay ?? delay.default;
  return {
    fixture: options.fixture instanceof URL ? fileURLToPath(options.fixture) : (options.fixture ?? fixture.default),
    seed: options.seed,
    scenarios: options.scenarios,
    db: options.db,
    clock: startingInstant(options.clock ?? clock.defaultInCode),
    speed: options.speed ?? speed.defaultInCode,
    profile: options.profile ?? profile.default,
    assumptions: readAssumptions(options.profile ?? profile.default, options.assumptions),
    rateLimit: options.rateLimit ?? rateLimit.default,
    delay: typeof wait === "number" ? [wait, wait] : wait,
    corsOrigins: new Set(options.corsOrigins ?? ["*"]),
    allowedHosts: options.allowedHosts ?? [],
    admin: options.admin ?? admin.default,
    adminToken: options.adminToken ?? (onLoopback ? null : randomBytes(24).toString("base64url")),
    assumptionHeader: options.assumptionHeader ?? assumptionHeader.default,
    port: options.port ?? port.defaultInCode,
    host,
    onRequest: options.onRequest,
    onFailure: options.onFailure ?? (() => {}),
  };
}

function checkOptions(options: unknown): void {
  if (!isMembers(options)) throw new Mistake("The options of a sandbox are an object.");
  checkValues({ ...sandboxSettings, ...callbacks }, options, unknownOption);
}

/** Converts a checked start of the clock to milliseconds since the epoch; `"fixture"` is resolved later. */
export function startingInstant(clock: string): number | "fixture" {
  if (clock === "fixture") return clock;
  return clock === "now" ? Date.now() : (parseIsoDate(clock)?.milliseconds ?? Number.NaN);
}
