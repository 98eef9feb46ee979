import { describe, expect } from "vitest";
import { Ledger } from "../src/ledger.ts";
import { Service } from "../src/service.ts";
import { known, read, settingsOf, test } from "./ledger-test.ts";

describe("a ledger", () => {
  test("is read whole, and what does not agree in it is found", async ({ sandbox }) => {
    const { investments, differences, found } = await read(sandbox);
    expect(investments).toBe(47);
    expect(found).toEqual(known);
    expect(differences[0]).toMatchObject({ expected: 1500, found: 4000 });
    // Three pages, page 1 again, the end; then all of them again, to check whether anything moved.
    expect(await sandbox.requests.count({ path: "/api/v1/offerings/*/investments" })).toBe(10);
  });

  test("that agrees has no differences", async ({ sandboxServer }) => {
    const sandbox = await sandboxServer.openEnvironment({ fixture: "demo", rateLimit: 0 });
    expect(await read(sandbox)).toMatchObject({ investments: 145, differences: [] });
  });

  test("is the same when the service promises little", async ({ sandboxServer }) => {
    const sandbox = await sandboxServer.openEnvironment({ profile: "minimal" });
    const { investments, found } = await read(sandbox);
    expect(investments).toBe(47);
    expect(found.toSorted()).toEqual(known);
  });

  for (const end of ["400", "404"]) {
    test(`may end with a page that is a ${end}, and count from 0`, async ({ sandbox }) => {
      await sandbox.assumptions.set({ "list.document": "data", "list.past_end": end, "list.first_page": "0" });
      expect((await read(sandbox)).found).toEqual(known);
    });
  }

  test("may hold fewer investments on a page than any client would ask for", async ({ sandbox }) => {
    await sandbox.assumptions.set({ "list.default_size": 7, "list.max_size": 7 });
    expect((await read(sandbox)).found).toEqual(known);
  });

  test("that grows at its beginning is read without repeating itself, the new ones too", async ({ sandboxServer }) => {
    const sandbox = await sandboxServer.openEnvironment({
      fixture: "demo",
      rateLimit: 0,
      assumptions: { "list.order": "-create_date" },
    });
    const settings = await settingsOf(sandbox);
    const ids: string[] = [];
    for await (const { id } of new Ledger(new Service(settings), settings.offeringId).investments()) {
      if (ids.length === 0) await sandbox.investments.create({});
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(146);
    expect(ids).toHaveLength(146);
  });

  test("may list an investment that is gone when it is asked for", async ({ sandbox }) => {
    const { id } = await sandbox.investments.create({ amount: 10 });
    await sandbox.faults.add({ match: { path: `/investments/${id}` }, respond: { status: 404 } });
    expect((await read(sandbox)).found).toEqual([...known, `${id} listed, but not to be found`]);
  });

  test("agrees or not as time goes by", async ({ sandbox }) => {
    await sandbox.play({
      investment: { amount: 900 },
      steps: [
        { payment: { alias: "wire", amount: 900, status: "pending" } },
        { after: "1d", sign: "all", investment: { status: "CLOSED" } },
        { after: "2d", payment: { alias: "wire", status: "succeeded" } },
      ],
    });
    expect((await read(sandbox)).found).toEqual(known);
    await sandbox.clock.advance("1d");
    expect((await read(sandbox)).found).toEqual([...known, "48 closed, but not paid in full"]);
    await sandbox.clock.advance("2d");
    expect((await read(sandbox)).found).toEqual(known);
  });
});
