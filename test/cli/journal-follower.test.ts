import { expect, test } from "vitest";
import { followJournal } from "../../src/cli/commands/requests.ts";
import type { RequestFilter, Requests } from "../../src/public/control.ts";
import { Journal } from "../../src/environment/journal.ts";
import { record } from "../support/small-dataset.ts";

/** A journal of 100 requests with a follower. */
async function followedJournal(filter: RequestFilter, existingCount: number) {
  let journal = new Journal(100, { data: [], dropped: 0, last: 0 }, 0);
  let requestCount = 0;
  const names = { cause: null, remedy: null, offering_name: null, investment_name: null };
  const list: Requests["list"] = async (requestFilter = {}) => {
    const { data, dropped } = journal.list(requestFilter);
    return { data: data.map((request) => ({ ...request, ...names })), dropped, waiting: [] };
  };
  /** Replaces the journal, like a reset or a restore. */
  const replaceJournal = (content: Journal["data"]): void => void (journal = new Journal(100, content, 0));
  const addRequests = (count: number): string[] =>
    Array.from({ length: count }, () => {
      const path = `/${++requestCount}`;
      record(journal.add(0, 0), path);
      return path;
    });
  const existingPaths = addRequests(existingCount);
  const follower = followJournal({ list }, filter);
  const firstPaths = (await follower.begin()).map(({ path }) => path);
  const poll = async (): Promise<[paths: string[], missed: number]> => {
    const { entries, missedCount } = await follower.poll();
    return [entries.map(({ path }) => path), missedCount];
  };
  return { existingPaths, firstPaths, poll, addRequests, replaceJournal, content: () => journal.data };
}

test("a follower returns each request once, even after the journal is replaced", async () => {
  const { existingPaths, firstPaths, poll, addRequests, replaceJournal, content } = await followedJournal({}, 3);
  expect(firstPaths).toEqual(existingPaths);
  const earlierContent = content();
  for (const count of [0, 1, 50, 51, 100]) {
    expect(await poll()).toEqual([[], 0]);
    expect([addRequests(count), 0]).toEqual(await poll());
  }
  for (const count of [0, 60, 70]) {
    replaceJournal({ data: [], dropped: 0, last: content().last });
    expect([addRequests(count), 0]).toEqual(await poll());
  }
  replaceJournal(earlierContent);
  expect(await poll()).toEqual([existingPaths, 0]);
  expect([addRequests(4), 0]).toEqual(await poll());
});

test.each([
  ["counted", {}, 30],
  ["not counted next to a filter, which hides gaps", { method: "GET" }, 0],
] as const)("requests dropped before a poll are %s", async (_, filter, missed) => {
  const { poll, addRequests } = await followedJournal(filter, 1);
  expect([addRequests(130).slice(-100), missed]).toEqual(await poll());
});

test("a follower of new requests skips the existing ones", async () => {
  const { firstPaths, poll, addRequests } = await followedJournal({ limit: 0 }, 60);
  expect(firstPaths).toEqual([]);
  expect([addRequests(1), 0]).toEqual(await poll());
});
