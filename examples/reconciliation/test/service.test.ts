import { afterEach, beforeEach, describe, expect, vi } from "vitest";
import { retryAfterSeconds } from "../src/retry-after.ts";
import { readSettings } from "../src/settings.ts";
import { keyOf, known, read, settingsOf, test, use } from "./ledger-test.ts";

describe("the limit", () => {
  // The minute also passes in real time, and a busy machine takes more of it.
  beforeEach(() => void vi.spyOn(performance, "now").mockReturnValue(performance.now()));
  afterEach(() => void vi.restoreAllMocks());

  test("is waited out when it is reached", async ({ sandbox }) => {
    await use(sandbox, 118);
    const { found, waits } = await read(sandbox);
    expect(found).toEqual(known);
    expect(waits).toEqual([60]);
  });

  test("is waited out as often as it takes", async ({ sandboxServer }) => {
    const sandbox = await sandboxServer.openEnvironment({ rateLimit: 20 });
    // A list and 47 investments, 20 a minute.
    expect((await read(sandbox)).waits).toEqual([60, 60]);
  });

  test("may be named as a date", async ({ sandbox }) => {
    await sandbox.assumptions.set({ "limit.retry_after": "http-date" });
    await use(sandbox, 120);
    const { found, waits } = await read(sandbox);
    expect(found).toEqual(known);
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThan(0);
    expect(waits[0]).toBeLessThanOrEqual(61);
  });

  test("that names no time is a minute", () => {
    expect(retryAfterSeconds(null)).toBe(60);
    expect(retryAfterSeconds("later")).toBe(60);
  });
});

describe("a service in trouble", () => {
  test("is asked again after 1, 2, 4 and 8 seconds", async ({ sandbox }) => {
    await sandbox.faults.add({ match: { path: "/offerings/**" }, respond: { status: 500 }, times: 4 });
    const { found, waits } = await read(sandbox);
    expect(found).toEqual(known);
    expect(waits).toEqual([1, 2, 4, 8]);
  });

  test("is given up after five attempts", async ({ sandbox }) => {
    await sandbox.faults.add({ respond: { status: 503 } });
    await expect(read(sandbox)).rejects.toThrow("The service returned 503. Given up after 5 attempts.");
    expect(await sandbox.requests.count()).toBe(5);
  });

  for (const connection of ["reset", "empty"] as const) {
    test(`may cut connections: ${connection}`, async ({ sandbox }) => {
      await sandbox.faults.add({ match: { path: "/investments/*" }, connection, times: 2 });
      const { found, waits } = await read(sandbox);
      expect(found).toEqual(known);
      expect(waits).toEqual([1, 2]);
    });
  }

  test("may send half a document", async ({ sandbox }) => {
    await sandbox.faults.add({
      match: { path: "/investments/*" },
      respond: { status: 200, body: '{"data":' },
      times: 1,
    });
    expect((await read(sandbox)).found).toEqual(known);
  });
});

test("a key that is not accepted is not tried again", async ({ sandbox }) => {
  const settings = await settingsOf(sandbox);
  const { id } = await keyOf(sandbox);
  await sandbox.keys.revoke(id);
  await expect(read(sandbox, settings)).rejects.toMatchObject({ name: "NoAnswer", status: 401 });
  expect(await sandbox.requests.count()).toBe(1);
});

describe("settings", () => {
  test("come from the environment, the sandbox's last", async ({ sandbox }) => {
    const settings = await settingsOf(sandbox);
    const told = {
      OFFERING_SANDBOX_BASE_URL: settings.baseUrl,
      OFFERING_SANDBOX_OFFERING_ID: settings.offeringId,
      OFFERING_SANDBOX_MARKETING_KEY: settings.key,
    };
    expect(readSettings(told)).toEqual(settings);
    expect(readSettings({ ...told, SERVICE_KEY: "mine" })).toMatchObject({ key: "mine" });
  });

  test("are asked for by name when they are missing", () => {
    expect(() => readSettings({})).toThrow("SERVICE_BASE_URL is not set.");
  });
});
