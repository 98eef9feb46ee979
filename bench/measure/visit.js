// One visit to a running server: each work checked, warmed up and measured.
import { setTimeout as wait } from "node:timers/promises";
import { ask, wrongness } from "./ask.js";
import { connections } from "./load.js";

const checkedBefore = 5;
const checkedEvery = 250;
const warmUpSeconds = 1.5;
const fewest = 3;

/** Above so many milliseconds for one answer, fifty at a time would take longer than the measurement. */
const slow = 30;

/**
 * Measures a work: requests a second, processor microseconds a request, the share of a core that the server took meanwhile,
 * the connections; or what was wrong, or that it was too slow.
 */
export async function measure(running, server, { work, samples, load, seconds }) {
  const requests = server.requests(work.id, samples);
  await server.before?.(work.id, running.url, samples);
  if (work.once) return measureOnce(running, requests, load);
  const { wrong, tooSlow, ms } = await check(running, requests);
  if (wrong) return { wrong };
  if (tooSlow) return { tooSlow };
  return ms > slow
    ? measureOneByOne(running, requests, seconds)
    : measureUnderLoad(running, requests, { load, seconds });
}

async function measureUnderLoad(running, requests, { load, seconds }) {
  await load.atMost(running.url, requests, { seconds: warmUpSeconds });
  const before = running.processorTime();
  const watch = new Watch(running, requests);
  const result = await load.atMost(running.url, requests, { seconds });
  const processor = running.processorTime() - before;
  await watch.end();
  if (watch.wrong) return { wrong: watch.wrong };
  return figuresOf(result, requests, { processor, besides: watch.asked });
}

/** Each request once; what it is must have been measured before, so that the server is warm. */
async function measureOnce(running, requests, load) {
  const before = running.processorTime();
  const result = await load.eachOnce(running.url, requests);
  return figuresOf(result, requests, { processor: running.processorTime() - before, besides: 0 });
}

function figuresOf({ answers, unanswered, seconds }, [{ expected, path }], { processor, besides }) {
  const { [expected.status]: right = 0, ...others } = answers;
  const odd = Object.entries(others).map(([status, count]) => `${count} × ${status}`);
  if (unanswered > 0) odd.push(`${unanswered} requests without an answer`);
  if (right === 0) odd.push("no right answer");
  if (odd.length > 0) return { wrong: `${path}: ${odd.join(", ")}` };
  return {
    rate: right / seconds,
    processor: processor / (right + besides),
    busy: processor / (seconds * 1_000_000),
    connections,
  };
}

/** Asks by ourselves, for as long, but for a few answers at least; every one is compared. */
async function measureOneByOne(running, requests, seconds) {
  const before = running.processorTime();
  const since = performance.now();
  let answered = 0;
  while (answered < fewest || performance.now() - since < seconds * 1000) {
    const request = requests[answered % requests.length];
    const wrong = await ask(running.url, request).then(
      (answer) => wrongness(answer, request),
      (error) => error.message,
    );
    if (wrong) return { wrong };
    answered += 1;
  }
  const passed = (performance.now() - since) / 1000;
  const processor = running.processorTime() - before;
  return {
    rate: answered / passed,
    processor: processor / answered,
    busy: processor / (passed * 1_000_000),
    connections: 1,
  };
}

/** Compares some answers with what is expected, whole, and says how long the quickest took. */
async function check(running, requests) {
  let ms = Infinity;
  for (let asked = 0; asked < checkedBefore; asked++) {
    const request = requests[Math.floor((asked * requests.length) / checkedBefore)];
    let answer;
    try {
      answer = await ask(running.url, request);
    } catch (error) {
      return { tooSlow: error.message };
    }
    const wrong = wrongness(answer, request);
    if (wrong) return { wrong };
    ms = Math.min(ms, answer.ms);
  }
  return { ms };
}

/** Goes on comparing, a few times a second, until it is told to end. */
class Watch {
  asked = 0;
  wrong = undefined;
  #ended = false;
  #watching;

  constructor(running, requests) {
    this.#watching = this.#watch(running, requests).catch((error) => (this.wrong ??= error.message));
  }

  async #watch(running, requests) {
    for (let index = 0; ; index++) {
      await wait(checkedEvery);
      if (this.#ended) return;
      const request = requests[index % requests.length];
      this.wrong ??= wrongness(await ask(running.url, request), request);
      this.asked += 1;
    }
  }

  async end() {
    this.#ended = true;
    await this.#watching;
  }
}
