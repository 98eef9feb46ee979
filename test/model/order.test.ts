import { expect, test } from "vitest";
import { createIssue, createIssueAt, pathText, notInSpecification } from "../../src/validation/errors.ts";
import { compareByCreation, prefixLength, stableRank } from "../../src/model/order.ts";
import type { InvestmentFields } from "../../src/model/resources.ts";

test("investments are ordered by date, then number, then id", () => {
  const investments = ["2026-01-02 1 b", "2026-01-01 9 a", "2026-01-02 1 a", "2026-01-02 10 a", "2026-01-02 2 z"].map(
    (text) => {
      const [create_date, number, id] = text.split(" ");
      return { create_date, investment_number: Number(number), id } as InvestmentFields;
    },
  );
  const sorted = investments.toSorted(compareByCreation);
  expect(
    sorted.map((investment) => `${investment.create_date.at(-1)} ${investment.investment_number} ${investment.id}`),
  ).toEqual(["1 9 a", "2 1 a", "2 1 b", "2 2 z", "2 10 a"]);
});

test("a shuffle is the same on every machine, and differs by seed and text", () => {
  expect([stableRank(0, ""), stableRank(1, "a"), stableRank(7, "00000020-0000-4000-8000-000000000001")]).toEqual([
    2_872_998_923, 3_873_127_206, 3_525_752_323,
  ]);
  const ranks = new Set(
    [0, 1000, 2000, 3000].flatMap((seed) => ["", "a", "b", "ab", "ba"].map((text) => stableRank(seed, text))),
  );
  expect(ranks.size).toBe(20);
  for (const rank of ranks) expect(rank).toBe(rank >>> 0);
});

test("prefixLength calls its predicate at most ten times for a thousand items", () => {
  const items = Array.from({ length: 1000 }, (_, index) => index);
  for (const length of [0, 1, 499, 500, 999, 1000]) {
    let callCount = 0;
    expect(prefixLength(items, (item) => ++callCount > 0 && item < length)).toBe(length);
    expect(callCount).toBeLessThanOrEqual(10);
  }
  expect(prefixLength([], () => true)).toBe(0);
});

test("an issue has its path and position, and builds its message when it is first read", () => {
  let builds = 0;
  const lazyIssue = createIssue(["a", 0], "name", () => `written ${++builds}`);
  expect([builds, lazyIssue.path, lazyIssue.at, lazyIssue.message, builds]).toEqual([
    0,
    ["a", 0],
    "name",
    "written 1",
    1,
  ]);
});

test("the message of an issue begins with its path, or with the name of the whole", () => {
  expect(createIssueAt([], "is wrong.").message).toBe("the whole is wrong.");
  expect(createIssueAt([], () => "is wrong.", "the key").message).toBe("the key is wrong.");
  expect(notInSpecification(["status"], "DONE", ["CLOSED"])).toMatchObject({
    at: "value",
    message: 'status is "DONE", which the specification does not show; it shows CLOSED.',
  });
  expect(pathText(["offerings", 0, "investments", 2, "amount"])).toBe("offerings[0].investments[2].amount");
  expect(pathText([0, "x".repeat(61)])).toBe(`[0].${"x".repeat(60)}…`);
});
