import { expect, test } from "vitest";
import { openSandbox } from "../support/sandbox.ts";
import { read } from "../support/sandboxes.ts";

test("a snapshot of the demo with 300 requests has at most 400 KB, and is replayed whole", async () => {
  const { sandbox: server } = await openSandbox({ fixture: "demo" });
  const sandbox = await server.openEnvironment();
  const { marketing, partner } = sandbox.keys;
  const listPath = `/offerings/${sandbox.offering.id}/investments`;
  const { json } = await read(sandbox, `${listPath}?size=100`, partner);
  const ids = (json.data as { id: string }[]).map(({ id }) => id);
  await sandbox.play("closing");
  for (let number = 1; number < 300; number++) {
    const id = ids[number % ids.length];
    const paths = [`/investments/${id}`, `${listPath}?page=${number}&size=7`, `/investments/${id}/status`, "/nowhere"];
    await read(sandbox, paths[number % 4] ?? "", number % 5 === 0 ? marketing : partner);
    if (number % 20 === 0) await sandbox.clock.advance("3h");
    if (number % 50 === 0) await sandbox.investments.change(id ?? "", { amount: number });
  }
  const snapshot = await sandbox.snapshot();
  expect(JSON.stringify(snapshot, null, 1).length).toBeLessThan(400_000);
  expect(await sandbox.replay(snapshot)).toMatchObject({ same: 300, different: 0, skipped: 0 });
});

test("a snapshot of an environment has nothing of the fixture of another environment", async () => {
  const fixture = {
    offerings: [{ alias: "marked", name: "Zyxomma", investments: [{ investors: [{ first_name: "Zyxomma" }] }] }],
  };
  const { sandbox } = await openSandbox({ fixture });
  const environment = await sandbox.openEnvironment();
  const demo = await sandbox.openEnvironment({ fixture: "demo" });
  await read(environment, `/offerings/${environment.offering.id}`, environment.keys.partner);
  await read(demo, `/offerings/${demo.offering.id}`, demo.keys.partner);
  await read(demo, `/offerings/${environment.offering.id}/investments`, demo.keys.partner);
  expect(JSON.stringify(await environment.snapshot())).toContain("Zyxomma");
  expect(JSON.stringify(await demo.snapshot())).not.toMatch(/zyxomma|marked/i);
});
