import { expect, test } from "vitest";
import { JournalFollower } from "../../src/cli/commands/requests.ts";
import type { RequestFilter, Requests } from "../../src/control.ts";
import { Journal, type JournalContent } from "../../src/environment/journal.ts";
import { record } from "../support/small-dataset.ts";

/** A journal with a reset and a restore. */
class FakeRequests implements Requests {
  #journal = new Journal(100, { data: [], dropped: 0, last: 0 }, 0);
  #made = 0;

  reset(): void {
    this.#journal = new Journal(100, { data: [], dropped: 0, last: this.#journal.last }, 0);
  }

  take(): JournalContent {
    return this.#journal.content;
  }

  restore(content: JournalContent): void {
    this.#journal = new Journal(100, content, 0);
  }

  make(number: number): string[] {
    return Array.from({ length: number }, () => {
      const path = `/${++this.#made}`;
      const date = "2026-01-15T12:00:00.000Z";
      record(this.#journal.add(0, 0, { connection: null, idle: 0, turn: 0 }), path, {
        date,
        method: this.#made % 2 === 0 ? "GET" : "HEAD",
      });
      return path;
    });
  }

  list = (filter: RequestFilter = {}) => Promise.resolve({ ...this.#journal.list(filter), waiting: [] });
  count = () => Promise.resolve(0);
  answer = () => Promise.reject(new Error("not asked for"));
  clear = () => Promise.resolve(this.#journal.clear());
}

async function look(follower: JournalFollower): Promise<[paths: string[], missed: number]> {
  const { entries, missed } = await follower.look();
  return [entries.map(({ path }) => path), missed];
}

test("each request is seen once, whatever happens to the journal", async () => {
  const requests = new FakeRequests();
  const before = requests.make(3);
  const follower = new JournalFollower(requests, {});
  expect((await follower.begin()).data.map(({ path }) => path)).toEqual(before);
  for (const number of [0, 1, 49, 50, 51, 100, 0]) {
    expect(await look(follower)).toEqual([[], 0]);
    const paths = requests.make(number);
    expect(await look(follower)).toEqual([paths, 0]);
  }
  for (const number of [0, 5, 60, 0, 70, 80]) {
    requests.reset();
    const paths = requests.make(number);
    expect(await look(follower)).toEqual([paths, 0]);
  }
  await requests.clear();
  expect(await look(follower)).toEqual([[], 0]);
  const paths = requests.make(2);
  expect(await look(follower)).toEqual([paths, 0]);
});

test("requests dropped before they were seen are counted", async () => {
  const requests = new FakeRequests();
  requests.make(1);
  const follower = new JournalFollower(requests, {});
  await follower.begin();
  const paths = requests.make(130);
  expect(await look(follower)).toEqual([paths.slice(-100), 30]);
});

test("a follower of new requests skips the existing ones", async () => {
  const requests = new FakeRequests();
  requests.make(60);
  const follower = new JournalFollower(requests, { limit: 0 });
  expect((await follower.begin()).data).toEqual([]);
  const paths = requests.make(1);
  expect(await look(follower)).toEqual([paths, 0]);
});

test("after an earlier journal is restored, its entries and new requests are seen", async () => {
  const requests = new FakeRequests();
  const before = requests.make(2);
  const earlier = requests.take();
  const follower = new JournalFollower(requests, { after: 1 });
  expect((await follower.begin()).data.map(({ path }) => path)).toEqual(before.slice(1));
  requests.make(3);
  await look(follower);
  requests.restore(earlier);
  expect(await look(follower)).toEqual([before, 0]);
  const paths = requests.make(4);
  expect(await look(follower)).toEqual([paths, 0]);
});
