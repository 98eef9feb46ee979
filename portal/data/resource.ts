import { batch, signal } from "@preact/signals";
import { type Problem, problemFrom } from "./api.ts";

/** A response of the server, loaded again when it is out of date. A component that reads a member subscribes to it. */
export interface Resource<Data> {
  /** The last response, even while a newer one is loading; undefined before the first. */
  readonly data: Data | undefined;
  /** The error of the last request; null if it succeeded. */
  readonly problem: Problem | null;
  /** True until the current request has its response. */
  readonly isLoading: boolean;
  /** Loads again, after a pending request. */
  refresh: () => void;
  /** Loads something else: the response to an earlier request is ignored. */
  reload: () => void;
  /** Aborts all requests and forgets the response. */
  clear: () => void;
}

/** What decides how long a resource waits before its next request. */
export const traffic = {
  /** The shortest duration of a pulse: the network's share in the duration of every request. */
  latencyMs: Infinity,
  /** The number of completed commands of this page. */
  commandCount: 0,
};

/**
 * After a response, the next request waits this many times as long as the sandbox needed: some responses are costly for
 * the sandbox. After a command of this page no request waits, because the person expects its result.
 */
const waitFactor = 10;

export function createResource<Data>(load: (signal: AbortSignal) => Promise<Data>): Resource<Data> {
  const data = signal<Data | undefined>(undefined);
  const problem = signal<Problem | null>(null);
  const isLoading = signal(true);
  /** The request without a response. */
  let pending: AbortController | undefined;
  let isRefreshDue = false;
  /** Whether the data is the response to an earlier question. */
  let isOutdated = true;
  let [nextRequestAt, commandCount] = [0, 0];
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function sendRequest(): Promise<void> {
    abort();
    const request = new AbortController();
    pending = request;
    commandCount = traffic.commandCount;
    const sentAt = performance.now();
    let [response, error] = [data.peek(), null as Problem | null];
    try {
      response = await load(request.signal);
    } catch (thrown) {
      error = problemFrom(thrown);
      if (isOutdated) response = undefined;
    }
    if (pending !== request) return;
    pending = undefined;
    isOutdated &&= error !== null;
    batch(() => {
      [data.value, problem.value, isLoading.value] = [response, error, false];
    });
    const respondedAt = performance.now();
    nextRequestAt = respondedAt + Math.min(5000, waitFactor * (respondedAt - sentAt - traffic.latencyMs));
    if (isRefreshDue) refresh();
  }

  function refresh(): void {
    clearTimeout(timer);
    isRefreshDue = pending !== undefined;
    if (isRefreshDue) return;
    const waitMs = commandCount === traffic.commandCount ? nextRequestAt - performance.now() : 0;
    if (waitMs > 0) timer = setTimeout(() => void sendRequest(), waitMs);
    else void sendRequest();
  }

  function abort(): void {
    clearTimeout(timer);
    pending?.abort();
    [pending, isRefreshDue] = [undefined, false];
  }

  return {
    get data() {
      return data.value;
    },
    get problem() {
      return problem.value;
    },
    get isLoading() {
      return isLoading.value;
    },
    refresh,
    reload() {
      isOutdated = true;
      batch(() => {
        [problem.value, isLoading.value] = [null, true];
      });
      void sendRequest();
    },
    clear() {
      abort();
      batch(() => {
        [data.value, problem.value, isLoading.value] = [undefined, null, true];
      });
    },
  };
}
