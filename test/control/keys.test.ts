import { describe, expect, test } from "vitest";
import { connectSandbox } from "../../src/index.ts";
import { known, openSandbox } from "../support/sandbox.ts";
import { writeFixture } from "../support/write-fixture.ts";
import { openControl, read } from "../support/sandboxes.ts";

describe("keys", () => {
  test("`keys.partner` and `keys.marketing` do not change, even after a revocation", async () => {
    const sandbox = await openControl();
    const id = (await sandbox.keys.list()).find(({ key }) => key === known.keys.partner)?.id ?? "";
    await sandbox.keys.revoke(id);
    expect([sandbox.keys.partner, sandbox.keys.marketing]).toEqual([known.keys.partner, known.keys.marketing]);
    expect((await read(sandbox, `/investments/${known.whole}`, sandbox.keys.partner)).status).toBe(401);
    expect(sandbox.offering).toEqual(sandbox.offerings[0]);
  });

  test("a missing key or offering throws instead of being undefined", async () => {
    const keys = [{ type: "marketing", offering: "only" }];
    const sandbox = await openControl({ fixture: await writeFixture({ offerings: [{ alias: "only" }], keys }) });
    expect(sandbox.keys.marketing).toMatch(/^sandbox_marketing_/);
    expect(() => sandbox.keys.partner).toThrow("without a partner key");
    const emptySandbox = await openControl({ fixture: await writeFixture({ offerings: [] }) });
    expect(() => emptySandbox.offering).toThrow("no offerings");
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
      'label is ".."; expected a line of up to 200 characters, without the text of a key, and not "." or "..".',
    );
    const issuedKey = await sandbox.keys.issue({ type: "partner", label: new URL("http://x/") as never });
    expect((await sandbox.keys.revoke("http://x/")).id).toBe(issuedKey.id);
  });
});

test("a limit that is set without a number is exhausted, in process and over HTTP, and refused without a rate limit", async () => {
  const { sandbox } = await openSandbox({ rateLimit: 120 });
  for (const control of [sandbox, await connectSandbox(sandbox.url)]) {
    await control.limits.clear();
    expect(await control.limits.set(known.keys.partner)).toMatchObject({ used: 120, limit: 120 });
    expect((await read(sandbox, `/offerings/${known.aurora}`)).status).toBe(429);
  }
  const unlimitedEnvironment = await sandbox.openEnvironment({ rateLimit: 0 });
  await expect(unlimitedEnvironment.limits.set(unlimitedEnvironment.keys.partner)).rejects.toMatchObject({
    code: "invalid",
    message: "The rate limit is off, so no key can be at its limit; expected used, or another rate limit.",
  });
});
