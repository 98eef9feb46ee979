import { check } from "./ask.js";

const checks = 5;
const warmUpSeconds = 1;

/** Above this many milliseconds for one response, fifty connections would exceed the time of a measurement. */
const slowMs = 30;

/**
 * Measures a work on a running server: `rate` in requests/s, `processor` in microseconds per request, `busy` as the
 * server's share of a core, and `connections`. Rejects on an unexpected response.
 */
export async function measure(running, server, { work, samples, load, seconds }) {
  const requests = server.requests(work.id, samples);
  const settings = { seconds, once: work.once, connections: 50 };
  await server.before?.(running.url);
  // Works with `once` are neither checked nor warmed up: each request must be the first for its investment.
  if (!work.once) {
    if ((await checkSome(running, requests)) > slowMs) settings.connections = 1;
    await load.atMost(running.url, requests, { ...settings, seconds: warmUpSeconds });
  }
  const timeBefore = running.processorTime();
  const result = await load.atMost(running.url, requests, settings);
  const processor = running.processorTime() - timeBefore;
  if (!work.once) await checkSome(running, requests);
  return {
    rate: result.responded / result.seconds,
    processor: processor / result.responded,
    busy: processor / (result.seconds * 1_000_000),
    connections: settings.connections,
  };
}

/** Compares some responses in full; resolves to the milliseconds of the quickest. */
async function checkSome(running, requests) {
  let quickest = Infinity;
  for (let index = 0; index < checks; index++) {
    const request = requests[Math.floor((index * requests.length) / checks)];
    quickest = Math.min(quickest, await check(running.url, request));
  }
  return quickest;
}
