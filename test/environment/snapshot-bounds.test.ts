import { expect, test } from "vitest";
import type { Snapshot } from "../../src/public/control.ts";
import { checksumOf } from "../support/checksum.ts";
import { stopMachineTime } from "../support/machine-time.ts";
import { known, openSandbox, type TestSandbox } from "../support/sandbox.ts";

/** Plain data of any type. */
// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

const date = "2026-01-15T12:00:00.000Z";

function seal(snapshot: Loose): Snapshot {
  const body = { ...snapshot };
  delete body.checksum;
  return { ...body, checksum: checksumOf(body) };
}

function withContent(snapshot: Loose, changes: object): Loose {
  return { ...snapshot, content: { ...snapshot.content, ...changes } };
}

/** Opens a sandbox, and takes a snapshot with a run and a request. */
async function openWithSnapshot(): Promise<TestSandbox & { readonly snapshot: Loose }> {
  const opened = await openSandbox({ rateLimit: 100 });
  await opened.sandbox.play({ steps: [{ event: "PAYMENT APPROVED" }] }, { investment_id: known.whole });
  await opened.api(`/investments/${known.whole}`);
  const { fixture_document: _, ...snapshot } = await opened.sandbox.snapshot();
  return { ...opened, snapshot };
}

const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);
const names = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, 1]));

/** One more than each list and record may have. */
const excesses: Readonly<Record<string, readonly [change: (body: Loose) => unknown, words: RegExp]>> = {
  members: [(body) => Object.assign(body, names(200)), /edited or damaged/],
  "members of the content": [
    (body) => Object.assign(body.content, names(200)),
    /^content needs an object of at most 100 members/,
  ],
  "members of the traffic": [
    (body) => Object.assign(body.traffic, names(200)),
    /^traffic needs an object of at most 100 members/,
  ],
  limits: [
    (body) => (body.traffic.limits = times(100_001, {})),
    /^traffic\.limits is a list; expected at most 100000 keys/,
  ],
  "requests of a key": [
    (body) => (body.traffic.limits[0].requests = times(60_003, { ago: 0, count: 1 })),
    /^traffic\.limits\[0\]\.requests is a list; expected at most 60002 moments/,
  ],
  assumptions: [
    (body) => (body.content.assumptions = names(101)),
    /^content\.assumptions needs an object of at most 100 members/,
  ],
  runs: [(body) => (body.content.runs = times(5_001, {})), /^content\.runs is a list; expected at most 5000 runs/],
  repetitions: [
    (body) => (body.content.runs[0].repetitions = times(20_001, {})),
    /^content\.runs\[0\]\.repetitions is a list; expected at most 20000 repetitions/,
  ],
  step_dates: [
    (body) => (body.content.runs[0].repetitions[0].step_dates = times(1001, null)),
    /\.step_dates is a list; expected at most 1000 dates/,
  ],
  "payments of a repetition": [
    (body) => (body.content.runs[0].repetitions[0].payments = names(1001)),
    /\.payments needs an object of at most 1000 members/,
  ],
  "uses of faults": [
    (body) => (body.content.fault_uses = names(50_001)),
    /^content\.fault_uses needs an object of at most 50000 members/,
  ],
  "matches of faults": [
    (body) => (body.content.fault_matches = names(50_001)),
    /^content\.fault_matches needs an object of at most/,
  ],
  "members of a part": [
    (body) => {
      const { offering_id, id } = { offering_id: known.aurora, id: known.unknown };
      const parts = { investors: [names(101)], signing_parties: [], payments: [], events: [] };
      body.content.changes = [{ kind: "new_investment", date, sequence: 0, investment: { id, offering_id, ...parts } }];
    },
    /changes\[0\]\.investment\.investors\[0\] needs an object of at most 100 members/,
  ],
  "parts of an investment": [
    (body) => {
      const parts = { investors: [], signing_parties: [], payments: times(2001, {}), events: [] };
      body.content.changes = [{ kind: "new_investment", date, sequence: 0, investment: parts }];
    },
    /changes\[0\]\.investment\.payments is a list; expected at most 2000 items/,
  ],
  "requests of the journal": [
    (body) => (body.traffic.journal.data = times(1001, {})),
    /^traffic\.journal\.data is a list; expected at most 1000 requests/,
  ],
  "members of a request": [
    (body) => Object.assign(body.traffic.journal.data[0], names(2000)),
    /^traffic\.journal\.data\[0\] needs an object of at most 100 members/,
  ],
  "hints of a request": [
    (body) => (body.traffic.journal.data[0].hints = times(10_001, "")),
    /^traffic\.journal\.data\[0\]\.hints is a list; expected at most 10000 hints/,
  ],
  "changes of assumptions": [
    (body) => (body.traffic.journal.assumed = times(1002, {})),
    /^traffic\.journal\.assumed is a list; expected at most 1001 changes of assumptions/,
  ],
  "changed assumptions": [
    (body) => (body.traffic.journal.assumed = [{ last: 1, values: names(101) }]),
    /^traffic\.journal\.assumed\[0\]\.values needs an object of at most 100 members/,
  ],
};

test("each list and record of a snapshot is counted before it is read", async () => {
  const { sandbox, snapshot } = await openWithSnapshot();
  await sandbox.restore(seal(snapshot));
  for (const [name, [change, message]] of Object.entries(excesses)) {
    const forged = structuredClone(snapshot);
    change(forged);
    await expect(sandbox.restore(seal(forged)), name).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(message),
    });
  }
});

test("a refusal names the first wrong item of a list, not each of a million", async () => {
  const { sandbox, snapshot } = await openWithSnapshot();
  await expect(sandbox.restore(seal(withContent(snapshot, { changes: times(100_000, null) })))).rejects.toThrow(
    /^content\.changes\[0\] is null; expected an object\.$/,
  );
});

test.each([
  ["PUT", "/__admin/snapshot", (snapshot: object) => snapshot],
  ["POST", "/__admin/environments", (snapshot: object) => ({ snapshot })],
  ["POST", "/__admin/replay", (snapshot: object) => ({ snapshot })],
])("%s %s refuses too many names before it parses them", async (method, path, bodyOf) => {
  const { raw, snapshot } = await openWithSnapshot();
  const ask = async (extra: object): Promise<object> => {
    const body = JSON.stringify(bodyOf(seal({ ...snapshot, extra })));
    return raw(path, { method, headers: { "content-type": "application/json" }, body });
  };
  expect(await ask(names(50_000))).toMatchObject({
    status: 400,
    json: { detail: "The body has more than 50,000 names of members." },
  });
  // The same few names are counted once.
  expect(await ask(times(20_000, names(4)))).toMatchObject({ status: expect.toBeOneOf([200, 201]) });
});

/** Returns how often other work can run during an act. Each read of the machine's time ends a piece of its work. */
async function turnsDuring(act: () => Promise<unknown>): Promise<number> {
  stopMachineTime(1000);
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await act();
  isDone = true;
  return turns;
}

test("other work can run while a snapshot is read", async () => {
  const { sandbox, snapshot } = await openWithSnapshot();
  const changes = Array.from({ length: 300 }, (_, sequence) => ({
    kind: "offering",
    offering_id: known.aurora,
    attributes: { name: "X" },
    date,
    sequence,
  }));
  const body = seal(withContent(snapshot, { runs: [], changes, issued: 300 }));
  // Each change is a piece of the checksum and one of the check.
  expect(await turnsDuring(() => sandbox.restore(body))).toBeGreaterThan(600);
});

test("other work can run while a sent fixture is checked, completed and printed", async () => {
  const { sandbox } = await openSandbox();
  const fixture = { offerings: [{ investments: times(300, { investors: [{}], events: [] }) }] };
  // Each investment and each investor is a piece of both checks, and each investment one of the completion.
  expect(await turnsDuring(() => sandbox.openEnvironment({ fixture }))).toBeGreaterThan(1500);
});

test("an investment gets no more payments and events than its responses should have", async () => {
  const { sandbox } = await openSandbox();
  const steps = Array.from({ length: 1000 }, () => ({ event: ["PAYMENT SUBMITTED", "PAYMENT APPROVED"] }));
  await sandbox.play({ steps }, { investment_id: known.whole });
  await sandbox.play({ steps: steps.slice(0, 500) }, { investment_id: known.whole });
  const refused = {
    code: "conflict",
    message: expect.stringContaining("the investment has 3,000 such changes, the most"),
  };
  await expect(sandbox.investments.recordEvent(known.whole, { event: "A", action: "B" })).rejects.toMatchObject(
    refused,
  );
  const payments = Array.from({ length: 501 }, (_, at) => ({ payment: { alias: `a${at}`, amount: 1 } }));
  const wire = (some: typeof payments) => sandbox.play({ steps: some }, { investment_id: known.closed });
  await expect(wire(payments)).rejects.toThrow("steps[500] goes too far: more than 500 new payments");
  await wire(payments.slice(0, 300));
  await expect(wire(payments.slice(300))).rejects.toThrow(
    /step 201 is impossible .*: the investment has 500 such changes, the most/,
  );
  await sandbox.investments.recordEvent(known.closed, { event: "A", action: "B" });
  await sandbox.restore(await sandbox.snapshot());
});

test("a new investment with as many people as a scenario may name is in a snapshot that is read again", async () => {
  const { sandbox } = await openSandbox();
  const investors = times(500, {});
  const sign = Array.from({ length: 500 }, (_, at) => `signer${at}@example.com`);
  const countersigned = [{ sign }, { sign: "countersigners" }];
  await sandbox.play({ steps: countersigned });
  await sandbox.play({ investment: { investors }, steps: countersigned });
  await sandbox.play({
    investment: { investors, signing_parties: times(500, { countersigner: true }) },
    steps: [{ sign }],
  });
  await sandbox.restore(await sandbox.snapshot());
  await expect(sandbox.play({ steps: [{ sign }, { sign: "one@example.com" }] })).rejects.toThrow(
    "steps is a list; expected at most 500 different email addresses in their `sign`.",
  );
});

test("a snapshot has as many keys as a fixture of ten thousand offerings needs", async () => {
  const { sandbox } = await openSandbox({ fixture: { offerings: times(10_001, {}) } });
  const snapshot = await sandbox.snapshot();
  await sandbox.restore(snapshot);
  expect((await sandbox.keys.list()).length).toBe(20_002);
});

test("faults have no more names than a snapshot may have", async () => {
  const { sandbox, raw } = await openSandbox();
  const add = (at: number) => {
    const body = Object.fromEntries(Array.from({ length: 25_000 }, (_, name) => [`${at}_${name}`, 1]));
    return sandbox.faults.add({ respond: { status: 503, body } });
  };
  const { id } = await add(0);
  await expect(add(1)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("the faults of the environment would have more than 40,000 different names"),
  });
  await sandbox.faults.remove(id);
  await add(1);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(await sandbox.snapshot());
  expect(await raw("/__admin/snapshot", { method: "PUT", headers, body })).toMatchObject({ status: 200 });
});

test("an environment has no more runs than its snapshot may have", async () => {
  const { sandbox } = await openSandbox();
  const { fixture_document: _, ...snapshot } = await sandbox.snapshot();
  const written = { name: "s", steps: [{ event: "PAYMENT APPROVED" }] };
  const run = { scenario: written, offering_id: known.aurora, start: date, investment_id: known.whole };
  const runs = Array.from({ length: 5000 }, (_unused, at) => {
    return { ...run, id: `run-${at + 1}`, repetitions: [], stopped: true, problem: null };
  });
  await sandbox.restore(seal(withContent(snapshot, { runs })));
  await expect(sandbox.play("closing")).rejects.toThrow(
    /^The environment has 5,000 runs; reset it, or open another\.$/,
  );
});

test("a run has a unique id, whatever ids a snapshot has", async () => {
  const { sandbox, snapshot } = await openWithSnapshot();
  const [run] = snapshot.content.runs;
  await sandbox.restore(seal(withContent(snapshot, { runs: [{ ...run, id: "run-2" }] })));
  await sandbox.play("closing", { investment_id: known.closed });
  await sandbox.play("closing", { investment_id: known.closed });
  const ids = (await sandbox.runs.list()).map(({ id }) => id);
  expect(ids).toEqual(["run-2", "run-3", "run-4"]);
});
