import { describe, expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { known, openSandbox } from "../support/sandbox.ts";

describe("an option that cannot be is refused in words", () => {
  const cases: [unknown, RegExp][] = [
    [{ fixtures: "demo" }, /no option "fixtures".*"fixture"/],
    [{ profile: "minimum" }, /conventional or minimal.*"minimal"/],
    [{ assumptions: { "list.ordr": "x" } }, /no assumption "list.ordr".*"list.order"/],
    [{ assumptions: { "list.order": "create-date" } }, /list.order cannot be "create-date".*"create_date"/],
    [{ assumptions: [] }, /assumptions is an object/],
    [{ adminToken: "" }, /adminToken is a token/],
    [{ adminToken: "a b" }, /adminToken is a token/],
    [{ admin: "no" }, /admin is true or false/],
    [{ corsOrigins: "http://x.test" }, /corsOrigins is a list/],
    [{ corsOrigins: ["x"] }, /corsOrigins is a list/],
    [{ delay: [5, 1] }, /delay is a whole number/],
    [{ delay: -1 }, /delay is a whole number/],
    [{ host: 5 }, /host is a text/],
    [{ port: 70_000 }, /port is a whole number from 0 to 65535/],
    [{ rateLimit: 1.5 }, /rateLimit is a whole number/],
    [{ speed: -1 }, /speed/],
    [{ clock: "yesterday" }, /clock is an instant/],
    [{ onRequest: 5 }, /onRequest is a function/],
    [{ fixture: "dmeo" }, /no fixture "dmeo".*"demo"/],
    [null, /options of a sandbox are an object/],
  ];
  test.each(cases)("%j", async (options, message) => {
    await expect(startSandbox(options as object)).rejects.toThrow(message);
  });
});

test("undefined is the same as left out", async () => {
  const { sandbox } = await openSandbox({ clock: undefined, speed: undefined, host: undefined });
  expect((await sandbox.clock.get()).now).toBe("2026-01-15T12:00:00.000Z");
});

test("a callback that throws ends nothing", async () => {
  const failures: unknown[] = [];
  const { api } = await openSandbox({
    onRequest: () => {
      throw new Error("not mine");
    },
    onFailure: (error) => failures.push(error),
  });
  await api(`/investments/${known.whole}`);
  expect((await api(`/investments/${known.whole}`)).status).toBe(200);
  expect(failures.length).toBeGreaterThan(0);
});

test("two sandboxes in one process share nothing", async () => {
  const [one, other] = [await openSandbox(), await openSandbox({ rateLimit: 1 })];
  await other.api(`/investments/${known.whole}`);
  expect((await other.api(`/investments/${known.whole}`)).status).toBe(429);
  expect((await one.api(`/investments/${known.whole}`)).status).toBe(200);
  await other.sandbox.close();
  await other.sandbox.close();
  expect((await one.api(`/investments/${known.whole}`)).status).toBe(200);
});
