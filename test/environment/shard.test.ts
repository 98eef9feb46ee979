import { expect, test } from "vitest";
import type { Environment, LocalSandbox } from "../../src/control.ts";
import { newFile, restart, startWithDatabase } from "../storage/databases.ts";
import { known, openSandbox, send } from "../support/sandbox.ts";

const demo = { fixture: "demo", scenarios: [] } as const;
const json = { headers: { "content-type": "application/json" } };
const issuing = { investment: { amount: 100 }, steps: [{ key: { issue: { type: "partner" } } }] };

/** The secrets of an environment, two of them issued later, and of a second environment. */
async function secretsOf(sandbox: LocalSandbox): Promise<string[]> {
  const second = await sandbox.openEnvironment();
  for (const each of [sandbox, second]) {
    await each.keys.issue({ type: "marketing" });
    await each.play(issuing);
  }
  return (await Promise.all([sandbox, second].map(allSecrets))).flat();
}

async function allSecrets({ keys }: Pick<Environment, "keys">): Promise<string[]> {
  return (await keys.list()).filter(({ status }) => status === "active").map(({ key }) => key);
}

test("servers of different shards never issue the same secret, and each has its mark", async () => {
  const { sandbox: first } = await openSandbox({ ...demo, shard: "s1" });
  const { sandbox: second } = await openSandbox({ ...demo, shard: "2" });
  const { sandbox: unmarked } = await openSandbox(demo);
  const [ofFirst, ofSecond, others] = [await secretsOf(first), await secretsOf(second), await secretsOf(unmarked)];
  for (const secret of ofFirst) expect(secret).toMatch(/^sandbox_(marketing|partner)_s1_[\da-f]{32}$/);
  for (const secret of ofSecond) expect(secret).toMatch(/^sandbox_(marketing|partner)_2_[\da-f]{32}$/);
  for (const secret of others) expect(secret).toMatch(/^sandbox_(marketing|partner)_[\da-f]{32}$/);
  expect(new Set([...ofFirst, ...ofSecond, ...others]).size).toBe(3 * ofFirst.length);
  const digits = (secret: string): string => secret.slice(-32);
  expect(new Set([...ofFirst, ...ofSecond].map(digits)).size).toBeGreaterThan(ofFirst.length);
  expect((await first.environments()).map(({ id }) => id)).toEqual(["default", "s1-environment-1"]);
  const statuses = ofFirst.map(async (key) => {
    const path = `/api/v1/offerings/${first.offering.id}`;
    return [(await send(first.url, path, { key })).status, (await send(second.url, path, { key })).status];
  });
  for (const [own, other] of await Promise.all(statuses)) {
    expect(own).not.toBe(401);
    expect(other).toBe(401);
  }
});

test("a given id begins with the mark; a key that a fixture states stays as it is", async () => {
  const { sandbox, raw } = await openSandbox({ shard: "s1" });
  await expect(sandbox.openEnvironment({ id: "mine" })).rejects.toThrow(
    'id: this server has the shard "s1"; expected an id that begins with "s1-", such as "s1-mine".',
  );
  const refused = await raw("/__admin/environments", { method: "POST", key: null, ...json, body: '{"id":"s2-mine"}' });
  expect(refused.status).toBe(400);
  expect((await sandbox.openEnvironment({ id: "s1-mine" })).id).toBe("s1-mine");
  expect(await allSecrets(sandbox)).toContain(known.keys.partner);
});

test("a token of another shard is for other calls; of this shard, it must be valid", async () => {
  const tokens = { adminToken: "the-admin-token-of-all", openToken: "the-token-to-open-with" };
  const [first, second] = [
    await openSandbox({ shard: "s1", ...tokens }),
    await openSandbox({ shard: "s2", ...tokens }),
  ];
  const { id, adminToken = "", viewLink = "" } = await first.sandbox.openEnvironment();
  const view = /#token=([^&]+)/.exec(viewLink)?.[1] ?? "";
  for (const key of [adminToken, view])
    for (const path of ["/clock", `/environments/${id}/clock`, "/environments/s2-mine/clock", "/environments"]) {
      const answer = await second.raw(`/__admin${path}`, { key });
      expect(answer).toMatchObject({ status: 403, json: { code: "admin_token_insufficient" } });
    }
  const gone = await second.raw("/__admin/clock", { key: adminToken.replace("s1-", "s2-") });
  expect(gone).toMatchObject({ status: 401, json: { code: "admin_token_required" } });
});

test("a snapshot gets keys with the mark of the server that opens it", async () => {
  const { sandbox: first } = await openSandbox({ ...demo, shard: "s1" });
  const { sandbox: second } = await openSandbox({ ...demo, shard: "s2" });
  await first.keys.issue({ type: "marketing" });
  const before = await allSecrets(first);
  const snapshot = await first.snapshot();
  await first.restore(snapshot);
  expect(await allSecrets(first)).toEqual(before);
  await second.restore(snapshot);
  const opened = await second.openEnvironment({ snapshot });
  const marked = [...(await allSecrets(second)), ...(await allSecrets(opened))];
  expect(marked).toHaveLength(2 * before.length);
  for (const secret of marked) expect(secret).toMatch(/_s2_/);
  expect(new Set(marked).size).toBe(marked.length);
});

test("a restart keeps the keys, and needs the same shard", async () => {
  const file = newFile();
  const options = { ...demo, shard: "s1", clock: "now" } as const;
  const before = await startWithDatabase(file, options);
  const environment = await before.openEnvironment();
  await environment.keys.issue({ type: "partner" });
  const secrets = [await allSecrets(before), await allSecrets(environment)];
  const after = await restart(before, file, options);
  const again = await after.environment(environment.id);
  expect([await allSecrets(after), await allSecrets(again)]).toEqual(secrets);
  await after.close();
  for (const shard of ["s2", undefined]) {
    await expect(startWithDatabase(file, { ...options, shard })).rejects.toThrow(
      'keeps what cannot be opened: the environment "default" was opened with --shard s1; start with --shard s1.',
    );
  }
});
