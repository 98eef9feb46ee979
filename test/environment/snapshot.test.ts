import { beforeAll, describe, expect, test } from "vitest";
import type { WholeContent } from "../../src/environment/environment-content.ts";
import { Environment } from "../../src/environment/environment.ts";
import { adopt, checksumOf, readSnapshot, snapshotOf } from "../../src/environment/snapshot.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { keyOf, offeringIds, present, record, setupOf, smallDataset } from "../support/small-dataset.ts";

const dataset = smallDataset(1);
const setup = { ...setupOf(dataset), keys: [keyOf(0)], journalCapacity: 2 };

/** Plain data of any type. */
// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

const scenario: Scenario = {
  name: "tried",
  description: "",
  offering: null,
  investment: {},
  repeat: { count: 2, every: 1000, jitter: 0 },
  steps: [
    {
      trigger: { kind: "after", by: 0 },
      effects: [{ kind: "event", event: "PROFILE", action: "SUBMITTED", description: null }],
    },
    { trigger: { kind: "after", by: 5000 }, effects: [{ kind: "investment", attributes: { status: "CLOSED" } }] },
  ],
};

let environment: Environment;
let content: WholeContent;

beforeAll(async () => {
  environment = new Environment(setup);
  const { runs } = environment.stores;
  await runs.prepare();
  for (let nth = 0; nth < 2; nth++) runs.play(scenario, {});
  environment.record([
    { kind: "new_key", date: present, key: keyOf(1) },
    { kind: "offering", date: present, offering_id: offeringIds[0], attributes: { name: "X" } },
  ]);
  for (const path of ["/1", "/2", "/3"]) record(environment.newEntry({ connection: {}, idle: 0, turn: 0 }), path);
  environment.read();
  content = { ...environment.content(), ...environment.traffic() };
});

const last = (body: Loose): Loose => body.changes.at(-1);

const unordered: Readonly<Record<string, (body: Loose) => unknown>> = {
  "a change before the one before it": (body) => (last(body).date = "2026-01-14T12:00:00.000Z"),
  "a sequence before the one before it": ({ changes }) =>
    ([changes[0].sequence, changes[1].sequence] = [changes[1].sequence, changes[0].sequence]),
  "a change twice": ({ changes }) => changes.push(structuredClone(changes.at(-1))),
};

describe("a content is not restored with", () => {
  test.each(Object.entries(unordered))("%s", (_, change) => {
    const body: Loose = structuredClone(content);
    change(body);
    const restored = new Environment(setup);
    expect(() => restored.restore(body)).toThrow(/^changes\[\d+\] is before the change before it; expected an order/);
    expect(restored.content().changes).toEqual([]);
  });
});

describe("a snapshot", () => {
  const read = async (snapshot: Loose) => adopt(await readSnapshot(snapshot), setup);
  const forge = (change: (body: Loose) => unknown): Loose => {
    const { checksum: _, ...body } = JSON.parse(JSON.stringify(snapshotOf(environment)));
    change(body);
    return { ...body, checksum: checksumOf(body) };
  };

  test("is restored whatever the order of its members", async () => {
    const snapshot = snapshotOf(environment) as Loose;
    const turned = Object.fromEntries(Object.entries(snapshot).toReversed()) as Loose;
    for (const document of [snapshot, turned]) {
      const { changes, runs } = await read(document);
      expect({ changes, runs }).toEqual({ changes: content.changes, runs: content.runs });
    }
    const restored = new Environment(setup);
    restored.restore(await read(snapshot));
    expect(snapshotOf(restored)).toEqual(snapshotOf(environment));
  });

  const refusals: Readonly<Record<string, readonly [snapshot: () => unknown, code: string, words: RegExp]>> = {
    "that is another document": [() => ({ self: 1 }), "invalid", /format is missing; expected "offering-sandbox-env/],
    "that is nothing": [() => undefined, "invalid", /the snapshot is missing; expected an object/],
    "that was edited": [
      () => ({ ...snapshotOf(environment), answers: 7 }),
      "invalid",
      /expected one that nobody edited/,
    ],
    "of another format": [() => forge((body) => (body.format = "x")), "invalid", /format/],
    "of another version": [() => forge((body) => (body.version = 1)), "invalid", /version is 1; expected 2/],
    "of another fixture": [
      () => forge((body) => (body.fixture = "x")),
      "conflict",
      /fixture "x" with seed 1; .*"small" with seed 1/,
    ],
    "of another seed": [() => forge((body) => (body.seed = 5)), "conflict", /with seed 5; .* with seed 1/],
    "with a member too few": [() => forge((body) => delete body.creations), "invalid", /creations is missing/],
    "with an unknown assumption": [() => forge((body) => (body.assumptions = { x: 1 })), "invalid", /x/],
  };
  test.each(Object.entries(refusals))("%s is refused", async (_, [snapshot, code, message]) => {
    const error = await read(snapshot() as Loose).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringMatching(message) });
    if (code === "conflict") expect(error).toMatchObject({ code });
  });
});
