import { batch, computed, effect, signal, untracked } from "@preact/signals";
import type { JournalEntry, Pulse, RequestList } from "../../src/public/control.ts";
import { call, type Problem, problemFrom } from "./api.ts";
import { createResource, traffic } from "./resource.ts";
import { tabSignal } from "../base/preferences.ts";
import { environmentId } from "../base/routes.ts";
import { isLocked, token } from "../base/token.ts";

/**
 * The latest state of the environment on screen. A pulse requests news: twice a second while the page has the focus,
 * once a second while another window has it, and at once after a command or when the clock passes a change. No pulse
 * follows another while the page is hidden.
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

/** Number of answered pulses. Parts that expire in real time read it, so that they re-render. */
export const pulseCount = signal(0);

/** The newest entries, 1,000 at most, oldest first, and the number of older ones that are no longer here. */
export const journal = signal<readonly JournalEntry[]>([]);
export const droppedCount = signal(0);

/** The environment with its offerings, keys, runs and faults; undefined until the first response. */
export const environment = createResource(() => call("getEnvironment"));

/** The number of failed requests in the journal, shown in the navigation. */
export const errorCount = computed(() => journal.value.filter(({ status }) => status === null || status >= 400).length);

/** The last reading of the clock, in milliseconds, and the page's own time then. */
let reading = { now: 0, at: 0 };
/** The last reading of the real time of the sandbox's machine, and the page's own time then. */
let realReading = reading;
/** The version of the sandbox that sent this page, and the one for which this tab was loaded again. */
let pageVersion = "";
const reloadedFor = tabSignal("version", "");
/** Counts the environments and tokens that were followed. */
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
/** The shortest wait for the next change, however fast the clock passes changes. */
const minWaitMs = 200;

/** Requests news at once, or after the pending pulse. */
export function requestPulse(): void {
  clearTimeout(timer);
  if (isPulsePending) isPulseDue = true;
  else void loadPulse();
}

/** Shows the clock from the response to a command, before the next pulse. */
export function showClock(clock: Pulse["clock"]): void {
  reading = { now: Date.parse(clock.now), at: performance.now() };
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
  now.value = Math.min(lastInstant, reading.now + (performance.now() - reading.at) * speed.value);
}

async function loadPulse(): Promise<void> {
  isPulsePending = true;
  const [mine, before] = [generation, reading];
  try {
    const after = journal.value.at(-1)?.id ?? 0;
    const begin = performance.now();
    const news = await call("getPulse", { query: { after, revision: revision.value } });
    traffic.latencyMs = Math.min(traffic.latencyMs, performance.now() - begin);
    const entries = await loadEntries(news, after);
    // The page may follow another environment by now, or this one from the beginning.
    if (mine === generation) applyPulse(news, entries, reading === before);
    failureCount = 0;
  } catch (error) {
    if (mine === generation) handleFailure(error);
  } finally {
    isPulsePending = false;
    realTime.value = realReading.now + performance.now() - realReading.at;
    schedulePulse();
  }
}

type Entries = Pick<RequestList, "data" | "dropped">;

/** Applies the news, but not a clock that is out of date because a command was answered after the request for them. */
function applyPulse(news: Pulse, entries: Entries | undefined, isClockLatest: boolean): void {
  reloadIfOld(news.version);
  realReading = { now: Date.parse(news.real_time), at: performance.now() };
  const isNew = news.revision !== revision.value;
  const wasAway = connection.value === "unreachable";
  batch(() => {
    pulseCount.value++;
    if (isClockLatest) showClock(news.clock);
    revision.value = news.revision;
    [previousChangeAt.value, nextChangeAt.value] = [news.previous, news.next];
    if (entries) {
      journal.value = entries.data.slice(-maxEntries);
      droppedCount.value = entries.dropped;
    }
    connection.value = "live";
    problem.value = null;
  });
  // A request may have used a fault up.
  if (isNew || wasAway || news.journal.data.some(({ fault_id }) => fault_id !== null)) environment.refresh();
}

/** Loads the page of another version of the sandbox, once: two versions may share a database during an upgrade. */
function reloadIfOld(version: string): void {
  pageVersion ||= version;
  if (version === pageVersion || version === reloadedFor.peek()) return;
  reloadedFor.value = version;
  location.reload();
}

/** Returns the journal with its new entries; undefined if it has not changed. */
async function loadEntries({ journal: news }: Pulse, after: number): Promise<Entries | undefined> {
  const [first] = news.data;
  if (news.after === after && (first === undefined || first.id === after + 1)) {
    const data = [...journal.value, ...news.data];
    return first && { data, dropped: droppedCount.value + Math.max(0, data.length - maxEntries) };
  }
  // The server has another journal, or more new entries than one pulse carries.
  return news.data.length < maxPulseEntries ? news : call("listRequests", { query: { limit: maxEntries } });
}

function handleFailure(error: unknown): void {
  failureCount++;
  const failed = problemFrom(error);
  batch(() => {
    problem.value = failed;
    connection.value = isLocked.value ? "locked" : failed.status === 404 ? "missing" : "unreachable";
  });
}

function schedulePulse(): void {
  clearTimeout(timer);
  if (isPulseDue) {
    isPulseDue = false;
    timer = setTimeout(loadPulse, 0);
  } else if (!document.hidden) {
    const pause = connection.value === "locked" ? 5000 : ([1000, 2000][failureCount - 1] ?? 5000);
    timer = setTimeout(loadPulse, failureCount > 0 ? pause : pulseDelayMs());
  }
}

function pulseDelayMs(): number {
  const rhythm = document.hasFocus() ? 500 : 1000;
  if (nextChangeAt.value === null || speed.value === 0) return rhythm;
  const due = (Date.parse(nextChangeAt.value) - reading.now) / speed.value - (performance.now() - reading.at);
  return Math.min(rhythm, Math.max(minWaitMs, due + 5));
}
