import { describe, expect, test } from "vitest";
import { known } from "../support/sandbox.ts";
import { writeFixture } from "../support/write-fixture.ts";
import { openControl, read } from "../support/sandboxes.ts";

describe("keys", () => {
  test("the keys are those of the fixture", async () => {
    const { keys } = await openControl();
    const listed = await keys.list();
    expect(listed.map(({ key }) => key).toSorted()).toEqual(Object.values(known.keys).toSorted());
    const revoked = listed.find(({ key }) => key === known.keys.revoked);
    expect(revoked).toMatchObject({ status: "revoked", type: "partner", environment: "default" });
  });

  test("`keys.partner` and `keys.marketing` stay those of the opening, even after a revocation", async () => {
    const sandbox = await openControl();
    const id = (await sandbox.keys.list()).find(({ key }) => key === known.keys.partner)?.id ?? "";
    await sandbox.keys.revoke(id);
    expect([sandbox.keys.partner, sandbox.keys.marketing]).toEqual([known.keys.partner, known.keys.marketing]);
    expect((await read(sandbox, `/investments/${known.whole}`, sandbox.keys.partner)).status).toBe(401);
    expect(sandbox.offering).toEqual(sandbox.offerings[0]);
  });

  test("a missing key or offering throws instead of being undefined", async () => {
    const keys = [{ type: "marketing", offering: "only" }];
    const one = await openControl({ fixture: await writeFixture({ offerings: [{ alias: "only" }], keys }) });
    expect(one.keys.marketing).toMatch(/^sandbox_marketing_/);
    expect(() => one.keys.partner).toThrow("without a partner key");
    const none = await openControl({ fixture: await writeFixture({ offerings: [] }) });
    expect(() => none.offering).toThrow("no offerings");
  });

  test("an issued key serves until it is revoked, and stays listed", async () => {
    const sandbox = await openControl();
    const issued = await sandbox.keys.issue({ type: "marketing", offering_id: known.borealis, label: "extra" });
    expect(issued).toMatchObject({
      type: "marketing",
      offering_id: known.borealis,
      environment: "default",
      status: "active",
      label: "extra",
      create_date: "2026-01-15T12:00:00.000Z",
      revoke_date: null,
    });
    expect(issued.key).toMatch(/^sandbox_marketing_/);
    expect(await sandbox.keys.list()).toContainEqual(issued);
    expect((await read(sandbox, `/offerings/${known.borealis}`, issued.key)).status).toBe(200);
    expect((await read(sandbox, `/offerings/${known.aurora}`, issued.key)).status).toBe(403);

    await sandbox.clock.advance("1h");
    const revoked = {
      ...issued,
      status: "revoked",
      effect: "every call is a 401",
      revoke_date: "2026-01-15T13:00:00.000Z",
    };
    expect(await sandbox.keys.revoke(issued.id)).toEqual(revoked);
    expect(await sandbox.keys.revoke(issued.id)).toEqual(revoked);
    expect(await sandbox.keys.list()).toContainEqual(revoked);
    const { status, json } = await read(sandbox, `/offerings/${known.borealis}`, issued.key);
    expect([status, json.errors[0].code]).toEqual([401, "key_revoked"]);
    await sandbox.clock.set({ now: "2026-01-15T12:30:00.000Z" });
    expect((await read(sandbox, `/offerings/${known.borealis}`, issued.key)).status).toBe(200);
  });

  test("a key issued by a scenario belongs to its environment", async () => {
    const sandbox = await openControl();
    const scenario = { steps: [{ key: { issue: { type: "partner", label: "new" } } }] };
    const opened = [sandbox, await sandbox.openEnvironment(), await sandbox.openEnvironment()];
    const secrets: string[] = [];
    for (const [step, environment] of opened.entries()) {
      await environment.play(scenario, { investment_id: known.whole });
      await environment.investments.change(known.whole, { step: `STEP_${step}` });
      secrets.push((await environment.keys.list()).find(({ label }) => label === "new")?.key ?? "");
    }
    const steps = async (): Promise<string[]> =>
      Promise.all(
        secrets.map(async (secret) => {
          const { status, json } = await read(sandbox, `/investments/${known.whole}/status`, secret);
          return status === 200 ? json.data.attributes.step : status;
        }),
      );
    expect(await steps()).toEqual(["STEP_0", "STEP_1", "STEP_2"]);
    await opened[2]?.close();
    expect(await steps()).toEqual(["STEP_0", "STEP_1", 401]);
  });

  test("a label is one line of limited length that fits into a path", async () => {
    const sandbox = await openControl();
    for (const label of ["", "two\nlines", "nul\0", "x".repeat(201), ".", "..", "\ud800", "a\udc00b"]) {
      await expect(sandbox.keys.issue({ type: "partner", label }), label).rejects.toMatchObject({
        code: "invalid",
        message: expect.stringContaining("label") as string,
      });
    }
    await expect(sandbox.keys.issue({ type: "partner", label: ".." })).rejects.toThrow(
      'label is a line of up to 200 characters, without the text of a key, and not "." or "..".',
    );
    const issued = await sandbox.keys.issue({ type: "partner", label: new URL("http://x/") as never });
    expect((await sandbox.keys.revoke("http://x/")).id).toBe(issued.id);
  });
});
