import { expect, test } from "vitest";
import { known, openSandbox } from "../support/sandbox.ts";

const path = `/investments/${known.whole}`;

test("a key is accepted until its revoke_date, and refused from then on", async () => {
  const { api, sandbox } = await openSandbox({ clock: "2026-01-09T23:59:59.999Z" });
  expect((await api(path, { key: known.keys.revoked })).status).toBe(200);
  await sandbox.clock.advance(1);
  expect((await api(path, { key: known.keys.revoked })).status).toBe(401);
  await sandbox.clock.set({ now: "2026-01-01T00:00:00.000Z" });
  expect((await api(path, { key: known.keys.revoked })).status).toBe(200);
});

test.each<[what: string, paths: string[], ids: string[], expected: [number, string]]>([
  [
    "another offering than the key's is refused with 403 (5.4)",
    ["/offerings/:id", "/offerings/:id/investments"],
    [known.borealis, known.unknown, "not-a-uuid", "%zz", "..", known.whole],
    [403, "offering_forbidden"],
  ],
  [
    "an unknown investment, or one of another offering, gets 404 (7)",
    ["/investments/:id", "/investments/:id/status", "/investments/:id/events"],
    [known.elsewhere, known.unknown, "not-a-uuid", "%zz", "..", known.aurora, "__proto__"],
    [404, "investment_not_found"],
  ],
])("%s", async (_, paths, ids, expected) => {
  const { api } = await openSandbox();
  for (const id of ids) {
    for (const template of paths) {
      const { status, json } = await api(template.replace(":id", id));
      expect([status, json.errors[0].code], `${template} of ${id}`).toEqual(expected);
    }
  }
});
