import { batch, signal } from "@preact/signals";
import { type Problem, problemFrom } from "./api.ts";

/** An answer of the server that is kept fresh; reading a member in a component subscribes it. */
export interface Resource<Answer> {
  /** The last answer, even while a newer one is loading; undefined before the first. */
  readonly data: Answer | undefined;
  /** The error of the last request; null if it succeeded. */
  readonly problem: Problem | null;
  /** True until the current request has its answer. */
  readonly loading: boolean;
  /** Loads again, after a pending request. */
  refresh: () => void;
  /** Loads something else: the answer to an earlier request is ignored. */
  ask: () => void;
  /** Aborts all requests and forgets the answer. */
  forget: () => void;
}

/**
 * After an answer, the next request waits this many times as long as the answer took: some are costly for the server.
 */
const rest = 10;

export function createResource<Answer>(load: (signal: AbortSignal) => Promise<Answer>): Resource<Answer> {
  const data = signal<Answer | undefined>(undefined);
  const problem = signal<Problem | null>(null);
  const loading = signal(true);
  let present: AbortController | undefined;
  let isWanted = false;
  let isOther = true;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(): Promise<void> {
    const mine = new AbortController();
    present = mine;
    isWanted = false;
    const begun = performance.now();
    let [answer, error] = [data.peek(), null as Problem | null];
    try {
      answer = await load(mine.signal);
    } catch (failed) {
      error = problemFrom(failed);
      // The answer to an earlier request does not belong to this one.
      if (isOther) answer = undefined;
    }
    if (present !== mine) return;
    isOther &&= error !== null;
    batch(() => {
      [data.value, problem.value, loading.value] = [answer, error, false];
    });
    timer = setTimeout(
      () => {
        present = undefined;
        if (isWanted) void run();
      },
      Math.min(5000, rest * (performance.now() - begun)),
    );
  }

  function end(): void {
    clearTimeout(timer);
    present?.abort();
    [present, isWanted] = [undefined, false];
  }

  return {
    get data() {
      return data.value;
    },
    get problem() {
      return problem.value;
    },
    get loading() {
      return loading.value;
    },
    refresh() {
      if (present) isWanted = true;
      else void run();
    },
    ask() {
      end();
      isOther = true;
      loading.value = true;
      void run();
    },
    forget() {
      end();
      batch(() => {
        [data.value, problem.value, loading.value] = [undefined, null, true];
      });
    },
  };
}
