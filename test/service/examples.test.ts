import { expect, test } from "vitest";
import { known, openSandbox } from "../support/sandbox.ts";
import { writeFixture } from "../support/write-fixture.ts";

test("the examples have a call for each kind of response, and each call gets that response", async () => {
  const { sandbox, raw } = await openSandbox({ rateLimit: 120 });
  const examples = await sandbox.examples();
  const investmentPath = `/investments/${known.closed}`;
  const { partner, marketing, revoked, atLimit } = known.keys;
  expect(examples.map(({ status, path, key }) => [status, path, key])).toEqual([
    [200, investmentPath, partner],
    [200, investmentPath, marketing],
    [200, `${investmentPath}/events`, partner],
    [200, `/offerings/${known.aurora}/investments?size=5`, partner],
    [401, investmentPath, revoked],
    [403, `/offerings/${known.borealis}`, partner],
    [404, "/investments/00000000-0000-0000-0000-000000000000", partner],
    [429, investmentPath, atLimit],
  ]);
  for (const { status, path, key, title, curl } of examples) {
    expect([title, (await raw(`/api/v1${path}`, { key })).status]).toEqual([title, status]);
    expect(curl).toContain(key);
    expect(curl).toContain(path);
  }
  const environment = await sandbox.openEnvironment();
  const [first] = await environment.examples();
  expect(first?.curl).toBe(
    `curl -i -w "\\n" -H "Authorization: Bearer ${environment.keys.partner}" ${environment.baseUrl}${investmentPath}`,
  );
  const unlimited = await (await openSandbox({ rateLimit: 0 })).sandbox.examples();
  expect(unlimited.map(({ status }) => status)).not.toContain(429);
});

test("the examples use the first offering with investments, and its last investment if none is closed", async () => {
  const fixture = await writeFixture({
    offerings: [{ alias: "none" }, { alias: "some", investments: [{ status: "PENDING" }, { status: "PENDING" }] }],
    keys: ["none", "some"].map((offering) => ({ type: "partner", key: `sandbox_partner_${offering}`, offering })),
  });
  const { sandbox, raw } = await openSandbox({ fixture });
  const [emptyOffering, fullOffering] = sandbox.offerings;
  const key = "sandbox_partner_some";
  const { json } = await raw(`/api/v1/offerings/${fullOffering?.id}/investments`, { key });
  const investmentPath = `/investments/${json.data[1].id}`;
  expect((await sandbox.examples()).map(({ status, path, key: usedKey }) => [status, path, usedKey])).toEqual([
    [200, investmentPath, key],
    [200, `${investmentPath}/events`, key],
    [200, `/offerings/${fullOffering?.id}/investments?size=5`, key],
    [403, `/offerings/${emptyOffering?.id}`, key],
    [404, "/investments/00000000-0000-0000-0000-000000000000", key],
  ]);
});

test("without investments, the examples use the offering", async () => {
  const key = "sandbox_marketing_only";
  const fixture = await writeFixture({
    offerings: [{ alias: "only" }],
    keys: [{ type: "marketing", key, offering: "only" }],
  });
  const { sandbox } = await openSandbox({ fixture });
  const offering = sandbox.offerings[0]?.id;
  expect((await sandbox.examples()).map(({ status, path, key: usedKey }) => [status, path, usedKey])).toEqual([
    [200, `/offerings/${offering}/investments?size=5`, key],
    [404, "/investments/00000000-0000-0000-0000-000000000000", key],
  ]);
});
