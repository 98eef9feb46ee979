import { describe, expect, test } from "vitest";
import { type RequestEntry, startSandbox } from "../../src/index.ts";
import { known, openSandbox } from "../support/sandbox.ts";

const pasted = "sk_live_51Habcdefghijklmnop";

describe("an impossible option is refused with the expected form", () => {
  const cases: [unknown, RegExp][] = [
    [{ fixtures: "demo" }, /no option "fixtures".*"fixture"/],
    [{ assumptions: [] }, /assumptions: expected an object/],
    [{ adminToken: "let-me-in", host: "0.0.0.0" }, /admin token has fewer than 16 characters/],
    [{ admin: "no" }, /admin: expected true or false, not "no"/],
    [{ corsOrigins: "http://x.test" }, /corsOrigins: expected a list/],
    [{ host: 5 }, /host: expected an address/],
    [{ onRequest: 5 }, /onRequest: expected a function/],
    [{ fixture: "dmeo" }, /no fixture "dmeo".*"demo"/],
    [{ prot: 1, speed: "fast", rateLimit: -1 }, /"port"[^]*speed: .*"fast"[^]*rateLimit: .*-1/],
    [null, /options of a sandbox are an object/],
  ];
  test.each(cases)("%j", async (options, message) => {
    await expect(startSandbox(options as object)).rejects.toThrow(message);
  });
});

test("an undefined option counts as missing", async () => {
  const { sandbox } = await openSandbox({ clock: undefined, speed: undefined, host: undefined });
  expect((await sandbox.clock.get()).now).toBe("2026-01-15T12:00:00.000Z");
});

test("onRequest is called once for each request, not for polling, and never with a key", async () => {
  let tell: (entry: RequestEntry) => void = () => {};
  const { raw } = await openSandbox({
    adminToken: "let-me-in",
    // The test framework's own request for the document.
    onRequest: (logged) => logged.path !== "/openapi.json" && tell(logged),
  });
  const { partner } = known.keys;
  const rest = {
    duration_ms: expect.any(Number),
    connection: null,
    key_id: null,
    key_label: null,
    environment: null,
    fault_id: null,
    depends_on: [],
    retry_after_seconds: null,
  };
  const nothing = ["There is no such path. The API begins at /api/v1."];
  const icon = "/favicon.ico";
  const tokenMissing = ["Send `Authorization: Bearer <admin token>`."];
  for (const [path, printedPath, status, code, hints] of [
    ["/", "/", 200, null, []],
    [
      `${icon}?page=2&token=let-me-in&${partner}=1&x=${pasted}`,
      `${icon}?page=2&token=…&…=1&x=…`,
      404,
      "path_not_found",
      nothing,
    ],
    [`/__admin/keys/${partner}`, "/__admin/keys/…", 401, "admin_token_required", tokenMissing],
    ["/__admin/healthy", "/__admin/healthy", 401, "admin_token_required", tokenMissing],
    ["/openapi.json?", "/openapi.json?", 200, null, []],
  ] as const) {
    const entry = new Promise<RequestEntry>((resolve) => (tell = resolve));
    await raw("/__admin/health", { key: null });
    await raw("/__admin/health?probe", { key: null });
    await raw("/__admin/pulse?after=1", { key: null });
    await raw("/__admin/environments/default/pulse", { key: null });
    await raw(path, { key: null });
    expect(await entry).toEqual({ ...rest, method: "GET", path: printedPath, status, code, hints });
  }
  const entries: RequestEntry[] = [];
  const two = new Promise<void>((resolve) => (tell = (entry) => entries.push(entry) === 2 && resolve()));
  await raw(`/api/v1/investments/${known.whole}`, { method: "HEAD" });
  await raw("/nowhere", { method: "POST" });
  await two;
  expect(entries).toMatchObject([
    { method: "HEAD", status: 200, environment: "default", key_id: expect.any(String) },
    { method: "POST", status: 404, environment: "default", key_id: expect.any(String) },
  ]);
});

test("an exception in a callback does not end the sandbox", async () => {
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

test("two sandboxes in one process share no state", async () => {
  const [testSandbox, limitedSandbox] = [await openSandbox(), await openSandbox({ rateLimit: 1 })];
  await limitedSandbox.api(`/investments/${known.whole}`);
  expect((await limitedSandbox.api(`/investments/${known.whole}`)).status).toBe(429);
  expect((await testSandbox.api(`/investments/${known.whole}`)).status).toBe(200);
  await limitedSandbox.sandbox.close();
  await limitedSandbox.sandbox.close();
  expect((await testSandbox.api(`/investments/${known.whole}`)).status).toBe(200);
});

test.each([
  ["clock/advance", { by: "2x" }, [/^by is "2x"; expected a duration/]],
  ["keys", { typ: "partner" }, [/^type is missing/, /no member "typ"/]],
  ["clock/advance", { by: pasted }, [/^by is "…"; expected a duration/]],
  ["clock", { [pasted]: 1 }, [/…/]],
  ["investments", { amount: -1, price: -1 }, [/amount/, /price/]],
])("the entry of a refused call of the admin API has its errors: %s %j", async (path, body, hints) => {
  let tell: (entry: RequestEntry) => void = () => {};
  const entry = new Promise<RequestEntry>((resolve) => (tell = resolve));
  const { raw } = await openSandbox({ onRequest: (logged) => logged.path !== "/openapi.json" && tell(logged) });
  const method = path === "clock" ? "PUT" : "POST";
  await raw(`/__admin/${path}`, {
    key: null,
    method,
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  const logged = await entry;
  expect(logged.code).toBe("invalid");
  expect(logged.hints).toEqual(hints.map((hint) => expect.stringMatching(hint) as string));
  expect(JSON.stringify(logged)).not.toContain(pasted);
});
