import { batch, signal } from "@preact/signals";
import { type Problem, problemFrom } from "./api.ts";

/** A response of the server that is kept fresh; reading a member in a component subscribes it. */
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

/** What the page knows of the way to the sandbox, and of its own commands. */
export const traffic = {
  /** The shortest time in which a pulse was answered: the network's share of every response. */
  latencyMs: Infinity,
  /** The number of completed commands of this page. */
  commandCount: 0,
};

/**
 * After a response, the next request waits this many times as long as the sandbox needed: some responses are costly for
 * it. No request waits after a command of this page, because somebody looks for its result.
 */
const rest = 10;

export function createResource<Data>(load: (signal: AbortSignal) => Promise<Data>): Resource<Data> {
  const data = signal<Data | undefined>(undefined);
  const problem = signal<Problem | null>(null);
  const loading = signal(true);
  /** The request without a response. */
  let pending: AbortController | undefined;
  let isWanted = false;
  let isOther = true;
  let [restEnd, commandCount] = [0, 0];
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(): Promise<void> {
    end();
    const own = new AbortController();
    pending = own;
    commandCount = traffic.commandCount;
    const begin = performance.now();
    let [response, error] = [data.peek(), null as Problem | null];
    try {
      response = await load(own.signal);
    } catch (failed) {
      error = problemFrom(failed);
      // The response to an earlier request does not belong to this one.
      if (isOther) response = undefined;
    }
    if (pending !== own) return;
    pending = undefined;
    isOther &&= error !== null;
    batch(() => {
      [data.value, problem.value, loading.value] = [response, error, false];
    });
    const respondedAt = performance.now();
    restEnd = respondedAt + Math.min(5000, rest * (respondedAt - begin - traffic.latencyMs));
    if (isWanted) refresh();
  }

  function refresh(): void {
    clearTimeout(timer);
    isWanted = pending !== undefined;
    if (isWanted) return;
    const restMs = commandCount === traffic.commandCount ? restEnd - performance.now() : 0;
    if (restMs > 0) timer = setTimeout(() => void run(), restMs);
    else void run();
  }

  function end(): void {
    clearTimeout(timer);
    pending?.abort();
    [pending, isWanted] = [undefined, false];
  }

  return {
    get data() {
      return data.value;
    },
    get problem() {
      return problem.value;
    },
    get isLoading() {
      return loading.value;
    },
    refresh,
    reload() {
      isOther = true;
      batch(() => {
        [problem.value, loading.value] = [null, true];
      });
      void run();
    },
    clear() {
      end();
      batch(() => {
        [data.value, problem.value, loading.value] = [undefined, null, true];
      });
    },
  };
}
