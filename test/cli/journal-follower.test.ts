import { expect, test } from "vitest";
import { followJournal } from "../../src/cli/commands/requests.ts";
import type { RequestFilter, Requests } from "../../src/public/control.ts";
import { Journal } from "../../src/environment/journal.ts";
import { record } from "../support/small-dataset.ts";

/** A journal of 100 requests with a follower. */
async function followed(filter: RequestFilter, before: number) {
  let journal = new Journal(100, { data: [], dropped: 0, last: 0 }, 0);
  let requestCount = 0;
  const names = { cause: null, remedy: null, offering_name: null, investment_name: null };
  const list: Requests["list"] = async (requestFilter = {}) => {
    const { data, dropped } = journal.list(requestFilter);
    return { data: data.map((request) => ({ ...request, ...names })), dropped, waiting: [] };
  };
  /** Replaces the journal, like a reset or a restore. */
  const begin = (content: Journal["data"]): void => void (journal = new Journal(100, content, 0));
  const make = (number: number): string[] =>
    Array.from({ length: number }, () => {
      const path = `/${++requestCount}`;
      record(journal.add(0, 0), path);
      return path;
    });
  const old = make(before);
  const follower = followJournal({ list }, filter);
  const first = (await follower.begin()).map(({ path }) => path);
  const look = async (): Promise<[paths: string[], missed: number]> => {
    const { entries, missedCount } = await follower.poll();
    return [entries.map(({ path }) => path), missedCount];
  };
  return { old, first, look, make, begin, content: () => journal.data };
}

test("each request is seen once, whatever happens to the journal", async () => {
  const { old, first, look, make, begin, content } = await followed({}, 3);
  expect(first).toEqual(old);
  const earlier = content();
  for (const number of [0, 1, 50, 51, 100]) {
    expect(await look()).toEqual([[], 0]);
    expect([make(number), 0]).toEqual(await look());
  }
  for (const number of [0, 60, 70]) {
    begin({ data: [], dropped: 0, last: content().last });
    expect([make(number), 0]).toEqual(await look());
  }
  begin(earlier);
  expect(await look()).toEqual([old, 0]);
  expect([make(4), 0]).toEqual(await look());
});

test.each([
  ["counted", {}, 30],
  ["not counted next to a filter, which hides gaps", { method: "GET" }, 0],
] as const)("requests dropped before they were seen are %s", async (_, filter, missed) => {
  const { look, make } = await followed(filter, 1);
  expect([make(130).slice(-100), missed]).toEqual(await look());
});

test("a follower of new requests skips the existing ones", async () => {
  const { first, look, make } = await followed({ limit: 0 }, 60);
  expect(first).toEqual([]);
  expect([make(1), 0]).toEqual(await look());
});
