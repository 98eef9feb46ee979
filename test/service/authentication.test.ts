import { describe, expect, test } from "vitest";
import { known, openSandbox } from "../support/sandbox.ts";

const path = `/investments/${known.whole}`;

describe("a missing, malformed or revoked key gives 401 (5.3)", () => {
  const cases: [what: string, authorization: string | undefined, code: string][] = [
    ["no header", undefined, "key_missing"],
    ["an empty header", "", "key_missing"],
    ["no scheme", known.keys.partner, "key_malformed"],
    ["another scheme", `Basic ${known.keys.partner}`, "key_malformed"],
    ["no key", "Bearer", "key_malformed"],
    ["two keys", `Bearer ${known.keys.partner} ${known.keys.partner}`, "key_malformed"],
    ["a key that was not issued", "Bearer sandbox_partner_nobody", "key_unknown"],
    ["a key in another case", `Bearer ${known.keys.partner.toUpperCase()}`, "key_unknown"],
    ["a revoked key", `Bearer ${known.keys.revoked}`, "key_revoked"],
    ["a name of every object", "Bearer __proto__", "key_unknown"],
  ];
  test.each(cases)("%s", async (_, authorization, code) => {
    const { api } = await openSandbox();
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await api(path, { key: null, headers });
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
    expect(answer.json.errors[0]).toMatchObject({ status: "401", code, source: { header: "Authorization" } });
    for (const key of Object.values(known.keys)) expect(answer.text).not.toContain(key);
  });
});

test("a key serves until its revoke_date, and is refused from then on", async () => {
  const { api, sandbox } = await openSandbox({ clock: "2026-01-09T23:59:59.999Z" });
  expect((await api(path, { key: known.keys.revoked })).status).toBe(200);
  await sandbox.clock.advance(1);
  expect((await api(path, { key: known.keys.revoked })).status).toBe(401);
  await sandbox.clock.set({ now: "2026-01-01T00:00:00.000Z" });
  expect((await api(path, { key: known.keys.revoked })).status).toBe(200);
});

describe("another offering than the key's is a 403 (5.4)", () => {
  test.each([known.borealis, known.unknown, "not-a-uuid", "%zz", "..", known.whole])("offering %s", async (id) => {
    const { api } = await openSandbox();
    for (const tail of ["", "/investments"]) {
      const { status, json } = await api(`/offerings/${id}${tail}`);
      expect(status).toBe(403);
      expect(json.errors[0].code).toBe("offering_forbidden");
    }
  });
});

describe("an unknown investment, or one of another offering, is a 404 (7)", () => {
  test.each([known.elsewhere, known.unknown, "not-a-uuid", "%zz", "..", known.aurora, "__proto__"])(
    "investment %s",
    async (id) => {
      const { api } = await openSandbox();
      for (const tail of ["", "/status", "/events"]) {
        const { status, json } = await api(`/investments/${id}${tail}`);
        expect(status).toBe(404);
        expect(json.errors[0].code).toBe("investment_not_found");
      }
    },
  );
});
