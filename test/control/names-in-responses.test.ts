import { expect, test } from "vitest";
import { known } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";

const scenario = {
  investment: { investors: [{ first_name: "Ada", last_name: "Lovelace" }] },
  steps: [{ after: "1h", investment: { status: "CLOSED" } }],
};

test("requests, runs and changes name their investment, in the present state and before its creation", async () => {
  const sandbox = await openControl({}, "over HTTP");
  const { clock } = sandbox;
  const startAt = (await clock.get()).now;
  const { investment_ids, investment_names } = await sandbox.play(scenario);
  const [id = ""] = investment_ids;
  const { applied } = await clock.next();
  const [name = ""] = investment_names;
  expect(name).toMatch(/^#\d+ Ada Lovelace$/);
  expect(new Set(applied.map((change) => change.investment_name))).toEqual(new Set([name]));
  await read(sandbox, `/investments/${id}`);
  await read(sandbox, `/offerings/${known.borealis}`);

  const namesNow = async (): Promise<unknown[]> => [
    (await sandbox.runs.list())[0]?.investment_names,
    new Set((await sandbox.timeline({ investment_id: id })).map((change) => change.investment_name)),
    (await sandbox.requests.list()).data.map((entry) => [entry.investment_name, entry.offering_name]),
  ];
  const expectedNames = (investment: string, offering = "Aurora Robotics"): unknown[] => [
    [investment],
    new Set([investment]),
    [
      [investment, offering],
      [null, "Borealis Foods"],
    ],
  ];
  expect(await namesNow()).toEqual(expectedNames(name));
  const [investor] = (await sandbox.investments.get(id))["investors"] as readonly { readonly id: string }[];
  await sandbox.investments.change(id, { investors: [{ id: investor?.id, last_name: "King" }] });
  expect(await namesNow()).toEqual(expectedNames(name.replace("Lovelace", "King")));
  await clock.set("2026-01-01T00:00:00Z");
  expect(await namesNow()).toEqual(expectedNames(name));
  await clock.set(startAt);
});

test("a response of a fault and a broken connection have a cause without a remedy", async () => {
  const sandbox = await openControl({}, "over HTTP");
  await sandbox.faults.add({ respond: { status: 503 }, times: 1 });
  await read(sandbox, `/investments/${known.whole}`);
  await sandbox.faults.add({ connection: "reset", times: 1 });
  await read(sandbox, `/investments/${known.whole}`).catch(() => {});
  const { data } = await sandbox.requests.list();
  expect(data.map(({ cause, remedy }) => [cause, remedy])).toEqual([
    ["A fault responded in place of the service.", null],
    ["A fault reset the connection.", null],
  ]);
});
