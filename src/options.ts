import type { ProfileName } from "./assumptions/assume.ts";

/** How a sandbox is to be. Everything may be left out; undefined is the same as left out. */
export interface SandboxOptions {
  /** A shipped fixture's name, a file or its URL, or an object with what a fixture file says. @default "demo" */
  fixture?: string | { readonly href: string } | Readonly<Record<string, unknown>> | undefined;
  /** Names of shipped scenarios, or files, to play at once. @default the fixture's own */
  scenarios?: readonly string[] | undefined;
  /** File to keep environments in, so that they outlive the process. @default none: everything is in memory */
  db?: string | undefined;
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

/** How an environment is to be. */
export interface EnvironmentOptions {
  /** Letters, digits, `-` and `_`. @default one made up */
  id?: string | undefined;
  /** The name of a loaded fixture: the server's own or a shipped one. @default the server's own */
  fixture?: string | undefined;
  /** An instant, `"now"`, or `"fixture"` for the fixture's own. @default "fixture" */
  clock?: string | undefined;
  /** @default 0 */
  speed?: number | undefined;
  /** Names of scenarios to play at once. @default none */
  scenarios?: readonly string[] | undefined;
  /** @default the server's */
  profile?: ProfileName | undefined;
  /** Single assumptions set otherwise than in the profile, by id. @default the server's, when the profile is left out */
  assumptions?: Readonly<Record<string, unknown>> | undefined;
  /** Requests a minute a key; 0 is off. @default the server's */
  rate_limit?: number | undefined;
  /** Dropped after so many seconds without a request or command. @default 3600 */
  ttl_seconds?: number | undefined;
}

/** One request, answered or not. Holds no key that the server knows, and nothing unknown but words, ids, numbers and dates. */
export interface RequestEntry {
  readonly method: string;
  /** The path and query with everything left out that could be a secret. */
  readonly path: string;
  /** 0 where the connection ended without an answer. */
  readonly status: number;
  readonly milliseconds: number;
  readonly key_id: string | null;
  readonly environment: string | null;
  /** What a developer may want to know: `unknown parameter create_date[gt], did you mean create_date[gte]?`. */
  readonly hints: readonly string[];
}
