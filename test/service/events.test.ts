import { expect, test } from "vitest";
import { known, openSandbox } from "../support/sandbox.ts";
import { uuid } from "../support/small-dataset.ts";

const path = `/investments/${known.whole}/events`;

test("GET /investments/:id/events shows each event without an attributes wrapper (2.6, 4.2)", async () => {
  const { api } = await openSandbox();
  const { json } = await api(path);
  expect(json.data).toEqual({
    type: "investments",
    id: known.whole,
    attributes: { step: "SIGNERS", status: "PENDING", create_date: "2026-01-02T12:00:00.000Z" },
    relationships: { events: { data: [1, 2, 3, 4, 5, 6].map((index) => ({ type: "events", id: uuid(60, index) })) } },
  });
  expect(json.included).toEqual(
    [
      ["REGISTRATION", "COMPLETED", null, "2026-01-02T12:00:00.000Z"],
      ["PROFILE", "SUBMITTED", null, "2026-01-03T12:00:00.000Z"],
      ["ADDRESS", "SUBMITTED", "by hand", "2026-01-03T12:00:00.000Z"],
      ["SUBSCRIPTION", "SUBMITTED", null, "2026-01-04T12:00:00.000Z"],
      ["PAYMENT", "SUBMITTED", null, "2026-01-06T12:00:00.000Z"],
      ["PAYMENT", "APPROVED", null, "2026-01-07T00:00:00.000Z"],
    ].map(([event, action, description, create_date], index) => ({
      type: "events",
      id: uuid(60, index + 1),
      event,
      action,
      description,
      create_date,
    })),
  );
});

test("the date filters apply to the events' own dates, inclusively (4)", async () => {
  const cases: [query: string, shown: number[]][] = [
    ["create_date[gte]=2026-01-04T12:00:00.000Z", [4, 5, 6]],
    ["create_date[gte]=2026-01-04T12:00:00.001Z", [5, 6]],
    ["create_date[lte]=2026-01-04T12:00:00.000Z", [1, 2, 3, 4]],
    ["create_date[lte]=2026-01-04T11:59:59.999Z", [1, 2, 3]],
    ["create_date[gte]=2026-01-03T12:00:00Z&create_date[lte]=2026-01-06T12:00:00Z", [2, 3, 4, 5]],
    ["create_date%5Bgte%5D=2026-01-06", [5, 6]],
    ["create_date[lte]=2026-01-06", [1, 2, 3, 4, 5]],
    ["create_date[lte]=2026-01-07", [1, 2, 3, 4, 5, 6]],
    ["create_date[gte]=2026-01-07T01:00:00%2B01:00", [6]],
    ["create_date[gte]=2026-01-07T01:00:00+01:00", [6]],
    ["create_date[gte]=20260106T120000Z", [5, 6]],
    ["create_date[gte]=2026-01-04T12:00:00.0001Z", [5, 6]],
    ["create_date[lte]=2026-01-04T12:00:00.0009Z", [1, 2, 3, 4]],
    ["create_date[gte]=2026-02-01", []],
    ["create_date[gte]=2026-01-07&create_date[lte]=2026-01-02", []],
    ["modify_date[gte]=2026-02-01", [1, 2, 3, 4, 5, 6]],
    ["create_date=2026-02-01", [1, 2, 3, 4, 5, 6]],
  ];
  const { api } = await openSandbox();
  for (const [query, numbers] of cases) {
    const { status, json } = await api(`${path}?${query}`);
    expect(status).toBe(200);
    const expectedIds = numbers.map((number) => uuid(60, number));
    const idsOf = (list: { id: string }[]): string[] => list.map((event) => event.id);
    expect(idsOf(json.included), query).toEqual(expectedIds);
    expect(idsOf(json.data.relationships.events.data), query).toEqual(expectedIds);
  }
});
