/** A rule that makes matching requests fail or wait: `respond` or `connection`, with or without a `delay`, or a `delay` alone. */
export interface FaultRule {
  /** Which requests; those of which all of this is true. @default all */
  readonly match?: FaultMatch | undefined;
  /** What is answered instead. */
  readonly respond?: FaultResponse | undefined;
  /** How long an answer waits, ten minutes at most: `"90s"`, `"1m30s"`, `"PT90S"`. */
  readonly delay?: string | undefined;
  /** How the connection ends without an answer. */
  readonly connection?: "reset" | "empty" | undefined;
  /** How many requests it strikes. @default any number */
  readonly times?: number | undefined;
}

/** Which requests a fault strikes. */
interface FaultMatch {
  /** A pattern for the path below the base address: `*` or `:id` is one segment, `**` any number. */
  readonly path?: string | undefined;
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | undefined;
  readonly key_id?: string | undefined;
}

/** What a fault answers. */
interface FaultResponse {
  /** From 200 to 599. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>> | undefined;
  /** A text is sent as it is, anything else as JSON. @default none */
  readonly body?: unknown;
}

/** What of a request decides whether a fault strikes it. */
export interface FaultCandidate {
  /** Below the base address, without the query: `/investments/…`. */
  readonly path: string;
  readonly method: string;
  /** The id of the key that asked; null where it asked with none that is known. */
  readonly key_id: string | null;
}

/** Whether a fault strikes a request: when all that its rule says of requests is true of this one. */
export function matchesFault({ match = {} }: FaultRule, { path, method, key_id }: FaultCandidate): boolean {
  if (match.method !== undefined && match.method !== method) return false;
  if (match.key_id !== undefined && match.key_id !== key_id) return false;
  return match.path === undefined || matchesPath(belowBase(match.path), path);
}

/** A path as it is below the base address, if it is there. */
export function belowBase(path: string): string {
  return path.replace(/^\/api\/v1(?=\/)/, "");
}

/**
 * Whether a path pattern stands for a path. Segment by segment: `*`, or a name such as `:id`, stands for any one segment,
 * `**` for any number of segments, none included, everything else for itself. A slash at the beginning or the end makes no difference.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const wanted = segments(pattern);
  const given = segments(path);
  let [at, passed] = [0, 0];
  let retry: { at: number; passed: number } | undefined;
  while (passed < given.length) {
    if (wanted[at] === "**") {
      retry = { at: at + 1, passed };
      at++;
    } else if (at < wanted.length && standsFor(wanted[at], given[passed])) {
      at++;
      passed++;
    } else if (retry) {
      retry.passed++;
      ({ at, passed } = retry);
    } else {
      return false;
    }
  }
  return wanted.slice(at).every((segment) => segment === "**");
}

function segments(path: string): string[] {
  const all = path.replace(/^\//, "").split("/");
  return all.at(-1) === "" ? all.slice(0, -1) : all;
}

function standsFor(wanted: string | undefined, given: string | undefined): boolean {
  return wanted === "*" || wanted?.startsWith(":") === true || wanted === given;
}
