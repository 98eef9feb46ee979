import { expect, onTestFinished, test } from "vitest";
import { variedRows } from "../../src/assumptions/vary.ts";
import { connectSandbox, type EnvironmentOptions, type LocalSandbox, startSandbox } from "../../src/index.ts";
import { openSandbox } from "../support/sandbox.ts";

const seed = "7f3a91c2";

async function start(options: Parameters<typeof startSandbox>[0] = {}): Promise<LocalSandbox> {
  const sandbox = await startSandbox({ config: false, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function variedIn(
  sandbox: LocalSandbox,
  options: EnvironmentOptions = {},
): Promise<Record<string, string | number>> {
  const environment = await sandbox.openEnvironment(options);
  const rows = await environment.assumptions.list();
  return Object.fromEntries(rows.flatMap(({ id, source, value }) => (source === "varied" ? [[id, value]] : [])));
}

test("an environment draws about half of the rows from its seed and label, the same each time", async () => {
  const sandbox = await start();
  expect(await variedIn(sandbox)).toEqual({});
  const varied = await variedIn(sandbox, { varySeed: seed, label: "a" });
  expect(Object.keys(varied).length).toBeGreaterThan(8);
  expect(await variedIn(await start(), { varySeed: seed, label: "a" })).toEqual(varied);
  expect(await variedIn(sandbox, { varySeed: seed, label: "b" })).not.toEqual(varied);
  expect(await variedIn(sandbox, { varySeed: seed })).toEqual(await variedIn(await start({ varySeed: seed })));
});

test("every row and value varies, those that break whole suites only by name", async () => {
  const sandbox = await start();
  const seen = new Set<string>();
  for (let at = 0; at < 200; at++) {
    const varied = await variedIn(sandbox, { varySeed: at.toString(16).padStart(8, "0") });
    for (const [id, value] of Object.entries(varied)) seen.add(`${id}=${value}`);
    if (at % 50 === 49)
      for (const { id } of (await sandbox.environments()).filter((one) => one.id !== "default"))
        await (await sandbox.environment(id)).close();
  }
  const own = new Map((await sandbox.assumptions.list()).map(({ id, value }) => [id, value]));
  for (const { id, values, byName } of variedRows)
    for (const value of values)
      expect([`${id}=${value}`, seen.has(`${id}=${value}`)]).toEqual([
        `${id}=${value}`,
        !byName && value !== own.get(id),
      ]);
});

test("what is set or calibrated stays, and rows by name alone vary", async () => {
  const assumptions = { "list.order": "id", "errors.body": "message" };
  const calibrated = { date: "2026-11-22", host: "demo.example.com", confidence: { "errors.body": "high" } } as const;
  const sandbox = await start({ varySeed: seed, assumptions, calibrated });
  for (const label of ["a", "b", "c", "d", "e", "f"]) {
    const varied = await variedIn(sandbox, { label, assumptions: { "list.first_page": "1" } });
    for (const id of ["list.order", "errors.body", "list.first_page", "cors"]) expect(varied).not.toHaveProperty([id]);
    const named = await variedIn(sandbox, { label, varyRows: ["cors"] });
    expect([{}, { cors: "no" }]).toContainEqual(named);
  }
});

test("the description has the seed in full, and the header marks drawn values", async () => {
  const { sandbox, raw } = await openSandbox({
    varySeed: seed,
    varyRows: ["transport.form", "content_type", "errors.body"],
  });
  const { vary_seed } = await sandbox.describe();
  expect(vary_seed).toMatch(/^7f3a91c2\.[\da-z]{2}$/);
  const varied = (await sandbox.assumptions.list()).filter(({ source }) => source === "varied").map(({ id }) => id);
  const header = (await raw("/api/v1/nowhere")).headers["sandbox-assumptions"]?.split(", ") ?? [];
  expect(header.filter((text) => text.endsWith(";varied")).map((text) => text.split(";")[0])).toEqual(
    varied.toSorted(),
  );
  const remote = await connectSandbox(sandbox.url);
  expect((await (await remote.openEnvironment({ varySeed: vary_seed ?? "" })).describe()).vary_seed).toBe(vary_seed);
  expect((await (await start()).describe()).vary_seed).toBeNull();
});

test("a snapshot keeps drawn values, and draws none", async () => {
  const sandbox = await start();
  const environment = await sandbox.openEnvironment({ varySeed: seed });
  const before = await environment.assumptions.list();
  const again = await (
    await start({ varySeed: "00000001" })
  ).openEnvironment({ snapshot: await environment.snapshot() });
  expect(await again.assumptions.list()).toEqual(before);
  await environment.reset();
  expect(await environment.assumptions.list()).toEqual(before);
});

test("wrong seeds and rows are refused in one sentence", async () => {
  const sandbox = await start();
  const refusals: [EnvironmentOptions, RegExp][] = [
    [{ varySeed: "x" }, /^varySeed: expected a seed such as "7f3a91c2", not "x"\.$/],
    [
      { varySeed: "7f3a91c2.zz" },
      /^varySeed: The seed 7f3a91c2.zz is of a version with other assumptions: use the one that printed it. Seeds of \S+ end in \.[\da-z]{2}\.$/,
    ],
    [{ varyRows: ["list.ordr"] }, /There is no assumption "list.ordr". Did you mean "list.order"\?$/],
    [{ varyRows: ["money.currency"] }, /money.currency cannot vary: it has one value\.$/],
  ];
  for (const [options, message] of refusals) {
    await expect(sandbox.openEnvironment(options)).rejects.toThrow(message);
    await expect(startSandbox({ config: false, ...options })).rejects.toThrow(message);
  }
  const both = { varyRows: ["list.order"], assumptions: { "list.order": "id" } };
  await expect(startSandbox({ config: false, ...both })).rejects.toThrow(
    "list.order is set and in varyRows: leave out one of the two.",
  );
  await expect(sandbox.openEnvironment(both)).rejects.toThrow("list.order is set and in varyRows");
});
