import { IncomingMessage, ServerResponse } from "node:http";
import { expect, test, vi } from "vitest";
import type { ParameterValues } from "../../src/service/parameters.ts";
import { selectInvestments } from "../../src/service/selection.ts";
import { parseTarget } from "../../src/service/target.ts";
import { Environment } from "../../src/environment/environment.ts";
import { adoptKeys, keysFor } from "../../src/environment/keys.ts";
import { InvestmentList } from "../../src/environment/investment-list.ts";
import type { Dataset } from "../../src/fixture/dataset.ts";
import type { Instant } from "../../src/time/instant.ts";
import { issuedForm } from "../../src/secrets/secrets.ts";
import type { InvestmentFields, Key, Offering, Fault } from "../../src/model/resources.ts";
import { known, openSandbox } from "../support/sandbox.ts";
import { present, configOf, smallDataset } from "../support/small-dataset.ts";

// Counts of work instead of timings, which would depend on the machine.

test.for([
  ["an investment", `/investments/${known.whole}`, 50],
  ["its status", `/investments/${known.whole}/status`, 50],
  ["its events", `/investments/${known.whole}/events`, 50],
  ["a list", `/offerings/${known.aurora}/investments?size=20`, 50],
] as const)("%s is not serialized again on a second read", async ([, path, maxCharacters]) => {
  const { sandbox, api } = await openSandbox();
  const first = await api(path);
  const stringify = vi.spyOn(JSON, "stringify");
  const headers = { authorization: `Bearer ${known.keys.partner}` };
  const response = await fetch(sandbox.baseUrl + path, { headers });
  expect(await response.text()).toBe(first.text);
  const serializedCharacters = stringify.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
  expect(serializedCharacters).toBeLessThan(maxCharacters);
});

test("a request target is parsed once while it is short and recent", () => {
  const text = `/api/v1/offerings/${known.aurora}/investments?page=2`;
  const first = parseTarget(text);
  expect(parseTarget(text)).toBe(first);
  for (let page = 0; page < 1000; page++) parseTarget(`/api/v1/offerings/${known.borealis}/investments?page=${page}`);
  const parsedAgain = parseTarget(text);
  expect(parsedAgain).not.toBe(first);
  expect(parsedAgain).toEqual(first);
  const longTarget = `${text}&${"x".repeat(10_000)}`;
  expect(parseTarget(longTarget)).not.toBe(parseTarget(longTarget));
});

test("Express changes no message's prototype", async () => {
  const { api } = await openSandbox();
  await api(`/investments/${known.whole}`);
  const { setPrototypeOf } = Object;
  const changedMessages: unknown[] = [];
  const spy = vi.spyOn(Object, "setPrototypeOf").mockImplementation((object: object, prototype: object | null) => {
    if (object instanceof IncomingMessage || object instanceof ServerResponse) {
      if (Object.getPrototypeOf(object) !== prototype) changedMessages.push(object);
    }
    return setPrototypeOf(object, prototype);
  });
  await api(`/offerings/${known.aurora}/investments`);
  expect(spy).toHaveBeenCalled();
  expect(changedMessages).toEqual([]);
});

test("a second request formats no date, and redacts no text again", async () => {
  const { sandbox, api } = await openSandbox();
  await api(`/investments/${known.whole}?pgae=1`);
  const formatDate = vi.spyOn(Date.prototype, "toISOString");
  const replaceText = vi.spyOn(String.prototype, "replace");
  const headers = { authorization: `Bearer ${known.keys.partner}` };
  const response = await fetch(`${sandbox.baseUrl}/investments/${known.whole}?pgae=1`, { headers });
  expect([response.status, formatDate.mock.calls.length]).toEqual([200, 0]);
  expect(replaceText.mock.calls.filter(([pattern]) => (pattern as unknown) === issuedForm)).toEqual([]);
  vi.restoreAllMocks();
  expect((await sandbox.requests.list()).data.map(({ hints }) => hints)).toEqual(
    Array.from({ length: 2 }, () => ["unknown parameter pgae"]),
  );
});

/** Investments a minute apart that count the reads of their dates. */
function countingInvestments(length: number): { investments: InvestmentFields[]; countReads: () => number } {
  let readCount = 0;
  const dateOf = (index: number): Instant => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
  const investments = Array.from({ length }, (_, index) => ({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    investment_number: index + 1,
    get create_date() {
      readCount++;
      return dateOf(index);
    },
    get modify_date() {
      readCount++;
      return dateOf((index * 7919) % length);
    },
  })) as unknown as InvestmentFields[];
  return { investments, countReads: () => readCount };
}

const [from, until] = ["2026-01-02T00:00:00.000Z", "2026-01-06T00:00:00.000Z"];

test.for<[string, ParameterValues]>([
  ["no filter", {}],
  ["a filter by create_date", { "create_date[gte]": from, "create_date[lte]": until }],
])("a page with %s reads a few of 10,000 investments", ([, values]) => {
  const { investments, countReads } = countingInvestments(10_000);
  const list = InvestmentList.of(investments);
  const pageAt = (index: number): readonly unknown[] =>
    selectInvestments(list, values, "create_date", 1).slice(index * 20, index * 20 + 20);
  pageAt(0);
  const countBefore = countReads();
  for (let index = 0; index < 100; index++) expect(pageAt(index)).toHaveLength(20);
  expect((countReads() - countBefore) / 100).toBeLessThan(100);
});

test("opening and resetting an environment read no investment", () => {
  const dataset = smallDataset(50);
  let readCount = 0;
  const countingDataset: Dataset = {
    ...dataset,
    investment: (id) => (readCount++, dataset.investment(id)),
    investmentsOf: (id) => (readCount++, dataset.investmentsOf(id)),
  };
  const environment = new Environment(configOf(countingDataset));
  environment.reset();
  expect(readCount).toBe(0);
  expect(environment.read().state.investmentsOf(countingDataset.offerings[0]?.id ?? "").length).toBe(50);
  expect(readCount).toBeGreaterThan(0);
});

test("creating the keys of an environment takes steps in proportion to its offerings", () => {
  const type = "partner";
  const countReads = (length: number): number => {
    let readCount = 0;
    const countRead = <Value>(value: Value): Value => (readCount++, value);
    const offerings = Array.from({ length }, (_, index) => ({ id: `offering ${index}`, name: "Kiln" }) as Offering);
    const countingKey = (key: Key): Key => ({
      ...key,
      get id() {
        return countRead(key.id);
      },
      get offering_id() {
        return countRead(key.offering_id);
      },
    });
    const keys = offerings.map(({ id }) =>
      countingKey({ id: `key of ${id}`, type, offering_id: id, alias: id, revoke_date: null } as Key),
    );
    const createdKeys = keysFor("one", { ...smallDataset(1), offerings, keys }, present);
    expect(createdKeys.filter((key) => key.type === type && key.alias === key.offering_id)).toHaveLength(length);
    const snapshotKeys = keysFor("two", { ...smallDataset(1), offerings, keys }, present).toReversed();
    const adoptedKeyList = adoptKeys(snapshotKeys, createdKeys.map(countingKey), ({ key }) => key);
    expect(new Set(adoptedKeyList.map(({ key }) => key))).toEqual(new Set(createdKeys.map(({ key }) => key)));
    return readCount;
  };
  expect(countReads(400)).toBeLessThan(2.1 * countReads(200));
});

test("finding an alias reads no other investments", async () => {
  const { sandbox } = await openSandbox();
  const byCreation = vi.spyOn(InvestmentList.prototype, "byCreation", "get");
  for (const alias of ["one", "two"]) await sandbox.investments.create({ alias, amount: 100 });
  await sandbox.restore(await sandbox.snapshot());
  await sandbox.play("closing", { investment_id: "two" });
  // The first new investment takes its price from the fixture's last investment.
  expect(byCreation).toHaveBeenCalledTimes(1);
  await expect(sandbox.investments.create({ alias: "one", amount: 100 })).rejects.toThrow(/alias is the same/);
});

test("a change is applied once, not for every request or advance", () => {
  const environment = new Environment(configOf(smallDataset(1)));
  const { now, offerings } = environment.config.dataset;
  const dates = Array.from({ length: 1000 }, (_, index) =>
    new Date(Date.parse(now) + (index + 1) * 1000).toISOString(),
  );
  let appliedCount = 0;
  environment.record(
    dates.map((date) => ({
      kind: "offering" as const,
      offering_id: offerings[0]?.id ?? "",
      date,
      attributes: {
        get name() {
          appliedCount++;
          return date;
        },
      },
    })),
  );
  const countBefore = appliedCount;
  for (const date of dates) {
    environment.internals.clock.set({ now: date });
    for (let read = 0; read < 3; read++) environment.read();
  }
  expect(environment.read().state.offering(offerings[0]?.id ?? "")?.name).toBe(dates.at(-1));
  expect(appliedCount - countBefore).toBe(dates.length);
});

test("removed faults leave nothing in a snapshot", async () => {
  const { sandbox } = await openSandbox();
  const sizes: number[] = [];
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < 200; index++) {
      const { id } = await sandbox.faults.add({ match: { path: "/nowhere" }, respond: { status: 500 }, times: 2 });
      if (index % 2 === 0) await sandbox.faults.remove(id);
      await sandbox.clock.advance("1s");
      if (index % 10 === 0) await sandbox.faults.remove();
    }
    await sandbox.faults.remove();
    expect(await sandbox.timeline()).toEqual([]);
    sizes.push(JSON.stringify(await sandbox.snapshot()).length);
  }
  expect(Math.abs((sizes[1] ?? 0) - (sizes[0] ?? 0))).toBeLessThan(20);
});

test("a request reads the active faults, and none that is over or exhausted", () => {
  const environment = new Environment(configOf(smallDataset(1)));
  const start = Date.parse(environment.config.dataset.now);
  const dateOf = (seconds: number): Instant => new Date(start + seconds * 1000).toISOString();
  let readCount = 0;
  const fault = (startSeconds: number, endSeconds: number | null, times?: number): Fault => ({
    id: `fault ${startSeconds} ${endSeconds} ${times}`,
    rule: { respond: { status: 500 }, ...(times !== undefined && { times, match: { path: "/used-up" } }) },
    get from() {
      readCount++;
      return dateOf(startSeconds);
    },
    get until() {
      readCount++;
      return endSeconds === null ? null : dateOf(endSeconds);
    },
  });
  const faults = [
    ...Array.from({ length: 1000 }, (_, index) => fault(index, index + 1)),
    ...Array.from({ length: 1000 }, (_, index) => fault(index, null, 1)),
  ];
  environment.record(faults.map((newFault) => ({ kind: "new_fault" as const, fault: newFault, date: newFault.from })));
  const statusAt = (seconds: number, path = "/"): number | undefined => {
    environment.internals.clock.set({ now: dateOf(seconds) });
    const match = environment.matchFault({ path, method: "GET", key_id: null }, environment.read());
    return match?.fault.rule.respond?.status;
  };
  for (let index = 0; index < 1000; index++) expect(statusAt(2000, "/used-up")).toBe(500);
  expect(statusAt(2000, "/used-up")).toBeUndefined();
  const countBefore = readCount;
  for (let request = 0; request < 1000; request++) expect(statusAt(2000 + request)).toBeUndefined();
  expect((readCount - countBefore) / 1000).toBeLessThan(10);
  // Setting the clock back shows faults with remaining uses.
  expect([statusAt(500), statusAt(-1), statusAt(0), statusAt(999), statusAt(1000)]).toEqual([
    500,
    undefined,
    500,
    500,
    undefined,
  ]);
});
