import { describe, expect, test } from "vitest";
import { known, openSandbox, type Answer } from "../support/sandbox.ts";

const path = `/offerings/${known.aurora}/investments`;

test("the first page shows the oldest investments as resources, with where it stands", async () => {
  const { api } = await openSandbox();
  const { json } = await api(path);
  expect(numbersOf(json)).toEqual(range(1, 20));
  expect(json.meta).toEqual({ page: 1, size: 20, total: 25, pages: 2 });
  expect(json.links).toEqual({
    self: `/api/v1${path}?page=1&size=20`,
    first: `/api/v1${path}?page=1&size=20`,
    prev: null,
    next: `/api/v1${path}?page=2&size=20`,
    last: `/api/v1${path}?page=2&size=20`,
  });
  const one = await api(`/investments/${known.whole}`);
  expect(json.data[0]).toEqual(one.json.data);
});

describe("pages", () => {
  const cases: [query: string, numbers: number[]][] = [
    ["page=2", range(21, 25)],
    ["page=3", []],
    ["page=999999999999999", []],
    ["size=1", [1]],
    ["size=100", range(1, 25)],
    ["page=2&size=7", range(8, 14)],
    ["page=4&size=7", range(22, 25)],
  ];
  test.each(cases)("%s", async (query, numbers) => {
    const { api } = await openSandbox();
    const { status, json } = await api(`${path}?${query}`);
    expect(status).toBe(200);
    expect(numbersOf(json)).toEqual(numbers);
  });

  test("next leads through every investment once, filters included", async () => {
    const { api } = await openSandbox();
    const seen: number[] = [];
    let next: string | null = `/api/v1${path}?size=3&create_date[gte]=2026-01-05&create_date[lte]=2026-01-10`;
    while (next !== null) {
      const { json }: Answer = await api(next.replace("/api/v1", ""));
      seen.push(...numbersOf(json));
      next = json.links.next;
    }
    expect(seen).toEqual(range(5, 22));
  });
});

describe("filters are inclusive and combine (4)", () => {
  const cases: [query: string, numbers: number[]][] = [
    ["create_date[lte]=2026-01-03T12:00:00.000Z", [1, 2]],
    ["create_date[lte]=2026-01-03T11:59:59.999Z", [1]],
    ["create_date[gte]=2026-01-11T16:00:00.000Z", [25]],
    ["create_date[gte]=2026-01-11T16:00:00.001Z", []],
    ["create_date[gte]=2026-01-11T16:00:00.00000000001Z", []],
    ["create_date[gte]=20260111T160000Z", [25]],
    ["create_date[gte]=2026-01-11T17:00%2B01:00", [25]],
    ["create_date%5Bgte%5D=2026-01-11", [23, 24, 25]],
    ["modify_date[lte]=2026-01-09T12:00:00.000Z&create_date[lte]=2026-01-02", [1]],
    ["modify_date[lte]=2026-01-09T11:59:59.999Z&create_date[lte]=2026-01-02", []],
    ["modify_date[gte]=2026-01-09T12:00:00.000Z&create_date[lte]=2026-01-02", [1]],
    ["modify_date[gte]=2026-01-09T12:00:00.001Z&create_date[lte]=2026-01-02", []],
  ];
  test.each(cases)("%s", async (query, numbers) => {
    const { api } = await openSandbox();
    const { json } = await api(`${path}?${query}`);
    expect(numbersOf(json)).toEqual(numbers);
  });
});

test("an offering without investments has one empty page", async () => {
  const { api } = await openSandbox();
  const { json } = await api(`/offerings/${known.empty}/investments`, { key: known.keys.empty });
  expect(json.data).toEqual([]);
  expect(json.meta).toEqual({ page: 1, size: 20, total: 0, pages: 0 });
  expect(json.links).toMatchObject({ prev: null, next: null });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
}

function numbersOf(document: { data: { attributes: { investment_number: number } }[] }): number[] {
  return document.data.map(({ attributes }) => attributes.investment_number);
}
