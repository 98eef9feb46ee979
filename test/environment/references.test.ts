import { describe, expect, test } from "vitest";
import type { SparseFixture } from "../../src/fixture/schema.ts";
import { writeFixture } from "../support/write-fixture.ts";
import { openControl, read } from "../support/sandboxes.ts";

const fixture: SparseFixture = {
  now: "2026-01-15T12:00:00.000Z",
  offerings: [
    { alias: "aurora", investments: [{ alias: "two-payments", status: "PENDING", step: null }, { alias: "twin" }] },
    { alias: "borealis", investments: [{ alias: "twin" }] },
  ],
  keys: [
    { alias: "reader", type: "partner", offering: "aurora", label: "Reader" },
    { alias: "other", type: "partner", offering: "borealis", label: "Other" },
    { type: "marketing", offering: "aurora", label: "twins" },
    { type: "marketing", offering: "borealis", label: "twins" },
  ],
  scenarios: [],
};

describe("references", () => {
  const open = async () => openControl({ fixture: await writeFixture(fixture) });

  test("an alias is accepted in place of an id by every command", async () => {
    const sandbox = await open();
    const { investments, keys, limits, faults, requests } = sandbox;
    const [aurora, borealis] = sandbox.offerings;
    const [reader, otherKey, ...twins] = await keys.list();
    expect([reader?.alias, twins[0]?.alias]).toEqual(["reader", null]);

    const { id } = await investments.change("two-payments", { step: "SIGNERS" });
    expect(await investments.change(id.toUpperCase(), { step: "SIGNERS" })).toMatchObject({ alias: "two-payments" });
    await investments.recordEvent("two-payments", { event: "PAYMENT", action: "APPROVED" });
    expect((await sandbox.play("closing", { investment_id: "two-payments" })).investment_ids).toEqual([id]);
    const created = await investments.create({ offering_id: "borealis", alias: "new" });
    expect(await investments.change("new", { step: null })).toMatchObject({
      id: created.id,
      offering_id: borealis?.id,
    });
    const [twin] = (await sandbox.play("closing", { offering_id: "borealis", investment_id: "twin" })).investment_ids;
    expect(await investments.change(twin ?? "", { step: null })).toMatchObject({ offering_id: borealis?.id });

    expect(await limits.set("reader", 3)).toMatchObject({ key_id: reader?.id, used: 3 });
    expect(await limits.set("Other", 4)).toMatchObject({ key_id: otherKey?.id, used: 4 });
    const fault = await faults.add({ match: { key_id: "reader" }, respond: { status: 503 }, times: 1 });
    expect(fault.match).toEqual({ key_id: reader?.id });
    expect((await read(sandbox, `/investments/${id}`, otherKey?.key)).status).toBe(404);
    expect((await read(sandbox, `/investments/${id}`, reader?.key)).status).toBe(503);
    await sandbox.play({ steps: [{ fault: { match: { key_id: "Reader" }, respond: { status: 502 }, times: 1 } }] });
    expect((await read(sandbox, `/investments/${id}`, reader?.key)).status).toBe(502);
    expect(await requests.count({ key_id: "reader" })).toBe(2);
    expect(await requests.count({ key_id: "Other" })).toBe(1);

    expect(await keys.issue({ type: "partner" })).toMatchObject({ offering_id: aurora?.id, alias: null });
    const ownKey = await keys.issue({ type: "partner", label: "mine" });
    expect(await keys.revoke("mine")).toMatchObject({ id: ownKey.id, status: "revoked" });
    const again = await keys.issue({ type: "partner", label: "mine" });
    expect(await keys.revoke("mine")).toMatchObject({ id: again.id, status: "revoked" });
    expect(await keys.revoke(reader?.key ?? "")).toMatchObject({ id: reader?.id, status: "revoked" });
    expect(await keys.revoke("other")).toMatchObject({ id: otherKey?.id, status: "revoked" });

    const environment = await sandbox.openEnvironment();
    expect(await environment.limits.set("reader", 1)).toMatchObject({ used: 1 });
  });

  test("the service itself accepts only ids", async () => {
    const sandbox = await open();
    const { partner } = sandbox.keys;
    expect((await read(sandbox, "/investments/two-payments", partner)).status).toBe(404);
    expect((await read(sandbox, "/offerings/aurora", partner)).status).toBe(403);
  });

  test("an unknown name is refused with the nearest name, and an ambiguous name with both ids", async () => {
    const sandbox = await open();
    const { investments, keys, runs, faults } = sandbox;
    const says = async (code: string, message: RegExp, refused: Promise<unknown>) =>
      expect(refused).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    await says(
      "not_found",
      /^There is no investment "two-paymets"\. Did you mean "two-payments"\?$/,
      investments.change("two-paymets", {}),
    );
    await says("not_found", /^There is no investment of this id or alias\.$/, investments.change("x".repeat(50), {}));
    await says(
      "not_found",
      /^Several investments have the alias "twin": \S{36} of aurora, \S{36} of borealis\. Give the id\.$/,
      investments.change("twin", {}),
    );
    await says(
      "invalid",
      /^There is no offering "north"\. There are aurora, borealis\.$/,
      keys.issue({ type: "partner", offering_id: "north" }),
    );
    await says(
      "invalid",
      /^Scenario closing: there is no offering "auora"\. Did you mean "aurora"\?$/,
      sandbox.play("closing", { offering_id: "auora" }),
    );
    await says(
      "conflict",
      /of another offering/,
      sandbox.play("closing", { offering_id: "borealis", investment_id: "two-payments" }),
    );
    await says(
      "not_found",
      /^There is no key of this id, alias, label or secret\. Did you mean "reader"\?$/,
      keys.revoke("raeder"),
    );
    await says(
      "not_found",
      /^Several keys have this label: \S{36}, \S{36}\. Give the alias or the id\.$/,
      keys.revoke("twins"),
    );
    await sandbox.play("closing");
    await says("not_found", /^There is no run "first"\. There is run-1\.$/, runs.stop("first"));
    await says("not_found", /^There is no fault "fault-1"\.$/, faults.remove("fault-1"));
  });
});
