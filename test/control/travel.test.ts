import { rm } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { Snapshot } from "../../src/public/control.ts";
import { startSandbox } from "../../src/index.ts";
import { known, openSandbox } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";
import { writeFile } from "../support/write-fixture.ts";

const ownFixture = {
  name: "story",
  offerings: [{ alias: "kiln", name: "Kiln", investments: [{ alias: "first", amount: 500, price: 5 }] }],
};

const steps = [{ after: "1d", event: "PAYMENT APPROVED" }];

/** Returns 200 to a partner key of the same environment. */
const path = `/investments/${known.whole}`;

describe("environments from a fixture or a snapshot", () => {
  test("an environment opens over its own fixture: a document or a file", async () => {
    const sandbox = await openControl();
    const { name: _, ...unnamed } = ownFixture;
    const file = await writeFile("tale.json", JSON.stringify(unnamed));
    for (const [fixture, name] of [
      [ownFixture, "story"],
      [file, "tale"],
    ] as const) {
      const environment = await sandbox.openEnvironment({ fixture });
      const description = await environment.describe();
      expect(description).toMatchObject({ fixture: name, offerings: [{ name: "Kiln", investments: 1 }] });
      const list = await read(
        environment,
        `/offerings/${environment.offering.id}/investments`,
        environment.keys.partner,
      );
      expect(list.json.data[0].attributes).toMatchObject({ amount: 500, price: 5 });
    }
    const items = Array.from({ length: 5000 }, () => ({}));
    const refusals: [fixture: object | string, message: RegExp | string][] = [
      [{ offerings: [{ nmae: "Kiln" }] }, /^fixture: offerings\[0\] has no member "nmae"\. Did you mean "name"\?$/],
      [
        { offerings: [{ investments: items, generate: { investments: 1 } }] },
        "fixture: has or generates 5,001 investments; expected 5,000 at most.",
      ],
      [{ offerings: [...items, {}] }, "fixture: has 5,001 offerings; expected 1,000 at most."],
      [{ ...ownFixture, scenarios: ["closng"] }, /^There is no scenario "closng". Did you mean "closing"\?/],
      ["dmo", /^There is no fixture "dmo". Did you mean "demo"\? There are "known", loaded, demo/],
      ["./nowhere.json", /nowhere\.json cannot be read: .* Looked for \/.*These ship: /],
    ];
    for (const [fixture, message] of refusals) {
      await expect(sandbox.openEnvironment({ fixture } as object)).rejects.toThrow(message);
    }
  });

  test("a scenario is played by name, document or file, and its run has the scenario's name", async () => {
    const sandbox = await openControl();
    const file = await writeFile("mine.yaml", "steps:\n  - event: PAYMENT SUBMITTED\n");
    const runs = [
      await sandbox.play(file),
      await sandbox.play({ steps }),
      await sandbox.play({ name: "told", steps }),
      await sandbox.play("steps:\n  - event: PAYMENT SUBMITTED\n"),
    ];
    expect(runs.map(({ scenario }) => scenario)).toEqual(["mine", "inline", "told", "inline"]);
    const environment = await sandbox.openEnvironment({ scenarios: ["closing", file, { name: "told", steps }] });
    expect((await environment.runs.list()).map(({ scenario }) => scenario)).toEqual(["closing", "mine", "told"]);
    const longText = "x".repeat(100_000);
    await expect(sandbox.openEnvironment({ snapshot: longText })).rejects.toThrow(/^.{20,5000}$/s);
    await expect(sandbox.play("closng")).rejects.toThrow(/^There is no scenario "closng". Did you mean "closing"\?/);
    await expect(sandbox.play("nowhere.yaml")).rejects.toThrow(/Looked for \/.*nowhere\.yaml\. .*These ship: busy-day/);
  });

  test("a snapshot opens further environments in any process, each with its own keys", async () => {
    const sandbox = await openControl();
    await sandbox.investments.change(known.whole, { status: "CLOSED" });
    const issuedKey = await sandbox.keys.issue({ type: "marketing", offering_id: known.aurora, label: "late" });
    await sandbox.play("closing");
    await sandbox.clock.advance("1d");
    await sandbox.faults.add({ match: { path: "/nowhere" }, respond: { status: 503 } });
    const snapshot = JSON.parse(JSON.stringify(await sandbox.snapshot())) as Snapshot;
    const file = await writeFile("state.json", JSON.stringify(snapshot));
    const secondSandbox = await openControl({ fixture: "minimal" });
    const environments = [
      await sandbox.openEnvironment({ snapshot }),
      await sandbox.openEnvironment({ snapshot: file }),
      await secondSandbox.openEnvironment({ snapshot }),
    ];
    const descriptionBefore = await sandbox.describe();
    for (const environment of environments) {
      const { clock, fixture, offerings, runs, keys } = await environment.describe();
      expect({ clock, fixture, offerings, runs }).toEqual({
        clock: descriptionBefore.clock,
        fixture: descriptionBefore.fixture,
        offerings: descriptionBefore.offerings,
        runs: descriptionBefore.runs,
      });
      expect(await environment.timeline()).toMatchObject(
        (await sandbox.timeline()).map(({ date, kind }) => ({ date, kind })),
      );
      expect(await environment.requests.count()).toBe(0);
      for (const key of [environment.keys.partner, environment.keys.marketing]) {
        expect((await read(environment, path, key)).json.data.attributes.status).toBe("CLOSED");
      }
      expect(keys.map(({ label }) => label)).toContain("late");
      expect(
        keys.map(({ key }) => key).filter((key) => descriptionBefore.keys.some((theirs) => theirs.key === key)),
      ).toEqual([]);
      // A reset returns to the snapshot.
      await environment.investments.change(known.whole, { status: "PENDING" });
      await environment.clock.advance("9d");
      await environment.reset();
      expect(await environment.clock.get()).toEqual(descriptionBefore.clock);
      expect((await read(environment, path, environment.keys.partner)).json.data.attributes.status).toBe("CLOSED");
      // The run continues.
      await environment.clock.advance("9d");
      expect(await environment.runs.list()).toMatchObject([{ status: "finished" }]);
    }
    expect(new Set(environments.slice(0, 2).map(({ keys }) => keys.partner)).size).toBe(2);
    expect((await read(secondSandbox, path, issuedKey.key)).status).toBe(401);
  });

  test("an environment restores another's snapshot, but not its keys", async () => {
    const sandbox = await openControl();
    const snapshot = await sandbox.snapshot();
    await sandbox.investments.change(known.whole, { status: "CLOSED" });
    await sandbox.keys.revoke((await sandbox.keys.list())[0]?.id ?? "");
    await sandbox.limits.set(known.keys.borealis, 7);
    const closedSnapshot = await sandbox.snapshot();
    const environment = await sandbox.openEnvironment();
    const { partner } = environment.keys;
    const status = async (): Promise<string> => (await read(environment, path, partner)).json.data.attributes.status;
    for (const [restoredSnapshot, expected] of [
      [closedSnapshot, "CLOSED"],
      [snapshot, "PENDING"],
    ] as const) {
      await environment.restore(restoredSnapshot);
      expect((await environment.limits.list()).filter(({ used }) => used === 7)).toEqual([]);
      expect(await status()).toBe(expected);
    }
    await environment.restore(closedSnapshot);
    expect((await environment.keys.list())[0]).toMatchObject({ status: "revoked", environment: environment.id });
    await environment.reset();
    expect(await status()).toBe("PENDING");
    const ownSnapshot = await environment.snapshot();
    await environment.restore(ownSnapshot);
    expect((await read(sandbox, path, known.keys.partner)).status).toBe(200);
    const minimal = await sandbox.openEnvironment({ fixture: "minimal" });
    await expect(minimal.restore(closedSnapshot)).rejects.toThrow('this environment has "minimal"');
    const original = await sandbox.openEnvironment({ fixture: ownFixture });
    const changedStory = await sandbox.openEnvironment({ fixture: { ...ownFixture, offerings: [{}] } });
    await expect(changedStory.restore(await original.snapshot())).rejects.toThrow(
      /^The snapshot was made from the fixture "story" with seed 1; that of this environment has the same name and seed, but other content\. Open an environment from the snapshot/,
    );
  });
});

test("a file name sent over HTTP is not read from the sandbox's machine", async () => {
  const { sandbox } = await openSandbox();
  const file = await writeFile("mine.yaml", "steps:\n  - event: PAYMENT SUBMITTED\n");
  const post = async (callPath: string, body: object): Promise<string> => {
    const response = await fetch(sandbox.adminUrl + callPath, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return `${response.status} ${((await response.json()) as { detail: string }).detail}`;
  };
  for (const response of [
    await post("/environments", { fixture: file }),
    await post("/environments", { snapshot: file }),
    await post("/environments", { scenarios: [file] }),
    await post("/runs", { scenario: file }),
  ]) {
    expect(response).toMatch(/^400 .*The admin API reads no files/);
  }
});

test("a sandbox starts from a snapshot, with its fixture, keys and state", async () => {
  const { sandbox } = await openSandbox({ fixture: ownFixture, profile: "minimal", rateLimit: 7 });
  const { id } = await sandbox.investments.create({ amount: 50, price: 5 });
  await sandbox.clock.advance("1d");
  const snapshot = await sandbox.snapshot();
  await using restartedSandbox = await startSandbox({ snapshot });
  expect(await restartedSandbox.describe()).toEqual({
    ...(await sandbox.describe()),
    base_url: restartedSandbox.baseUrl,
    create_date: "2026-01-16T12:00:00.000Z",
  });
  expect((await read(restartedSandbox, `/investments/${id}`, sandbox.keys.partner)).status).toBe(200);
  const environment = await restartedSandbox.openEnvironment();
  expect((await environment.describe()).fixture).toBe("story");
  await expect(startSandbox({ snapshot, fixture: "demo" })).rejects.toThrow("A snapshot has its own fixture");
  await expect(startSandbox({ snapshot: { ...snapshot, seed: 3 } })).rejects.toThrow("edited or damaged");
});

test("a sandbox reads the file of its snapshot only at its start", async () => {
  const { sandbox } = await openSandbox({ fixture: ownFixture });
  const file = await writeFile("state.json", JSON.stringify(await sandbox.snapshot()));
  await using restartedSandbox = await startSandbox({ snapshot: file });
  await rm(file);
  const environment = await restartedSandbox.openEnvironment();
  expect((await environment.describe()).fixture).toBe("story");
});
