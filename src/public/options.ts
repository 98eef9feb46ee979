import type { ProfileName, CalibrationOption } from "../assumptions/catalog.ts";
import type { RequestEntry } from "./requests.ts";
import type { Duration, Span } from "../time/duration.ts";

/** A fixture or a snapshot: the content, a file or its URL; of a fixture also the name. */
type Source = string | { readonly href: string } | Readonly<Record<string, unknown>>;

/** Options of a sandbox. All are optional; undefined has the effect of omitting one. */
export interface SandboxOptions {
  /**
   * The config file or its URL, with defaults for these options except `port` and `db`; `false` for none. @default the
   * nearest offering-sandbox.config.yaml or .json, from the working directory up to the folder of a package.json
   */
  config?: string | { readonly href: string } | false | undefined;
  /** A shipped fixture's name, a file or its URL, or the content of a fixture file. @default "demo" */
  fixture?: Source | undefined;
  /**
   * Names of shipped scenarios, files, or the contents of files, to play from the start; `"fixture"` plays those that
   * the fixture names, as `offering-sandbox start` does. @default none
   */
  scenarios?: readonly (string | object)[] | "fixture" | undefined;
  /**
   * A snapshot, or the file of one, from which to open the default environment. It gives fixture, clock, profile,
   * assumptions and rate limit unless they are set here; `fixture` and `seed` only if the snapshot does not contain its
   * fixture. @default none
   */
  snapshot?: Source | undefined;
  /**
   * The file that stores the environments beyond the process; or the address of a PostgreSQL database, over which
   * several processes share them: `postgres://host/name`, with `?schema=team` for one schema of it. @default none
   */
  db?: string | undefined;
  /** Maximum number of open environments, the default one included: 1 to 20,000. @default 1000 */
  maxEnvironments?: number | undefined;
  /** Seed for generated data. @default the fixture's */
  seed?: number | undefined;
  /** Start of the clock: an instant, `"now"`, or `"fixture"` for the fixture's present. @default "fixture" */
  clock?: string | undefined;
  /** Seconds of the clock per real second. @default 0 */
  speed?: number | undefined;
  /** @default "conventional" */
  profile?: ProfileName | undefined;
  /** Assumptions other than the profile's, by id. */
  assumptions?: Readonly<Record<string, unknown>> | undefined;
  /** The assumptions that `offering-sandbox calibrate` decided, as in its config file; informative. @default none */
  calibrated?: CalibrationOption | undefined;
  /** Requests per minute and key; 0 is off. @default 120 */
  rateLimit?: number | undefined;
  /** Delay before every API response: milliseconds, `"2s"`, or a span to sample, `"50ms..200ms"`. @default 0 */
  delay?: Span | undefined;
  /** Origins allowed to call the API from a browser; `["*"]` allows any. @default ["*"] */
  corsOrigins?: readonly string[] | undefined;
  /** Host names to respond to, besides the loopback names and the bound host. @default [] */
  allowedHosts?: readonly string[] | undefined;
  /** Serves the portal at `/`, and `/__admin`. @default true */
  admin?: boolean | undefined;
  /** A token that only opens environments: each has its own tokens, and the admin API requires one. @default none */
  openToken?: string | undefined;
  /** The token for `/__admin` and the portal. @default none on loopback, a random one beyond or with `openToken` */
  adminToken?: string | undefined;
  /** Sends the header `Sandbox-Assumptions`. @default true */
  assumptionHeader?: boolean | undefined;
  /**
   * The folder to which failed tests write their snapshots. @default OFFERING_SANDBOX_SNAPSHOT_DIR; without it,
   * none are written
   */
  snapshotDir?: string | undefined;
  /**
   * Folder to which the sandbox writes at its end which errors of the service its clients have covered, in a JSON file
   * of its own: see `coverage()`. @default the variable OFFERING_SANDBOX_COVERAGE_DIR, or else none
   */
  coverageDir?: string | undefined;
  /** 0 takes any free port. @default 0 */
  port?: number | undefined;
  /** The address to bind. @default both loopbacks */
  host?: string | undefined;
  /** Called for every request when it has its response. */
  onRequest?: ((entry: RequestEntry) => void) | undefined;
  /** Called when the admin API is asked to stop the sandbox. @default such requests are refused */
  onStop?: (() => void) | undefined;
  /** Called for unexpected errors, which get a 500. */
  onFailure?: ((error: unknown) => void) | undefined;
}

/** Options of an environment. */
export interface EnvironmentOptions {
  /** Letters, digits, `-` and `_`. @default a generated one */
  id?: string | undefined;
  /** A name for people, such as a test's. @default none */
  label?: string | undefined;
  /**
   * The name of the server's own fixture or of a shipped one, a file or its URL, or the content of a fixture file; in
   * the content, errors are named by their place, and `generate` is bounded. @default the server's own
   */
  fixture?: Source | undefined;
  /**
   * A snapshot of any environment and process, or the file of one, to start from: with its fixture, timeline, clock and
   * keys, but new secrets. Clock, profile and rate limit may be set. @default none
   */
  snapshot?: Source | undefined;
  /** An instant, `"now"`, or `"fixture"` for the fixture's present. @default the snapshot's, or `"fixture"` */
  clock?: string | undefined;
  /** @default the snapshot's, or 0 */
  speed?: number | undefined;
  /** Names of scenarios, files, or the contents of files, to play from the start. @default none */
  scenarios?: readonly (string | object)[] | undefined;
  /** @default the server's */
  profile?: ProfileName | undefined;
  /** Assumptions that differ from the profile, by id. @default the server's, if `profile` is omitted */
  assumptions?: Readonly<Record<string, unknown>> | undefined;
  /** Requests per minute and key; 0 is off. @default the server's */
  rateLimit?: number | undefined;
  /** Seconds, or a duration such as `"2h"`, without use after which the environment is deleted. @default 3600 */
  ttlSeconds?: Duration | undefined;
}

/** Options with which an environment is deleted. */
export interface CloseOptions {
  /** How the environment's test ended, for the snapshots of `offering-sandbox exec --snapshot-dir`. */
  readonly outcome?: "passed" | "failed" | undefined;
}
