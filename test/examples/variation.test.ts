import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fileOf } from "../../examples/investment-browser/src/service/investment-file.ts";
import { everything, type ListQuery } from "../../examples/investment-browser/src/service/list-query.ts";
import { Service as Browser } from "../../examples/investment-browser/src/service/service.ts";
import { standingOf, watchStanding } from "../../examples/investment-browser/src/service/standing.ts";
import { investmentView } from "../../examples/investment-browser/src/view/investment.ts";
import { listView } from "../../examples/investment-browser/src/view/list.ts";
import { Ledger } from "../../examples/reconciliation/src/ledger.ts";
import { reconcile } from "../../examples/reconciliation/src/reconcile.ts";
import { Service } from "../../examples/reconciliation/src/service.ts";
import type { Environment } from "../../src/index.ts";
import { sampleAlternatives } from "../support/alternatives.ts";
import { startForTest } from "../support/sandbox.ts";

const seeds = Array.from({ length: 50 }, (_, index) => index);

const ledger = fileURLToPath(new URL("../../examples/reconciliation/fixtures/ledger.json", import.meta.url));

/** A connection with the marketing key of an environment, and a wait that its clock skips. */
async function connect({ baseUrl, keys, clock }: Environment) {
  const marketingKey = (await keys.list()).find(({ type }) => type === "marketing");
  const skip = async (seconds: number): Promise<void> => void (await clock.advance(seconds * 1000));
  return { connection: { baseUrl, key: marketingKey?.key ?? "", offeringId: marketingKey?.offering_id ?? "" }, skip };
}

test("reconciliation finds the same differences under fifty samples of alternative values", async () => {
  const sandbox = await startForTest({ config: false, fixture: ledger });
  for (const seed of seeds) {
    const environment = await sandbox.openEnvironment({ assumptions: sampleAlternatives(seed) });
    const { connection, skip } = await connect(environment);
    const service = new Service(connection, ({ seconds }) => skip(seconds));
    const { investments, differences } = await reconcile(new Ledger(service, connection.offeringId));
    const findings = differences.map(({ investment, finding }) => `${investment} ${finding}`).toSorted();
    expect({ seed, investments, found: findings }).toEqual({
      seed,
      investments: 47,
      found: [
        "43 paid amount is not what succeeded",
        "44 amount is not price × quantity",
        "45 closed, but not paid in full",
        "46 paid more than its amount",
        "47 closed, but not signed by everybody",
      ],
    });
    await environment.close();
  }
});

test("the browser shows the same list, investment and progress under fifty samples of alternative values", async () => {
  const sandbox = await startForTest({ config: false, fixture: "demo" });
  for (const seed of seeds) {
    const environment = await sandbox.openEnvironment({ assumptions: sampleAlternatives(seed) });
    const { connection, skip } = await connect(environment);
    const service = new Browser<"marketing">(connection, skip);
    const listedIds = new Set<string>();
    for (let query: ListQuery = everything; ; query = { ...query, page: query.page + 1 }) {
      const list = await service.investments(query);
      for (const { id } of list.data) listedIds.add(id);
      if (!listView(list, query).text.includes('rel="next"')) break;
    }
    const investment = await environment.investments.create({ payments: [{ amount: 30 }, { amount: 12 }] });
    const view = investmentView(
      fileOf(await service.investment(investment.id)),
      await service.events(investment.id),
    ).text;
    const { investment_ids: ids } = await environment.play("closing");
    const id = ids[0] ?? "";
    const knownStanding = standingOf(await service.status(id));
    const statuses = [];
    const skipDays = async (): Promise<void> => void (await environment.clock.advance("2d"));
    for await (const { status } of watchStanding(service, id, knownStanding, { rest: skipDays })) statuses.push(status);
    expect({
      seed,
      investments: listedIds.size,
      last: statuses,
      ordered: view.indexOf("30.00") < view.indexOf("12.00"),
    }).toEqual({
      seed,
      investments: 145,
      last: ["CLOSED"],
      ordered: true,
    });
    await environment.close();
  }
});
