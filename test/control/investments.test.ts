import { describe, expect, test, vi } from "vitest";
import type { Environment, InvestmentFilter, InvestmentRecord, InvestmentSummary } from "../../src/public/control.ts";
import { known } from "../support/sandbox.ts";
import { writeFixture } from "../support/write-fixture.ts";
import { openControl } from "../support/sandboxes.ts";

describe("investments", () => {
  test("an investment cannot be created before its offering, with or without a date", async () => {
    const sandbox = await openControl();
    await sandbox.clock.set({ now: "2020-01-01T00:00:00.000Z" });
    await expect(sandbox.investments.create({})).rejects.toThrow(
      /^the investment would be created at 2020-01-01T00:00:00.000Z, before its offering, at 20/,
    );
  });
});

/** Converts a record to its row in a list. */
function summaryOf(record: InvestmentRecord): InvestmentSummary {
  const { id, alias = null, offering_id, investment_number: number, status, step, amount } = record;
  const { create_date, modify_date, investors } = record;
  const people = (investors as Record<string, string | null>[]).map(({ first_name, middle_name, last_name, email }) => {
    return { name: [first_name, middle_name, last_name].filter(Boolean).join(" "), email };
  });
  const summary = { id, alias, offering_id, number, status, step, amount, create_date, modify_date, investors: people };
  return summary as InvestmentSummary;
}

/** Goes through all pages forward, then back to the first. */
async function everyPage({ investments }: Environment, filter: InvestmentFilter): Promise<InvestmentSummary[]> {
  const summaries: InvestmentSummary[] = [];
  let page = await investments.list({ ...filter, limit: 9 });
  expect(page.previous).toBe(null);
  for (;;) {
    expect(page.preceding).toBe(summaries.length);
    summaries.push(...page.data);
    if (page.next === null) break;
    page = await investments.list({ ...filter, limit: 9, after: page.next });
  }
  let { preceding } = page;
  while (page.previous !== null) {
    page = await investments.list({ ...filter, limit: 9, before: page.previous });
    expect(page.preceding).toBe(preceding - page.data.length);
    ({ preceding } = page);
    expect(page.data).toEqual(summaries.slice(preceding, preceding + 9));
    expect(page.next).not.toBe(null);
  }
  expect(preceding).toBe(0);
  return summaries;
}

const isFound = (investmentSummary: InvestmentSummary, searchText: string): boolean =>
  investmentSummary.id.startsWith(searchText) ||
  [investmentSummary.alias ?? "", ...investmentSummary.investors.flatMap(({ name, email }) => [name, email])].some(
    (text) => text.toLowerCase().includes(searchText),
  ) ||
  String(investmentSummary.number) === searchText;

const filters: readonly (readonly [InvestmentFilter, (investment: InvestmentSummary) => boolean])[] = [
  [{}, () => true],
  [{ offering_id: "borealis" }, ({ offering_id }) => offering_id === known.borealis],
  [{ status: "closed" }, ({ status }) => status === "CLOSED"],
  [{ step: "SIGNERS" }, ({ step }) => step === "SIGNERS"],
  [{ step: null, order: "-amount" }, ({ step }) => step === null],
  [{ search: "" }, () => true],
  [{ search: "3" }, (investment) => isFound(investment, "3")],
  [{ search: "#3" }, ({ number }) => number === 3],
  [{ search: "EXAMPLE", order: "modify_date" }, (investment) => isFound(investment, "example")],
  [{ search: "émile müLLER", order: "-number" }, ({ alias }) => alias === "accents"],
  [{ search: 'o"brien', order: "status" }, ({ alias }) => alias === "accents"],
  [{ search: "first_name" }, () => false],
  [{ from: "2026-01-05", order: "-create_date" }, ({ create_date }) => create_date >= "2026-01-05"],
  [
    { from: "2026-01-05T08:00Z", to: "2026-01-06", search: "example" },
    (investment) =>
      investment.create_date >= "2026-01-05T08" &&
      investment.create_date < "2026-01-06T00:00:00.001Z" &&
      isFound(investment, "example"),
  ],
  [
    { search: "Ada", status: "PENDING", order: "step" },
    (investment) => isFound(investment, "ada") && investment.status === "PENDING",
  ],
];

describe("investments", () => {
  test("investments are listed and searched page by page, in any order", async () => {
    const sandbox = await openControl();
    const { investments, offerings } = sandbox;
    await investments.change(known.whole, { status: "PENDING", step: "SIGNERS" });
    const investors = [{ first_name: "Émile", last_name: 'Müller-O"Brien' }, { first_name: "Ada" }];
    await investments.create({ offering_id: "borealis", alias: "accents", investors });
    const { data: allInvestments, total } = await investments.list({ limit: 1000 });
    expect(total).toBe(offerings.reduce((sum, offering) => sum + offering.investments, 1));
    for (const investment of allInvestments.slice(-5))
      expect(investment).toEqual(summaryOf(await investments.get(investment.id)));
    expect(await investments.get("accents")).toEqual(await investments.get(allInvestments.at(-1)?.id ?? ""));
    for (const [filter, isMatch] of filters) {
      const matches = await everyPage(sandbox, filter);
      expect(new Set(matches), JSON.stringify(filter)).toEqual(new Set(allInvestments.filter(isMatch)));
      const { order = "create_date" } = filter;
      const values = matches.map((investment) => investment[order.replace("-", "") as "amount"] ?? "");
      const sortedValues = values.toSorted((left, right) => (left < right ? -1 : Number(left > right)));
      expect(values).toEqual(order.startsWith("-") ? sortedValues.toReversed() : sortedValues);
      const { data, ...page } = await investments.list({ ...filter, limit: 1 });
      expect(page).toMatchObject({
        total: matches.length,
        searched: filter.search ? expect.arrayContaining(["email"]) : [],
      });
      expect(data).toEqual(matches.slice(0, 1));
    }
    const [first] = await everyPage(sandbox, { search: "accents" });
    expect((await investments.list({ after: "accents" })).data).toEqual([]);
    expect((await investments.list({ order: "-create_date", limit: 1 })).data).toEqual([first]);
  });

  test("a new investment has the number after the greatest", async () => {
    const investments = [7, 1, 2, 5].map((investment_number) => ({ investment_number }));
    const fixture = await writeFixture({ offerings: [{ alias: "only", investments }] });
    const sandbox = await openControl({ fixture });
    expect((await sandbox.investments.create({}))["investment_number"]).toBe(8);
  });

  test("the sums of an offering follow its investments as the clock moves", async () => {
    const sandbox = await openControl();
    const expectSums = async (): Promise<void> => {
      for (const {
        attributes,
        statuses,
        steps,
        amount,
        amounts,
        paid_amount,
        ...offering
      } of await sandbox.offeringSummaries()) {
        const { data } = await sandbox.investments.list({ offering_id: offering.id, limit: 1000 });
        const counts: Record<string, number> = {};
        for (const investment of data)
          for (const label of [investment.status, investment.step ?? ""]) counts[label] = (counts[label] ?? 0) + 1;
        delete counts[""];
        const records = await Promise.all(data.map(({ id }) => sandbox.investments.get(id)));
        const sum = (member: string, summedRecords: readonly InvestmentRecord[] = records): number =>
          Math.round(summedRecords.reduce((cents, record) => cents + Number(record[member]) * 100, 0)) / 100;
        const stageOf = ({ status, signing_parties }: InvestmentRecord): string => {
          const parties = signing_parties as readonly { readonly signed: boolean }[];
          return status === "CLOSED" ? "closed" : parties.every(({ signed }) => signed) ? "signed" : "pending";
        };
        const amountOf = (stage: string): number =>
          sum(
            "amount",
            records.filter((record) => stageOf(record) === stage),
          );
        expect({ counts: { ...statuses, ...steps }, amount, amounts, paid_amount }).toEqual({
          counts,
          amount: sum("amount"),
          amounts: { closed: amountOf("closed"), signed: amountOf("signed"), pending: amountOf("pending") },
          paid_amount: sum("paid_amount"),
        });
        expect(attributes).toEqual({
          name: offering.name,
          status: "ACTIVE",
          create_date: expect.any(String) as string,
          modify_date: expect.any(String) as string,
        });
        expect((await sandbox.describe()).offerings).toContainEqual(offering);
      }
    };
    await expectSums();
    await sandbox.clock.advance("1h");
    await sandbox.investments.change("whole", { status: "CLOSED", step: null, amount: 0.3, paid_amount: 0.1 });
    await sandbox.investments.create({ offering_id: "empty", amount: 69_999_999_999_999.99, price: 0.01 });
    await expectSums();
    await sandbox.clock.set("fixture");
    await expectSums();
  });

  test("a list continues after a changed investment, and refuses an invalid filter", async () => {
    const sandbox = await openControl();
    const order = "-create_date";
    const allIds = (await sandbox.investments.list({ order, limit: 1000 })).data.map(({ id }) => id);
    const { data, next } = await sandbox.investments.list({ order, limit: 5 });
    await sandbox.clock.advance("1h");
    await sandbox.investments.change(data.at(-1)?.id ?? "", { amount: 1 });
    await sandbox.investments.create({});
    const remainder = await sandbox.investments.list({ order, limit: 1000, after: next ?? "" });
    expect([...data, ...remainder.data].map(({ id }) => id)).toEqual(allIds);
    await expect(sandbox.investments.list({ order: "-amont" as "amount" })).rejects.toThrow('Did you mean "-amount"?');
    await expect(sandbox.investments.list({ after: "whole", before: "whole" })).rejects.toThrow(
      "both after and before",
    );
    await expect(sandbox.investments.list({ from: "yesterday" })).rejects.toThrow("from: expected");
    await expect(sandbox.investments.list({ limit: 1001 })).rejects.toThrow("limit: expected an integer");
    await expect(sandbox.investments.list({ after: "unknown" })).rejects.toThrow('no investment "unknown"');
  });
});

test("a search through many investments parses only matches whole, and yields to other work", async () => {
  const fixture = await writeFixture({ offerings: [{ generate: { investments: 510 } }], scenarios: [] });
  const { investments } = await openControl({ fixture });
  const [, second] = (await investments.list({ order: "-create_date" })).data;
  let turnCount = 0;
  const countTurn = (): void => {
    turnCount += 1;
    nextTurn = setImmediate(countTurn);
  };
  let nextTurn = setImmediate(countTurn);
  const parse = vi.spyOn(JSON, "parse");
  const { data, total } = await investments.list({ search: second?.investors[0]?.email });
  clearImmediate(nextTurn);
  expect([data[0]?.id, total]).toEqual([second?.id, 1]);
  expect(turnCount).toBeGreaterThanOrEqual(1);
  expect((await investments.list({ search: "example" })).total).toBe(510);
  const parsedDocuments = parse.mock.calls.filter(([text]) => text.includes('"signing_parties"'));
  expect(parsedDocuments.length).toBeLessThan(100);
  parse.mockRestore();
});
