import fc from "fast-check";
import { expect, test } from "vitest";
import { caseCount } from "../support/case-count.ts";
import { known, openSandbox } from "../support/sandbox.ts";

const path = `/offerings/${known.aurora}/investments`;

test("the first page has the oldest investments, with meta and links", async () => {
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
  const investment = await api(`/investments/${known.whole}`);
  expect(json.data[0]).toEqual(investment.json.data);
});

test("every page has its investments and links to its neighbors, with any size and first page", async () => {
  const { sandbox, raw } = await openSandbox();
  const paging = fc.record({
    "list.first_page": fc.constantFrom("0", "1"),
    "list.default_size": fc.constantFrom(1, 6, 20, 30),
    "list.max_size": fc.constantFrom(1, 6, 25, 100),
    "list.over_max": fc.constantFrom("reject", "clamp", "ignore"),
    "list.past_end": fc.constantFrom("empty", "400", "404"),
  });
  const anyRequest = fc.record({
    page: fc.option(fc.oneof(fc.nat(7), fc.constant(999_999_999_999_999)), { nil: undefined }),
    size: fc.option(fc.constantFrom(1, 2, 5, 6, 7, 24, 25, 26, 100, 101), { nil: undefined }),
    until: fc.constantFrom(undefined, "2026-01-01", "2026-01-05", "2026-01-08T00:00:00.000Z"),
    isPageLast: fc.boolean(),
  });
  const allInvestments = (await raw(`/api/v1${path}?size=100`)).json.data;
  await fc.assert(
    fc.asyncProperty(paging, fc.array(anyRequest, { minLength: 3, maxLength: 6 }), async (assumptions, requests) => {
      await sandbox.assumptions.set(assumptions);
      const [first, maxSize] = [Number(assumptions["list.first_page"]), assumptions["list.max_size"]];
      for (const { page = first, size: requestedSize, until, isPageLast } of requests) {
        const bounds: [string, unknown][] = until === undefined ? [] : [["create_date[lte]", until]];
        const sizes: [string, unknown][] = requestedSize !== undefined ? [["size", requestedSize]] : [];
        const pages: [string, unknown][] = page !== first || isPageLast ? [["page", page]] : [];
        const query = (isPageLast ? [...bounds, ...sizes, ...pages] : [...pages, ...bounds, ...sizes])
          .map((pair) => pair.join("="))
          .join("&");
        const { status, json } = await raw(`/api/v1${path}?${query}`);

        const isIgnored =
          assumptions["list.over_max"] === "ignore" && requestedSize !== undefined && requestedSize > maxSize;
        const size = Math.min((isIgnored ? undefined : requestedSize) ?? assumptions["list.default_size"], maxSize);
        const matching = allInvestments.filter(
          (investment: { attributes: { create_date: string } }) =>
            until === undefined || investment.attributes.create_date.slice(0, until.length) <= until,
        );
        const count = Math.ceil(matching.length / size);
        const last = first + Math.max(count, 1) - 1;
        if (
          page < first ||
          (requestedSize !== undefined && requestedSize > maxSize && assumptions["list.over_max"] === "reject")
        ) {
          expect(status).toBe(400);
        } else if (page > last && assumptions["list.past_end"] !== "empty") {
          expect(status).toBe(Number(assumptions["list.past_end"]));
        } else {
          const start = (page - first) * size;
          expect(json.data).toEqual(matching.slice(start, start + size));
          expect(json.meta).toEqual({ page, size, total: matching.length, pages: count });
          const parameters = (pageNumber: number): string[] =>
            [
              `page=${pageNumber}`,
              `size=${size}`,
              ...(until === undefined ? [] : [`create_date[lte]=${endOfDay(until)}`]),
            ].toSorted();
          const linkParameters = Object.entries<string | null>(json.links).map(([name, link]) => [
            name,
            link && [...new URL(link, sandbox.url).searchParams].map((pair) => pair.join("=")).toSorted(),
          ]);
          expect(Object.fromEntries(linkParameters)).toEqual({
            self: parameters(page),
            first: parameters(first),
            prev: page > first ? parameters(Math.min(page - 1, last)) : null,
            next: page < last ? parameters(page + 1) : null,
            last: parameters(last),
          });
        }
      }
    }),
    { numRuns: caseCount(15) },
  );
});

test("in every order, the pages together have the investments within the bounds once, in that order", async () => {
  const { sandbox, raw } = await openSandbox();
  interface Item {
    readonly id: string;
    readonly attributes: { readonly create_date: string; readonly modify_date: string };
  }
  const requestList = async (query: string): Promise<Item[]> => (await raw(`/api/v1${path}?${query}`)).json.data;
  const allItems = await requestList("size=100");
  const instants = allItems.flatMap(({ attributes }) => [attributes.create_date, attributes.modify_date]).toSorted();
  const bound = fc.option(fc.constantFrom(...instants), { nil: undefined });
  const bounds = fc.record({ create_date: fc.tuple(bound, bound), modify_date: fc.tuple(bound, bound) });
  for (const order of ["create_date", "-create_date", "modify_date", "-modify_date", "id", "unordered"]) {
    await sandbox.assumptions.set({ "list.order": order });
    const orderedItems = await requestList("size=100");
    const date = order.replace("-", "") as "create_date" | "modify_date";
    if (order === "id") {
      expect(orderedItems).toEqual(allItems.toSorted((left, right) => (left.id < right.id ? -1 : 1)));
    } else if (order !== "unordered") {
      const dates = orderedItems.map(({ attributes }) => attributes[date]);
      expect(dates).toEqual(order === date ? dates.toSorted() : dates.toSorted().toReversed());
    }
    await fc.assert(
      fc.asyncProperty(bounds, fc.constantFrom(4, 7, 100), async (dateBounds, size) => {
        const limits = Object.entries(dateBounds).flatMap(([name, [from, until]]) => [
          ...(from === undefined ? [] : [`&${name}[gte]=${from}`]),
          ...(until === undefined ? [] : [`&${name}[lte]=${until}`]),
        ]);
        const items: Item[] = [];
        for (let page = 1; page <= Math.ceil(25 / size); page++) {
          items.push(...(await requestList(`size=${size}&page=${page}${limits.join("")}`)));
        }
        const expectedItems = orderedItems.filter(({ attributes }) =>
          Object.entries(dateBounds).every(
            ([name, [from = "", until = "~"]]) =>
              attributes[name as "create_date"] >= from && attributes[name as "create_date"] <= until,
          ),
        );
        expect(items).toEqual(expectedItems);
      }),
      { numRuns: caseCount(3) },
    );
  }
});

function endOfDay(until: string): string {
  return until.length === 10 ? `${until}T23:59:59.999Z` : until;
}

test("filters are inclusive and combine (4)", async () => {
  const cases: [query: string, numbers: number[]][] = [
    ["create_date[gte]=2026-01-11T16:00:00.00000000001Z", []],
    ["create_date%5Bgte%5D=2026-01-11", [23, 24, 25]],
    ["modify_date[lte]=2026-01-09T12:00:00.000Z&create_date[lte]=2026-01-02", [1]],
    ["modify_date[gte]=2026-01-09T12:00:00.001Z&create_date[lte]=2026-01-02", []],
  ];
  const { api } = await openSandbox();
  for (const [query, numbers] of cases) expect(numbersOf((await api(`${path}?${query}`)).json), query).toEqual(numbers);
});

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

function numbersOf(document: { data: { attributes: { investment_number: number } }[] }): number[] {
  return document.data.map(({ attributes }) => attributes.investment_number);
}
