import type { ProfileName } from "./assumptions/profiles.ts";
import type { Instant } from "./model/instant.ts";
import type { KeyType } from "./model/key-type.ts";

/** A running sandbox server. */
export interface Sandbox extends AsyncDisposable {
  /** The origin: `http://localhost:4120`. */
  readonly url: string;
  /** Where the emulated service begins: `http://localhost:4120/api/v1`. */
  readonly baseUrl: string;
  /** Where the admin API begins: `http://localhost:4120/__admin`. */
  readonly adminUrl: string;
  /** The token that `/` and the admin API ask for beyond loopback; null when they ask for none. */
  readonly adminToken: string | null;
  /** The clock of the default environment. */
  readonly clock: Clock;
  /** The offerings of the default environment, in the order of its fixture. */
  readonly offerings: readonly OfferingDescription[];
  /** The secrets of the first offering's first keys; undefined where the fixture has none of that type. */
  readonly keys: { readonly [Type in KeyType]: string | undefined };
  /** The default environment, as it is now. */
  describe(): EnvironmentDescription;
  /** Calls to try, one for each kind of answer that the fixture's keys can produce. */
  examples(): readonly ExampleCall[];
  /**
   * Takes up the fixture and the options anew, in place: the clock goes on, limits begin afresh. What was bound stays as
   * it is: port, host, admin and admin token. Rejects as `startSandbox` does, and then nothing has changed.
   */
  reload(options: SandboxOptions): Promise<void>;
  /** Stops listening and drops open connections. May be called twice. */
  close(): Promise<void>;
}

/** The only source of time in an environment. */
export interface Clock {
  readonly now: Instant;
  /** Seconds of the clock in one real second: 1 real time, 0 frozen. */
  readonly speed: number;
  /** Sets the instant, backwards too, or the speed, or both. */
  set(to: { now?: Instant; speed?: number }): void;
  /** Moves the clock by so many milliseconds, and the rate limits' windows with it. */
  advance(milliseconds: number): void;
}

/** An environment as `GET /__admin/environments/{id}` answers it. */
export interface EnvironmentDescription {
  readonly id: string;
  readonly fixture: string;
  readonly create_date: Instant;
  readonly clock: { readonly now: Instant; readonly speed: number };
  readonly profile: ProfileName;
  /** Requests a minute a key; 0 is off. */
  readonly rate_limit: number;
  readonly offerings: readonly OfferingDescription[];
  readonly keys: readonly KeyDescription[];
  readonly runs: readonly never[];
}

export interface OfferingDescription {
  readonly id: string;
  readonly name: string;
  readonly alias: string | null;
  /** How many investments it has now. */
  readonly investments: number;
}

export interface KeyDescription {
  readonly id: string;
  /** The secret. */
  readonly key: string;
  readonly type: KeyType;
  readonly offering_id: string;
  readonly environment: string;
  readonly status: "active" | "revoked";
  readonly label: string | null;
  readonly create_date: Instant;
  readonly revoke_date: Instant | null;
}

/** A call worth pasting. */
export interface ExampleCall {
  /** What it shows: `a redacted investment`. */
  readonly title: string;
  /** The status to expect. */
  readonly status: number;
  /** The path below the base address: `/investments/…`. */
  readonly path: string;
  /** The secret to send. */
  readonly key: string;
  /** The call as a line to paste into a shell. */
  readonly curl: string;
}

/** One answered request. Never holds the text of a key, known or unknown. */
export interface RequestEntry {
  readonly method: string;
  /** The path and query with everything left out that could be a secret. */
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly key_id: string | null;
  readonly environment: string | null;
  /** What a developer may want to know: `unknown parameter create_date[gt], did you mean create_date[gte]?`. */
  readonly hints: readonly string[];
}

/** How a sandbox is to be. Everything may be left out; undefined is the same as left out. */
export interface SandboxOptions {
  /** A shipped fixture's name or a file. @default "demo" */
  fixture?: string | undefined;
  /** Seed for whatever the fixture leaves to be generated. @default the fixture's */
  seed?: number | undefined;
  /** The instant to start at: an instant, `"now"`, or `"fixture"` for the fixture's own. @default "fixture" */
  clock?: string | undefined;
  /** Seconds of the clock in a real second. @default 0 */
  speed?: number | undefined;
  /** @default "conventional" */
  profile?: ProfileName | undefined;
  /** Single assumptions set otherwise than in the profile, by id. */
  assumptions?: Readonly<Record<string, unknown>> | undefined;
  /** Requests a minute a key; 0 is off. @default 120 */
  rateLimit?: number | undefined;
  /** Milliseconds before every answer of the API, or the least and the most of them. @default 0 */
  delay?: number | readonly [least: number, most: number] | undefined;
  /** Origins that may call the API from a browser; `["*"]` is any. @default ["*"] */
  corsOrigins?: readonly string[] | undefined;
  /** Host names to answer to, beside the loopback names and the bound host. @default [] */
  allowedHosts?: readonly string[] | undefined;
  /** Whether `/` and `/__admin` answer. @default true */
  admin?: boolean | undefined;
  /** The token that they ask for. @default none on loopback, a random one beyond */
  adminToken?: string | undefined;
  /** Whether responses carry `Sandbox-Assumptions`. @default true */
  assumptionHeader?: boolean | undefined;
  /** 0 takes any free port. @default 0 */
  port?: number | undefined;
  /** The address to bind. @default both loopbacks */
  host?: string | undefined;
  /** Told of every answered request. @default nobody */
  onRequest?: ((entry: RequestEntry) => void) | undefined;
  /** Told of errors that the sandbox did not foresee, and answered with 500. @default nobody */
  onFailure?: ((error: unknown) => void) | undefined;
}
