import { batch, computed, effect, signal, untracked } from "@preact/signals";
import type { JournalEntry, Pulse, RequestList } from "../../src/public/control.ts";
import { call, type Problem, problemFrom } from "./api.ts";
import { createResource, traffic } from "./resource.ts";
import { tabSignal } from "../base/preferences.ts";
import { environmentId } from "../base/routes.ts";
import { isLocked, token } from "../base/token.ts";

/**
 * The latest state of the environment on screen. The page requests a pulse twice a second while its window has the
 * focus, once a second while another window has it, and at once after a command or when the clock passes a change. A
 * hidden page requests none.
 */

export type Connection = "starting" | "live" | "unreachable" | "locked" | "missing";

export const connection = signal<Connection>("starting");

/** The error of the last pulse; null if it succeeded. */
export const problem = signal<Problem | null>(null);

/** Stays the same while only requests arrive; these may change the journal, limits and the counts of faults. */
export const revision = signal("");

/** The dates of the last change up to now, and of the next change. */
export const previousChangeAt = signal<string | null>(null);
export const nextChangeAt = signal<string | null>(null);

/** Seconds of the clock per real second. */
export const speed = signal(0);

/** The current time of the clock in milliseconds. Between two pulses the page computes it. */
export const now = signal(0);

/** The real time of the sandbox's machine, in milliseconds; the browser's may differ. Updated after each pulse. */
export const realTime = signal(0);

/** The number of received pulses. Components whose content expires in real time read it, so that they re-render. */
export const pulseCount = signal(0);

/** The newest entries, 1,000 at most, oldest first, and the number of older entries that were dropped. */
export const journal = signal<readonly JournalEntry[]>([]);
export const droppedCount = signal(0);

/** The environment with its offerings, keys, runs and faults; undefined until the first response. */
export const environment = createResource(() => call("getEnvironment"));

/** The number of failed requests in the journal, shown in the navigation. */
export const errorCount = computed(() => journal.value.filter(({ status }) => status === null || status >= 400).length);

/** The last reading of the clock, in milliseconds, and the page's own time of the reading. */
let reading = { now: 0, readAt: 0 };
/** The same of the real time of the sandbox's machine. */
let realReading = reading;
/** The version of the sandbox that sent this page, and the version for which this tab was reloaded. */
let pageVersion = "";
const reloadedVersion = tabSignal("version", "");
/** Incremented for each environment or token that the page follows; an older pulse is ignored. */
let generation = 0;
let isPulsePending = false;
let isPulseDue = false;
let failureCount = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

const maxEntries = 1000;
/** The maximum number of entries in a pulse. */
const maxPulseEntries = 200;
/** The latest instant that a clock can show. */
const lastInstant = Date.parse("9999-12-31T23:59:59.999Z");
/** The minimum delay of a pulse for the next change, however fast the clock passes changes. */
const minDelayMs = 200;

/** Requests a pulse at once, or after the pending one. */
export function requestPulse(): void {
  clearTimeout(timer);
  if (isPulsePending) isPulseDue = true;
  else void loadPulse();
}

/** Shows the clock from the response to a command, before the next pulse. */
export function showClock(clock: Pulse["clock"]): void {
  reading = { now: Date.parse(clock.now), readAt: performance.now() };
  batch(() => {
    speed.value = clock.speed;
    now.value = reading.now;
  });
}

/** Empties the journal on screen, after the server has cleared its own. */
export function clearJournal(): void {
  journal.value = [];
}

/** Starts to follow the environment in the address. */
export function followEnvironment(): void {
  effect(() => {
    // Reading both subscribes to them: another environment or token starts from the beginning.
    void [environmentId.value, token.value];
    untracked(() => {
      startOver();
      requestPulse();
    });
  });
  for (const event of ["visibilitychange", "focus", "online"]) addEventListener(event, requestPulse);
  effect(() => {
    if (speed.value === 0) return undefined;
    const ticks = setInterval(advanceNow, 250);
    return () => clearInterval(ticks);
  });
}

function startOver(): void {
  generation++;
  batch(() => {
    [revision.value, previousChangeAt.value, nextChangeAt.value] = ["", null, null];
    [journal.value, droppedCount.value] = [[], 0];
    problem.value = null;
    // The form for a token stays until a token is accepted.
    if (connection.value !== "locked") connection.value = "starting";
    environment.clear();
  });
}

function advanceNow(): void {
  if (document.hidden) return;
  now.value = Math.min(lastInstant, reading.now + (performance.now() - reading.readAt) * speed.value);
}

async function loadPulse(): Promise<void> {
  isPulsePending = true;
  const [startGeneration, startReading] = [generation, reading];
  try {
    const after = journal.value.at(-1)?.id ?? 0;
    const sentAt = performance.now();
    const pulse = await call("getPulse", { query: { after, revision: revision.value } });
    traffic.latencyMs = Math.min(traffic.latencyMs, performance.now() - sentAt);
    const entries = await loadEntries(pulse, after);
    if (startGeneration === generation) applyPulse(pulse, entries, reading === startReading);
    failureCount = 0;
  } catch (error) {
    if (startGeneration === generation) handleFailure(error);
  } finally {
    isPulsePending = false;
    realTime.value = realReading.now + performance.now() - realReading.readAt;
    schedulePulse();
  }
}

type Entries = Pick<RequestList, "data" | "dropped">;

/** Applies a pulse, but not its clock if a command has returned a later one meanwhile. */
function applyPulse(pulse: Pulse, entries: Entries | undefined, isClockLatest: boolean): void {
  reloadIfOld(pulse.version);
  realReading = { now: Date.parse(pulse.real_time), readAt: performance.now() };
  const isNew = pulse.revision !== revision.value;
  const wasUnreachable = connection.value === "unreachable";
  batch(() => {
    pulseCount.value++;
    if (isClockLatest) showClock(pulse.clock);
    revision.value = pulse.revision;
    [previousChangeAt.value, nextChangeAt.value] = [pulse.previous, pulse.next];
    if (entries) {
      journal.value = entries.data.slice(-maxEntries);
      droppedCount.value = entries.dropped;
    }
    connection.value = "live";
    problem.value = null;
  });
  // A request may have exhausted a fault.
  const hasFault = pulse.journal.data.some(({ fault_id }) => fault_id !== null);
  if (isNew || wasUnreachable || hasFault) environment.refresh();
}

/** Reloads the page for another version of the sandbox, once: during an upgrade, two versions may share a database. */
function reloadIfOld(version: string): void {
  pageVersion ||= version;
  if (version === pageVersion || version === reloadedVersion.peek()) return;
  reloadedVersion.value = version;
  location.reload();
}

/** Returns the journal with its new entries; undefined if it has not changed. */
async function loadEntries({ journal: added }: Pulse, after: number): Promise<Entries | undefined> {
  const [first] = added.data;
  if (added.after === after && (first === undefined || first.id === after + 1)) {
    const data = [...journal.value, ...added.data];
    return first && { data, dropped: droppedCount.value + Math.max(0, data.length - maxEntries) };
  }
  // The server has another journal, or more new entries than one pulse carries.
  return added.data.length < maxPulseEntries ? added : call("listRequests", { query: { limit: maxEntries } });
}

function handleFailure(error: unknown): void {
  failureCount++;
  const failure = problemFrom(error);
  batch(() => {
    problem.value = failure;
    connection.value = isLocked.value ? "locked" : failure.status === 404 ? "missing" : "unreachable";
  });
}

function schedulePulse(): void {
  clearTimeout(timer);
  if (isPulseDue) {
    isPulseDue = false;
    timer = setTimeout(loadPulse, 0);
  } else if (!document.hidden) {
    timer = setTimeout(loadPulse, failureCount > 0 ? retryDelayMs() : pulseDelayMs());
  }
}

function retryDelayMs(): number {
  return connection.value === "locked" ? 5000 : ([1000, 2000][failureCount - 1] ?? 5000);
}

function pulseDelayMs(): number {
  const intervalMs = document.hasFocus() ? 500 : 1000;
  if (nextChangeAt.value === null || speed.value === 0) return intervalMs;
  const dueInMs = (Date.parse(nextChangeAt.value) - reading.now) / speed.value - (performance.now() - reading.readAt);
  return Math.min(intervalMs, Math.max(minDelayMs, dueInMs + 5));
}
