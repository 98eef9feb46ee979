import type { ProfileName } from "./assumptions/assume.ts";

/** Options of a sandbox. All are optional; undefined is the same as left out. */
export interface SandboxOptions {
  /** A shipped fixture's name, a file or its URL, or the content of a fixture file. @default "demo" */
  fixture?: string | { readonly href: string } | Readonly<Record<string, unknown>> | undefined;
  /** Names of shipped scenarios, or files, to play from the start. @default the fixture's own */
  scenarios?: readonly string[] | undefined;
  /** File to store environments in, so that they outlive the process. @default none */
  db?: string | undefined;
  /** Seed for generated data. @default the fixture's */
  seed?: number | undefined;
  /** Start of the clock: an instant, `"now"`, or `"fixture"` for the fixture's present. @default "fixture" */
  clock?: string | undefined;
  /** Seconds of the clock per real second. @default 0 */
  speed?: number | undefined;
  /** @default "conventional" */
  profile?: ProfileName | undefined;
  /** Assumptions that differ from the profile, by id. */
  assumptions?: Readonly<Record<string, unknown>> | undefined;
  /** Requests per minute and key; 0 is off. @default 120 */
  rateLimit?: number | undefined;
  /** Milliseconds before every answer of the API, or a range. @default 0 */
  delay?: number | readonly [min: number, max: number] | undefined;
  /** Origins that may call the API from a browser; `["*"]` allows any. @default ["*"] */
  corsOrigins?: readonly string[] | undefined;
  /** Host names to answer to, besides the loopback names and the bound host. @default [] */
  allowedHosts?: readonly string[] | undefined;
  /** Serves `/` and `/__admin`. @default true */
  admin?: boolean | undefined;
  /** The token they require. @default none on loopback, a random one beyond */
  adminToken?: string | undefined;
  /** Sends the header `Sandbox-Assumptions`. @default true */
  assumptionHeader?: boolean | undefined;
  /** 0 takes any free port. @default 0 */
  port?: number | undefined;
  /** The address to bind. @default both loopbacks */
  host?: string | undefined;
  /** Called for every answered request. */
  onRequest?: ((entry: RequestEntry) => void) | undefined;
  /** Called when somebody asks over the admin API that the sandbox stops. @default such calls are refused */
  onStop?: (() => void) | undefined;
  /** Called for unexpected errors, which are answered with 500. */
  onFailure?: ((error: unknown) => void) | undefined;
}

/** `rateLimit` in the form of the admin API: `rate_limit`. */
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

/** Options by their names in TypeScript or in the admin API. */
export type InEitherCase<Options> = Options & {
  [Name in keyof Options as Name extends string ? SnakeCase<Name> : never]?: Options[Name];
};

/** Options of an environment. */
export interface EnvironmentOptions {
  /** Letters, digits, `-` and `_`. @default a generated one */
  id?: string | undefined;
  /** A name for people, such as that of a test. @default none */
  label?: string | undefined;
  /** The name of a loaded fixture: the server's own or a shipped one. @default the server's own */
  fixture?: string | undefined;
  /** An instant, `"now"`, or `"fixture"` for the fixture's present. @default "fixture" */
  clock?: string | undefined;
  /** @default 0 */
  speed?: number | undefined;
  /** Names of scenarios to play from the start. @default none */
  scenarios?: readonly string[] | undefined;
  /** @default the server's */
  profile?: ProfileName | undefined;
  /** Assumptions that differ from the profile, by id. @default the server's, if `profile` is left out */
  assumptions?: Readonly<Record<string, unknown>> | undefined;
  /** Requests per minute and key; 0 is off. @default the server's */
  rateLimit?: number | undefined;
  /** Seconds without a request or command after which it is closed. @default 3600 */
  ttlSeconds?: number | undefined;
}

/** One request. Contains no known key, and of the unknown only words, ids, numbers and dates. */
export interface RequestEntry {
  readonly method: string;
  /** Path and query, with everything that could be a secret replaced. */
  readonly path: string;
  /** 0 if the connection ended without an answer. */
  readonly status: number;
  readonly milliseconds: number;
  readonly key_id: string | null;
  readonly environment: string | null;
  /** Hints at mistakes: `unknown parameter create_date[gt], did you mean create_date[gte]?`. */
  readonly hints: readonly string[];
}
