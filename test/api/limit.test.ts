import { expect, test } from "vitest";
import { known, openSandbox } from "../support/sandbox.ts";

const path = `/investments/${known.whole}`;

test("request 121 within a minute with one key gives 429, and after Retry-After the same succeeds (7, 8)", async () => {
  const { api, sandbox } = await openSandbox({ rateLimit: 120 });
  for (let request = 1; request <= 120; request++) {
    const asked = [path, "/nowhere", `/investments/${known.unknown}`, `${path}/events?create_date[gte]=x`][request % 4];
    expect((await api(asked ?? path)).status).not.toBe(429);
  }
  const refused = await api(path);
  expect(refused.status).toBe(429);
  expect(refused.json.errors[0].code).toBe("rate_limit_exceeded");
  const wait = Number(refused.headers["retry-after"]);
  expect(Number.isInteger(wait) && wait >= 1 && wait <= 60).toBe(true);
  expect((await api(path, { key: known.keys.marketing })).status).toBe(200);
  await sandbox.clock.advance(wait * 1000);
  expect((await api(path)).status).toBe(200);
});

test("requests without a key that serves count for nobody", async () => {
  const { api } = await openSandbox({ rateLimit: 1 });
  for (const key of [null, known.keys.revoked, "sandbox_partner_nobody"]) {
    expect((await api(path, { key })).status).toBe(401);
    expect((await api(path, { key })).status).toBe(401);
  }
  expect((await api(path)).status).toBe(200);
  expect((await api(path)).status).toBe(429);
});

test("a key whose window is used up from the start is at its limit for a minute", async () => {
  const { api, sandbox } = await openSandbox({ rateLimit: 120 });
  expect((await api(path, { key: known.keys.atLimit })).status).toBe(429);
  await sandbox.clock.advance(60_000);
  expect((await api(path, { key: known.keys.atLimit })).status).toBe(200);
});

test("a rate limit of 0 is off", async () => {
  const { api } = await openSandbox({ rateLimit: 0 });
  for (let request = 0; request < 130; request++) expect((await api(path)).status).toBe(200);
  expect((await api(path, { key: known.keys.atLimit })).status).toBe(200);
});

test("moving the clock back, or setting it forward, holds no window up and ends none", async () => {
  const { api, sandbox } = await openSandbox({ rateLimit: 1 });
  await api(path);
  await sandbox.clock.set({ now: "2027-01-01T00:00:00.000Z" });
  expect((await api(path)).status).toBe(429);
  await sandbox.clock.set({ now: "2025-01-01T00:00:00.000Z" });
  expect((await api(path)).status).toBe(429);
  await sandbox.clock.advance(60_000);
  expect((await api(path)).status).toBe(200);
});
