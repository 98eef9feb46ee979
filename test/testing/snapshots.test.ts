import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Snapshot } from "../../src/public/control.ts";
import { openSandbox } from "../support/sandbox.ts";
import { read } from "../support/sandboxes.ts";

const folder = new URL(".", import.meta.url);

test.each(readdirSync(folder).filter((file) => file.endsWith(".json")))(
  "%s, of an earlier build, gets the same responses from this build",
  async (file) => {
    const { sandbox } = await openSandbox({ fixture: "empty" });
    const snapshot = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Snapshot;
    const { same, entries } = await sandbox.replay(snapshot);
    expect(entries.filter(({ result }) => result !== "same")).toEqual([]);
    expect(same).toBeGreaterThan(10);
  },
);

/** States little, so that the rest is completed: a later build must complete it in the same way. */
const fixture = {
  name: "first",
  now: "2026-01-15T12:00:00.000Z",
  seed: 24,
  offerings: [
    {
      alias: "kiln",
      investments: [{ alias: "one" }, { alias: "done", status: "CLOSED" }, { alias: "signing", step: "SIGNERS" }],
      generate: { investments: 12 },
    },
    { alias: "loom", investments: [{ investors: [{ first_name: "Ada" }], payments: [{}] }] },
  ],
};

// After a change on purpose: MAKE_SNAPSHOT=1 npx vitest run --project fast test/testing && npx oxfmt test/testing
test.runIf(process.env["MAKE_SNAPSHOT"])("the first snapshot is made again", async () => {
  const { sandbox } = await openSandbox({ fixture, rateLimit: 120 });
  const { keys, investments, clock, offerings, assumptions, limits } = sandbox;
  const [kiln = { id: "" }, loom = { id: "" }] = offerings;
  const [pending, done] = [await investments.get("one"), await investments.get("done")];
  const readAll = async (key: string): Promise<void> => {
    await read(sandbox, `/offerings/${kiln.id}`, key);
    await read(sandbox, `/offerings/${kiln.id}/investments?size=5&page=2`, key);
    for (const { id } of [pending, done]) await read(sandbox, `/investments/${id}`, key);
    for (const part of ["status", "events"]) await read(sandbox, `/investments/${pending.id}/${part}`, key);
  };
  await readAll(keys.partner);
  await readAll(keys.marketing);
  const run = await sandbox.play("closing", { investment_id: pending.id });
  await clock.advance("1d");
  await readAll(keys.partner);
  await investments.change(pending.id, { amount: 1000 });
  await clock.advance("1d");
  await assumptions.set({ "list.order": "id", "errors.body": "message" });
  await readAll(keys.marketing);
  await read(sandbox, `/offerings/${loom.id}/investments`, keys.partner);
  await read(sandbox, "/nowhere", keys.partner);
  await read(sandbox, `/offerings/${kiln.id}/investments?size=0`, keys.partner);
  await read(sandbox, `/investments/${pending.id}`, "sandbox_partner_unknown");
  await limits.set(keys.partner, 120);
  await read(sandbox, `/investments/${run.investment_ids[0]}`, keys.partner);
  await keys.revoke(keys.marketing);
  await read(sandbox, `/investments/${pending.id}`, keys.marketing);
  writeFileSync(new URL("first.json", folder), JSON.stringify(await sandbox.snapshot(), null, 2));
});
