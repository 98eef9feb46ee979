import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Assumptions } from "./assumptions/catalogue.ts";
import { parseAssumption } from "./assumptions/parse-assumption.ts";
import { assume, profileNames, type ProfileName } from "./assumptions/profiles.ts";
import type { RequestEntry, SandboxOptions } from "./control.ts";
import type { FixtureSource } from "./fixture/fixture-file.ts";
import { parseIsoDate } from "./model/instant.ts";
import { Mistake } from "./model/mistake.ts";
import { didYouMean } from "./model/nearest.ts";
import { checkOptions } from "./check-options.ts";
import { isLoopback } from "./server/addresses.ts";

/** The options of a sandbox, complete: what the code may rely on. */
export interface Configuration {
  readonly fixture: FixtureSource;
  readonly seed: number | undefined;
  /** Undefined is the fixture's own. */
  readonly scenarios: readonly string[] | undefined;
  readonly db: string | undefined;
  /** Milliseconds since the epoch; `"fixture"` is the fixture's own present. */
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
  /** Undefined is both loopbacks. */
  readonly host: string | undefined;
  /** Undefined where nobody is to be told. */
  readonly onRequest: ((entry: RequestEntry) => void) | undefined;
  readonly onFailure: (error: unknown) => void;
}

/** A set of assumptions: a profile's, with single ones set otherwise. Throws Mistake for an unknown one. */
export function readAssumptions(profile: ProfileName, given: Readonly<Record<string, unknown>> = {}): Assumptions {
  if (!profileNames.includes(profile)) {
    throw new Mistake(`profile is ${profileNames.join(" or ")}.${didYouMean(profile, profileNames)}`);
  }
  const changes = Object.entries(given).map(([id, value]) => parseAssumption(id, value));
  return assume(profile, Object.assign({}, ...changes) as Partial<Assumptions>);
}

/** Completes options. Throws Mistake for an unknown name, with the nearest one, or a value that cannot be. */
export function configure(options: SandboxOptions): Configuration {
  checkOptions(options);
  const { profile = "conventional", delay = 0 } = options;
  const host = options.host?.replace(/^\[(.*)\]$/, "$1");
  const [least, most] = typeof delay === "number" ? [delay, delay] : delay;
  const onLoopback = host === undefined || isLoopback(host);
  return {
    fixture: options.fixture instanceof URL ? fileURLToPath(options.fixture) : (options.fixture ?? "demo"),
    seed: options.seed,
    scenarios: options.scenarios,
    db: options.db,
    clock: startingInstant(options.clock ?? "fixture"),
    speed: options.speed ?? 0,
    profile,
    assumptions: readAssumptions(profile, options.assumptions),
    rateLimit: options.rateLimit ?? 120,
    delay: [least, most],
    corsOrigins: new Set(options.corsOrigins ?? ["*"]),
    allowedHosts: options.allowedHosts ?? [],
    admin: options.admin ?? true,
    adminToken: options.adminToken ?? (onLoopback ? null : randomBytes(24).toString("base64url")),
    assumptionHeader: options.assumptionHeader ?? true,
    port: options.port ?? 0,
    host,
    onRequest: options.onRequest,
    onFailure: options.onFailure ?? (() => {}),
  };
}

/** Milliseconds since the epoch; `"fixture"` stays to be looked up. Throws Mistake. */
export function startingInstant(clock: string): number | "fixture" {
  if (clock === "fixture") return clock;
  if (clock === "now") return Date.now();
  const date = parseIsoDate(clock);
  if (date) return date.milliseconds;
  throw new Mistake(`clock is an instant such as 2026-01-15T12:00:00.000Z, "now" or "fixture".`);
}
