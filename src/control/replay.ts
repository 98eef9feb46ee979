import type { AssumptionId, Assumptions } from "../assumptions/catalog.ts";
import type { PreviewedResponse, ReplayedRequest, ReplayReport, ReplayedResponse } from "../public/control.ts";
import { Environment } from "../environment/environment.ts";
import { ControlError } from "../errors/control-error.ts";
import type { ErrorCode, KeyError } from "../model/error-catalog.ts";
import { pathText } from "../validation/errors.ts";
import { digestOf } from "../text/json-text.ts";
import { isMembers } from "../validation/members.ts";
import { basePath } from "../model/operations.ts";
import { TimeSlice } from "../bounds/time-slice.ts";
import { hidden } from "../secrets/secrets.ts";
import type { RecordedRequest } from "../public/requests.ts";
import { readAssumptions } from "../settings/values.ts";
import type { BodyValue } from "./bodies.ts";
import type { Server } from "./call.ts";

/** Returns the assumptions to use in place of those at the time. */
type Assume = (atTheTime: Assumptions) => Assumptions;

/** Returns how to replace assumptions. Throws ValidationError for an unknown assumption or a wrong value. */
export function assuming({
  profile,
  assumptions,
}: Pick<BodyValue<"ReplayOptions">, "profile" | "assumptions">): Assume | undefined {
  if (profile === undefined && assumptions === undefined) return undefined;
  const whole = readAssumptions(profile ?? "conventional", assumptions);
  if (profile !== undefined) return () => whole;
  const ids = Object.keys(assumptions ?? {}) as AssumptionId[];
  const changes = Object.fromEntries(ids.map((id) => [id, whole[id]]));
  return (atTheTime) => ({ ...atTheTime, ...changes });
}

/** A repeated response, or the reason why it cannot be repeated. */
type ReplayResult = PreviewedResponse | string;

/**
 * Repeats the requests of a journal, each from its own state, and compares the responses by their digests. With
 * `responses`, each entry includes its response.
 */
export async function replay(
  environment: Environment,
  server: Server,
  { assume, responses }: { readonly assume: Assume | undefined; readonly responses: boolean },
): Promise<ReplayReport> {
  const timeSlice = new TimeSlice();
  const journalReplay = new JournalReplay(environment, server);
  /** The last repeated responses that were the same as the sent ones. */
  const bodies = new Map<string, string>();
  const outcomeOf = (entry: RecordedRequest): Pick<ReplayedRequest, "result" | "reason" | "differs" | "response"> => {
    const own = journalReplay.response(entry);
    if (typeof own === "string") return { result: "skipped", reason: own };
    const other = assume ? journalReplay.response(entry, assume) : own;
    if (typeof other === "string") return { result: "skipped", reason: other };
    const subject = `${entry.key_id} ${entry.path}`;
    const isSame = isSameResponse(own, entry);
    if (isSame) bodies.set(subject, own.body);
    else if (journalReplay.changesWereRemoved(entry))
      return { result: "skipped", reason: "changes of that time have been removed since" };
    if (isSame && isSameResponse(other, entry)) return { result: "same", response: other };
    const response = isSame ? other : own;
    const reason = response.status === entry.status ? undefined : `${response.status} in place of ${entry.status}`;
    const before = bodies.get(subject) ?? journalReplay.bodyWithoutChanges(entry);
    return { result: "different", reason, differs: differing(before, response.body), response };
  };
  const entries: ReplayedRequest[] = [];
  for (const entry of journalReplay.entries) {
    await timeSlice.yieldIfDue();
    const { id, date, method, path, status } = entry;
    const { response, ...outcome } = outcomeOf(entry);
    entries.push({ id, date, method, path, status, ...outcome, ...(responses && response && { response }) });
  }
  const count = (result: ReplayedRequest["result"]): number => entries.filter((one) => one.result === result).length;
  return { same: count("same"), different: count("different"), skipped: count("skipped"), entries };
}

/** Repeats the response to a request of the journal. Throws ControlError if the journal does not have it. */
export function responseAgain(environment: Environment, server: Server, id: string): ReplayedResponse {
  const journalReplay = new JournalReplay(environment, server);
  const entry = journalReplay.entries.find((one) => String(one.id) === id);
  if (!entry) throw new ControlError("not_found", "The journal has no request of this id.");
  const result = journalReplay.response(entry);
  if (typeof result === "string") return { status: entry.status, headers: {}, body: null, same: null, reason: result };
  return { ...result, same: isSameResponse(result, entry), reason: null };
}

/** An environment as it was at the requests of its journal. */
class JournalReplay {
  readonly entries: readonly RecordedRequest[];
  readonly #server: Server;
  /** A copy of the present state; the environment itself may change. */
  readonly #now: Environment;
  readonly #assumptionsAt: (entry: RecordedRequest) => Assumptions;
  /** The environment as it was at the latest requested entry. */
  #atEntry: { readonly as_of: number; readonly environment: Environment } | undefined;

  constructor(environment: Environment, server: Server) {
    const { journal } = environment.internals;
    this.entries = journal.list({}).data;
    this.#server = server;
    this.#now = asOf(environment, Infinity);
    this.#assumptionsAt = ({ id }) => journal.assumptionsAt(id, this.#now.assumptions);
  }

  response(entry: RecordedRequest, assume: Assume = (atTheTime) => atTheTime): ReplayResult {
    const reason = whyNot(entry);
    if (reason !== undefined) return reason;
    const { as_of } = entry;
    if (this.#atEntry?.as_of !== as_of) this.#atEntry = { as_of, environment: asOf(this.#now, as_of) };
    return this.#replay(entry, this.#atEntry.environment, assume(this.#assumptionsAt(entry)));
  }

  /** Returns the body without any change; empty if it cannot be made. */
  bodyWithoutChanges(entry: RecordedRequest): string {
    const result = this.#replay(entry, asOf(this.#now, 0), this.#assumptionsAt(entry));
    return typeof result === "string" ? "" : result.body;
  }

  /** Whether changes that were on the timeline at that time have been removed since. */
  changesWereRemoved({ as_of }: RecordedRequest): boolean {
    return this.#now.internals.history.timeline.changes.filter(({ sequence }) => sequence < as_of).length < as_of;
  }

  #replay(
    { date, code, key_id, path: url, retry_after_seconds }: RecordedRequest,
    past: Environment,
    assumptions: Assumptions,
  ): ReplayResult {
    past.assume(assumptions);
    past.internals.clock.set({ now: date });
    const stateAtInstant = past.read();
    const key = key_id === null ? undefined : stateAtInstant.state.key(key_id);
    if (key_id !== null && !key) return "its key is gone";
    const retryAfter = code === "rate_limit_exceeded" ? (retry_after_seconds ?? undefined) : undefined;
    const authorization = key ? `Bearer ${key.key}` : code ? keylessHeaders[code] : undefined;
    return this.#server.preview(past, { url, authorization, stateAtInstant, retryAfterSeconds: retryAfter });
  }
}

/** The `Authorization` of requests that had no known key, by the code of their response. */
const keylessHeaders: { readonly [Code in ErrorCode]?: string | undefined } = {
  key_missing: undefined,
  key_malformed: "malformed",
  key_unknown: "Bearer unknown",
  key_revoked: undefined,
} satisfies Record<KeyError, string | undefined>;

/**
 * Copies an environment with only the first changes ever put on its timeline, and no future. The clock of the copy is
 * frozen, and may be set.
 */
function asOf({ config, internals }: Environment, issued: number): Environment {
  const { clock, assumptions, history } = internals;
  const { dataset, keys, timeline } = history;
  return new Environment(
    { ...config, scenarios: [] },
    {
      clock: { now: clock.nowMs, speed: 0 },
      days: dataset.days,
      keys,
      assumptions,
      changes: timeline.changes.filter(({ sequence }) => sequence < issued),
      issued,
      creations: 0,
      runs: [],
      scenarios: [],
      fault_uses: {},
      fault_matches: {},
    },
  );
}

/** Returns why a request is not repeated; undefined if it is. */
function whyNot({ method, path, status, fault_id, code, digest }: RecordedRequest): string | undefined {
  if (status === null) return fault_id === null ? "it had no response" : `${fault_id} ended it`;
  if (fault_id !== null && digest === null && code === null) return `${fault_id} responded`;
  if (code === "invalid") return "it could not be read";
  if (method !== "GET") return "only GET is asked again";
  if (path.includes(hidden)) return "its path is concealed";
  return path.startsWith(basePath) ? undefined : "it is outside of the API";
}

function isSameResponse({ status, body }: PreviewedResponse, entry: RecordedRequest): boolean {
  return status === entry.status && (body === "" ? null : digestOf(body)) === entry.digest;
}

/** Maximum number of named members. */
const maxNamed = 20;

/** Returns the members in which two bodies differ: `data.attributes.status`. */
function differing(left: string, right: string): string[] {
  const found: string[] = [];
  const walk = (before: unknown, after: unknown, path: readonly (string | number)[]): void => {
    if (found.length === maxNamed || Object.is(before, after)) return;
    const [some, others] = [before, after].map(entriesOf);
    if (!some || !others) return void found.push(pathText(path, "the body"));
    for (const name of new Set([...some.keys(), ...others.keys()]))
      walk(some.get(name), others.get(name), [...path, name]);
  };
  walk(parsedBody(left), parsedBody(right), []);
  return found;
}

/** Returns the members of an object, or the items of a list; undefined for any other value. */
function entriesOf(value: unknown): ReadonlyMap<string | number, unknown> | undefined {
  if (Array.isArray(value)) return new Map(value.entries());
  return isMembers(value) ? new Map(Object.entries(value)) : undefined;
}

function parsedBody(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}
