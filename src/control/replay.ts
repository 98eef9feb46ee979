import type { AssumptionId, Assumptions } from "../assumptions/catalog.ts";
import type { PreviewedResponse, ReplayedRequest, ReplayReport, ReplayedResponse } from "../public/control.ts";
import { Environment } from "../environment/environment.ts";
import { ControlError } from "../errors/control-error.ts";
import type { ErrorCode, KeyError } from "../model/error-catalog.ts";
import { pathText } from "../validation/errors.ts";
import { digestOf, parsedJson } from "../text/json-text.ts";
import { isMembers } from "../validation/members.ts";
import { basePath } from "../model/operations.ts";
import { TimeSlice } from "../bounds/time-slice.ts";
import { hidden } from "../secrets/secrets.ts";
import type { RecordedRequest } from "../public/requests.ts";
import { readAssumptions } from "../settings/values.ts";
import type { BodyValue } from "./bodies.ts";
import type { Server } from "./call.ts";

/** Returns the assumptions for a repetition from those at the time of the request. */
type Assume = (original: Assumptions) => Assumptions;

/** Creates a function that replaces assumptions. Throws ValidationError for an unknown assumption or value. */
export function createAssume({
  profile,
  assumptions,
}: Pick<BodyValue<"ReplayOptions">, "profile" | "assumptions">): Assume | undefined {
  if (profile === undefined && assumptions === undefined) return undefined;
  const allAssumptions = readAssumptions(profile ?? "conventional", assumptions);
  if (profile !== undefined) return () => allAssumptions;
  const ids = Object.keys(assumptions ?? {}) as AssumptionId[];
  const changes = Object.fromEntries(ids.map((id) => [id, allAssumptions[id]]));
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
  /** The last repeated bodies that were equal to the sent bodies. */
  const bodies = new Map<string, string>();
  const outcomeOf = (entry: RecordedRequest): Pick<ReplayedRequest, "result" | "reason" | "differs" | "response"> => {
    const originalResult = journalReplay.response(entry);
    if (typeof originalResult === "string") return { result: "skipped", reason: originalResult };
    const alternativeResult = assume ? journalReplay.response(entry, assume) : originalResult;
    if (typeof alternativeResult === "string") return { result: "skipped", reason: alternativeResult };
    const subject = `${entry.key_id} ${entry.path}`;
    const isSame = isSameResponse(originalResult, entry);
    if (isSame) bodies.set(subject, originalResult.body);
    else if (journalReplay.hasRemovedChanges(entry))
      return { result: "skipped", reason: "changes of that time have been removed since" };
    if (isSame && isSameResponse(alternativeResult, entry)) return { result: "same", response: alternativeResult };
    const response = isSame ? alternativeResult : originalResult;
    const reason = response.status === entry.status ? undefined : `${response.status} in place of ${entry.status}`;
    const lastBody = bodies.get(subject) ?? journalReplay.bodyWithoutChanges(entry);
    return { result: "different", reason, differs: differingMembers(lastBody, response.body), response };
  };
  const entries: ReplayedRequest[] = [];
  for (const entry of journalReplay.entries) {
    await timeSlice.yieldIfDue();
    const { id, date, method, path, status } = entry;
    const { response, ...outcome } = outcomeOf(entry);
    entries.push({ id, date, method, path, status, ...outcome, ...(responses && response && { response }) });
  }
  const count = (result: ReplayedRequest["result"]): number =>
    entries.filter((replayedRequest) => replayedRequest.result === result).length;
  return { same: count("same"), different: count("different"), skipped: count("skipped"), entries };
}

/** Repeats the response to a request of the journal. Throws ControlError if the journal does not have it. */
export function repeatResponse(environment: Environment, server: Server, id: string): ReplayedResponse {
  const journalReplay = new JournalReplay(environment, server);
  const entry = journalReplay.entries.find((recordedRequest) => String(recordedRequest.id) === id);
  if (!entry) throw new ControlError("not_found", "The journal has no request of this id.");
  const result = journalReplay.response(entry);
  if (typeof result === "string") return { status: entry.status, headers: {}, body: null, same: null, reason: result };
  return { ...result, same: isSameResponse(result, entry), reason: null };
}

/** Repeats requests on an environment in its state at each request. */
class JournalReplay {
  readonly entries: readonly RecordedRequest[];
  readonly #server: Server;
  /** A copy of the environment in its current state, because the environment itself may change. */
  readonly #current: Environment;
  readonly #assumptionsAt: (entry: RecordedRequest) => Assumptions;
  /** The environment in its state at the last repeated request. */
  #atEntry: { readonly as_of: number; readonly environment: Environment } | undefined;

  constructor(environment: Environment, server: Server) {
    const { journal } = environment.internals;
    this.entries = journal.list({}).data;
    this.#server = server;
    this.#current = copyAsOf(environment, Infinity);
    this.#assumptionsAt = ({ id }) => journal.assumptionsAt(id, this.#current.assumptions);
  }

  response(entry: RecordedRequest, assume: Assume = (atTheTime) => atTheTime): ReplayResult {
    const reason = skipReason(entry);
    if (reason !== undefined) return reason;
    const { as_of } = entry;
    if (this.#atEntry?.as_of !== as_of) this.#atEntry = { as_of, environment: copyAsOf(this.#current, as_of) };
    return this.#replay(entry, this.#atEntry.environment, assume(this.#assumptionsAt(entry)));
  }

  /** Returns the body before any change; empty if the request cannot be repeated. */
  bodyWithoutChanges(entry: RecordedRequest): string {
    const result = this.#replay(entry, copyAsOf(this.#current, 0), this.#assumptionsAt(entry));
    return typeof result === "string" ? "" : result.body;
  }

  /** Returns true if changes that were on the timeline at the time of a request have been removed since. */
  hasRemovedChanges({ as_of }: RecordedRequest): boolean {
    return this.#current.internals.history.timeline.changes.filter(({ sequence }) => sequence < as_of).length < as_of;
  }

  #replay(
    { date, code, key_id, path: url, retry_after_seconds }: RecordedRequest,
    pastEnvironment: Environment,
    assumptions: Assumptions,
  ): ReplayResult {
    pastEnvironment.assume(assumptions);
    pastEnvironment.internals.clock.set({ now: date });
    const stateAtInstant = pastEnvironment.read();
    const key = key_id === null ? undefined : stateAtInstant.state.key(key_id);
    if (key_id !== null && !key) return "its key is gone";
    const retryAfterSeconds = code === "rate_limit_exceeded" ? (retry_after_seconds ?? undefined) : undefined;
    const authorization = key ? `Bearer ${key.key}` : code ? keylessHeaders[code] : undefined;
    return this.#server.preview(pastEnvironment, { url, authorization, stateAtInstant, retryAfterSeconds });
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
 * Copies an environment with only the first `changeCount` changes ever put on its timeline, and without a future. The
 * clock of the copy is paused, and may be set.
 */
function copyAsOf({ config, internals }: Environment, changeCount: number): Environment {
  const { clock, assumptions, history } = internals;
  const { dataset, keys, timeline } = history;
  return new Environment(
    { ...config, scenarios: [] },
    {
      clock: { now: clock.nowMs, speed: 0 },
      days: dataset.days,
      keys,
      assumptions,
      changes: timeline.changes.filter(({ sequence }) => sequence < changeCount),
      issued: changeCount,
      creations: 0,
      runs: [],
      scenarios: [],
      fault_uses: {},
      fault_matches: {},
    },
  );
}

/** Returns why a request is not repeated; undefined if it is. */
function skipReason({ method, path, status, fault_id, code, digest }: RecordedRequest): string | undefined {
  if (status === null) return fault_id === null ? "it had no response" : `${fault_id} ended it`;
  if (fault_id !== null && digest === null && code === null) return `${fault_id} responded`;
  if (code === "invalid") return "it could not be read";
  if (method !== "GET") return "only a GET is repeated";
  if (path.includes(hidden)) return "its path is concealed";
  return path.startsWith(basePath) ? undefined : "it is outside of the API";
}

function isSameResponse({ status, body }: PreviewedResponse, entry: RecordedRequest): boolean {
  return status === entry.status && (body === "" ? null : digestOf(body)) === entry.digest;
}

/** Maximum number of reported differences. */
const maxDifferences = 20;

/** Returns the members in which two bodies differ: `data.attributes.status`. */
function differingMembers(left: string, right: string): string[] {
  const differences: string[] = [];
  const walk = (before: unknown, after: unknown, path: readonly (string | number)[]): void => {
    if (differences.length === maxDifferences || Object.is(before, after)) return;
    const [leftEntries, rightEntries] = [before, after].map(entriesOf);
    if (!leftEntries || !rightEntries) return void differences.push(pathText(path, "the body"));
    for (const name of new Set([...leftEntries.keys(), ...rightEntries.keys()]))
      walk(leftEntries.get(name), rightEntries.get(name), [...path, name]);
  };
  walk(parsedJson(left) ?? left, parsedJson(right) ?? right, []);
  return differences;
}

/** Returns the members of an object, or the items of a list; undefined for any other value. */
function entriesOf(value: unknown): ReadonlyMap<string | number, unknown> | undefined {
  if (Array.isArray(value)) return new Map(value.entries());
  return isMembers(value) ? new Map(Object.entries(value)) : undefined;
}
