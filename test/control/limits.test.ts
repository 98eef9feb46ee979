import { describe, expect, test } from "vitest";
import { known } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";

describe("limits", () => {
  test("a key set to its limit is refused, and served again after the limits are cleared", async () => {
    const sandbox = await openControl({ rateLimit: 3 });
    const partner = (await sandbox.keys.list()).find(({ key }) => key === known.keys.partner);
    const id = partner?.id ?? "";
    const status = async (): Promise<number> => (await read(sandbox, `/investments/${known.whole}`)).status;
    const usedRequests = async (): Promise<number | undefined> =>
      (await sandbox.limits.list()).find(({ key_id }) => key_id === id)?.used;

    expect(await usedRequests()).toBe(0);
    expect(await status()).toBe(200);
    expect(await usedRequests()).toBe(1);
    expect(await sandbox.limits.set(id, 2)).toMatchObject({ key_id: id, used: 2, limit: 3 });
    expect(await status()).toBe(200);
    expect(await status()).toBe(429);
    const listed = (await sandbox.limits.list()).find(({ key_id }) => key_id === id);
    expect(listed?.resets_in_seconds).toBeGreaterThan(0);
    expect(listed?.resets_in_seconds).toBeLessThanOrEqual(60);
    await sandbox.limits.clear();
    expect(await usedRequests()).toBe(0);
    expect(await status()).toBe(200);
  });

  test("every key has its limit", async () => {
    const sandbox = await openControl({ rateLimit: 120 });
    const limits = await sandbox.limits.list();
    expect(limits.map(({ key_id }) => key_id)).toEqual((await sandbox.keys.list()).map(({ id }) => id));
    expect(new Set(limits.map(({ limit }) => limit))).toEqual(new Set([120]));
  });

  test("advancing the clock moves the limits' windows", async () => {
    const sandbox = await openControl({ rateLimit: 1 });
    const status = async (): Promise<number> => (await read(sandbox, `/investments/${known.whole}`)).status;
    expect([await status(), await status()]).toEqual([200, 429]);
    await sandbox.clock.advance("1m");
    expect(await status()).toBe(200);
  });
});
