import { beforeAll, describe, expect, test } from "vitest";
import { contradictions } from "../../src/environment/contradictions.ts";
import type { WholeContent } from "../../src/environment/environment-content.ts";
import { Environment } from "../../src/environment/environment.ts";
import { checksumOf, readSnapshot, snapshotOf } from "../../src/environment/snapshot.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { keyOf, offeringIds, present, recorded, setupOf, smallDataset, uuid } from "../support/small-dataset.ts";

const dataset = smallDataset(1);
const setup = { ...setupOf(dataset), keys: [keyOf(0)], journalCapacity: 2 };

/** Any plain data: what a forger changes, of whatever type. */
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
  for (let played = 0; played < 2; played++) runs.play(scenario, {});
  environment.record([
    { kind: "new_key", date: present, key: keyOf(1) },
    { kind: "offering", date: present, offering_id: offeringIds[0], attributes: { name: "X" } },
  ]);
  for (const path of ["/1", "/2", "/3"]) environment.journal(recorded(path));
  environment.read();
  content = { ...environment.content(), ...environment.traffic() };
});

/** The contradictions of a content that was changed. */
function found(change: (body: Loose) => unknown): string[] {
  const body: Loose = JSON.parse(JSON.stringify(content));
  change(body);
  return [...contradictions(body, setup)];
}

const last = (body: Loose): Loose => body.changes.at(-1);
const keyChange = (body: Loose): Loose => body.changes.find((change: Loose) => change.kind === "new_key");

const contradicting: Readonly<Record<string, readonly [change: (body: Loose) => unknown, found: readonly unknown[]]>> =
  {
    "as it is": [() => {}, []],
    "without a journal": [(body) => delete body.journal, []],
    "with the first change of the sequence 0": [(body) => (body.changes.length = 1), []],
    "with a stopped step, and none yet": [(body) => (body.runs[0].tracks[0].dues = [null]), []],
    "with all tracks and dates that there may be": [
      ({ runs: [run] }) => (run.tracks = [run.tracks[0], { ...run.tracks[0], dues: [] }]),
      [],
    ],
    "a run of another id": [
      (body) => body.runs.push({ ...body.runs[0], id: "run-9" }),
      ["runs[2].id is run-9; expected run-3."],
    ],
    "a run on no offering": [
      (body) => (body.runs[1].offering_id = uuid(1, 9)),
      [/runs\[1\] is on an offering that is not/],
    ],
    "too many tracks": [
      ({ runs: [run] }) => run.tracks.push(run.tracks[0], run.tracks[0]),
      ["runs[0] has more tracks than repetitions."],
    ],
    "too many tracks of one that plays once": [
      ({ runs: [run] }) => {
        run.scenario.repeat = null;
        run.tracks.push(run.tracks[0]);
      },
      ["runs[0] has more tracks than repetitions."],
    ],
    "too many dates in one track of two": [
      ({ runs: [run] }) => run.tracks.push({ ...run.tracks[0], dues: [present, present, present] }),
      ["runs[0] has more dates than steps."],
    ],
    "dates before the start": [
      ({ runs: [run] }) => (run.tracks[0].dues[0] = "2026-01-14T12:00:00.000Z"),
      ["runs[0] has steps that are not in the order of their dates."],
    ],
    "dates that go back after a stopped step": [
      ({ runs: [run] }) => {
        run.scenario.steps.push(run.scenario.steps[0]);
        run.tracks[0].dues = ["2026-01-16T12:00:00.000Z", null, present];
      },
      ["runs[0] has steps that are not in the order of their dates."],
    ],
    "a change before the one before it": [
      (body) => (last(body).date = "2026-01-14T12:00:00.000Z"),
      [/^changes\[\d+\] is before the change before it\.$/],
    ],
    "a sequence before the one before it": [
      ({ changes }) => ([changes[0].sequence, changes[1].sequence] = [changes[1].sequence, changes[0].sequence]),
      ["changes[1] is before the change before it."],
    ],
    "a sequence of another change": [
      (body) => Object.assign(last(body), { date: "2027-01-01T00:00:00.000Z", sequence: body.changes[0].sequence }),
      [/^changes\[\d+\]\.sequence is that of another change\.$/],
    ],
    "a sequence that was not issued": [
      (body) => (body.issued = Math.max(...body.changes.map((change: Loose) => change.sequence))),
      [/^changes\[\d+\]\.sequence is \d+; expected one below issued, \d+\.$/],
    ],
    "a step beyond the last": [
      (body) => (last(body).origin = { run: "run-1", step: 2 }),
      [/origin is no step of a run/],
    ],
    "a step of no run": [(body) => (last(body).origin = { run: "run-3", step: 0 }), [/origin is no step of a run/]],
    "the secret of a key from the beginning": [
      (body) => (keyChange(body).key.key = keyOf(0).key),
      [`the key ${uuid(8, 1)} has the secret of another key.`],
    ],
    "fewer creations": [(body) => (body.creations = 0), ["creations is 0; expected 1 at least."]],
    "a journal of more entries": [
      (body) => body.journal.data.push(body.journal.data[0]),
      ["journal.data has more than 2 entries."],
    ],
  };

describe("the contradictions of a content", () => {
  test.each(Object.entries(contradicting))("%s", (_, [change, expected]) => {
    const messages = found(change);
    expect(messages).toHaveLength(expected.length);
    for (const [index, one] of expected.entries()) {
      expect(messages[index]).toEqual(one instanceof RegExp ? expect.stringMatching(one) : one);
    }
  });
});

test("two issued keys with one secret contradict each other", () => {
  const secrets = found(({ changes, ...body }) => {
    const key = keyChange({ changes });
    changes.push({ ...structuredClone(key), date: "2027-01-01T00:00:00.000Z", sequence: 90 });
    body.issued = 91;
  });
  expect(secrets.filter((message) => /secret/.test(message))).toHaveLength(1);
});

describe("a snapshot", () => {
  const forge = (change: (body: Loose) => unknown): Loose => {
    const { checksum: _, ...body } = JSON.parse(JSON.stringify(snapshotOf(environment)));
    change(body);
    return { ...body, checksum: checksumOf(body) };
  };

  test("is read as it was made, whatever the order of its members", async () => {
    const snapshot = snapshotOf(environment) as Loose;
    const turned = Object.fromEntries(Object.entries(snapshot).toReversed()) as Loose;
    for (const given of [snapshot, turned]) {
      const { changes, runs } = await readSnapshot(given, environment);
      expect({ changes, runs }).toEqual({ changes: content.changes, runs: content.runs });
    }
    const old = await readSnapshot(
      forge((body) => delete body.creations),
      environment,
    );
    expect(old.creations).toBe(content.issued);
    const restored = new Environment(setup);
    restored.restore(await readSnapshot(snapshot, environment));
    expect(snapshotOf(restored)).toEqual(snapshotOf(environment));
  });

  const refused: Readonly<Record<string, readonly [snapshot: () => unknown, code: string, words: RegExp]>> = {
    "that is another document": [() => ({ self: 1 }), "invalid", /format is missing; expected "offering-sandbox-env/],
    "that is nothing": [() => undefined, "invalid", /the snapshot is missing; expected an object/],
    "that was edited": [
      () => ({ ...snapshotOf(environment), answers: 7 }),
      "invalid",
      /expected one that nobody edited/,
    ],
    "of another format": [() => forge((body) => (body.format = "x")), "invalid", /format/],
    "of another version": [() => forge((body) => (body.version = 2)), "invalid", /version/],
    "of another fixture": [
      () => forge((body) => (body.fixture = "x")),
      "conflict",
      /fixture "x" with seed 1; .*"small" with 1/,
    ],
    "of another seed": [() => forge((body) => (body.seed = 5)), "conflict", /with seed 5; .* with 1/],
    "that contradicts itself": [
      () => forge((body) => (body.issued = 0)),
      "invalid",
      /contradicts itself: changes\[0\]/,
    ],
    "with an unknown assumption": [() => forge((body) => (body.assumptions = { x: 1 })), "invalid", /x/],
  };
  test.each(Object.entries(refused))("%s is refused", async (_, [snapshot, code, message]) => {
    const error = await readSnapshot(snapshot() as Loose, environment).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringMatching(message) });
    if (code === "conflict") expect(error).toMatchObject({ code });
  });
});
