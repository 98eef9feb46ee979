import fc from "fast-check";
import { expect, test } from "vitest";
import { caseCount } from "../support/case-count.ts";
import { known, openSandbox, type TestSandbox } from "../support/sandbox.ts";

type Command = (opened: TestSandbox) => Promise<unknown>;

const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 30 }), fc.constantFrom("__proto__", "…", "\u001b[2J"));
const amount = fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.constantFrom(0, 1e12, 69_999_999_999_999));
const instant = fc.oneof(
  fc.constantFrom("0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"),
  fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString()),
);
const retryAfter = fc.oneof(
  fc.constantFrom<string | number>(-1, "-1", 0, "1e20", "100000000000000000000", 1e15, 2 ** 53 - 1, "soon", " 5 "),
  fc.integer(),
);

/** A command with a drawn argument. */
function commandWith<Value>(
  values: fc.Arbitrary<Value>,
  act: (opened: TestSandbox, value: Value) => Promise<unknown>,
): fc.Arbitrary<Command> {
  return values.map((value) => (opened) => act(opened, value));
}

const investmentPath = `/investments/${known.whole}`;
const list = `/offerings/${known.aurora}/investments`;

const paths = fc.constantFrom(investmentPath, `${investmentPath}/events`, list, `${list}?size=3`, "/nowhere");
const request = commandWith(paths, ({ raw }, path) => raw(`/api/v1${path}`));

const stories = fc.record({ amount, every: fc.constantFrom("1h", "9000d"), count: fc.integer({ min: 1, max: 3 }) });
const creations = fc.record({ amount, first_name: text, create_date: instant });
const fixedResponses = fc.tuple(retryAfter, fc.constantFrom(200, 429, 503), fc.constantFrom("GET", "POST"));
const values = fc.constantFrom(
  { "limit.window": "sliding" },
  { "list.first_page": "0" },
  { "errors.body": "empty" },
  { "errors.body": "message" },
);

/** Any command, which the sandbox may refuse. */
const command = fc.oneof(
  commandWith(fc.constantFrom("closing", "partial-payments", "live-demo"), ({ sandbox }, name) => sandbox.play(name)),
  commandWith(fc.constantFrom("1m", "3h", "2d"), ({ sandbox }, by) => sandbox.clock.advance(by)),
  commandWith(fixedResponses, async ({ sandbox, raw }, [value, status, method]) => {
    await sandbox.faults.add({ respond: { status, headers: { "Retry-After": value }, body: { x: null } }, times: 1 });
    await raw(`/api/v1${investmentPath}`, { method });
  }),
  commandWith(fc.array(instant, { minLength: 1, maxLength: 8 }), async ({ sandbox, api }, instants) => {
    for (const to of instants) {
      await sandbox.clock.set("0001-01-01T00:00:00Z");
      await sandbox.clock.advanceTo(to);
      await sandbox.clock.advanceTo("9999-12-31T23:59:59.999Z");
    }
    await api(investmentPath);
  }),
  commandWith(instant, ({ sandbox }, now) => sandbox.clock.set({ now, speed: 0 })),
  commandWith(creations, ({ sandbox }, { first_name, ...drawn }) =>
    sandbox.investments.create({ ...drawn, price: 1, investors: [{ first_name }] }),
  ),
  commandWith(fc.record({ amount, step: text }), ({ sandbox }, drawn) =>
    sandbox.investments.change(known.whole, { ...drawn, price: 1 }),
  ),
  commandWith(fc.record({ event: text, action: text }), ({ sandbox }, drawn) =>
    sandbox.investments.recordEvent(known.whole, drawn),
  ),
  commandWith(text, async ({ sandbox: { keys } }, label) =>
    keys.revoke((await keys.issue({ type: "partner", label })).id),
  ),
  commandWith(fc.nat(1_000_000), async ({ sandbox }, used) =>
    sandbox.limits.set((await sandbox.keys.list())[0]?.id ?? "", used),
  ),
  commandWith(values, ({ sandbox }, changes) => sandbox.assumptions.set(changes)),
  commandWith(stories, ({ sandbox }, { amount: paid, every, count }) => {
    const steps = [
      { event: "PAYMENT SUBMITTED", payment: { alias: "wire", amount: paid, status: "pending" } },
      { after: "1d", payment: { alias: "wire", status: "failed" }, key: { issue: { type: "marketing" } } },
      { next: true, fault: { drip: { bytes: 1, every: 1 }, for: "1s" }, offering: { name: "X" } },
    ];
    return sandbox.play({ repeat: { count, every, jitter: "1h" }, steps }, { investment_id: known.whole });
  }),
  commandWith(fc.webPath(), ({ raw }, path) =>
    raw(`/api/v1${investmentPath}${path}?a%5B%5D=${encodeURIComponent(path)}&b`, { method: "HEAD" }),
  ),
  fc.constantFrom<Command>(
    ({ sandbox }) => sandbox.clock.previous(),
    ({ sandbox }) => sandbox.clock.next(),
    ({ sandbox }) => sandbox.faults.remove(),
    ({ sandbox }) => sandbox.requests.clear(),
    ({ sandbox }) => sandbox.reset(),
    async ({ sandbox }) => sandbox.restore(await sandbox.snapshot()),
    async ({ sandbox }) => sandbox.runs.stop((await sandbox.runs.list()).at(-1)?.id ?? ""),
  ),
);

/** Commands that a snapshot could not be read after. */
const far: Command = async ({ sandbox, api }) => {
  for (let round = 0; round < 40; round++) {
    await sandbox.clock.set("0001-01-01T00:00:00Z");
    await sandbox.clock.advanceTo("9999-12-31T23:59:59.999Z");
  }
  await api(investmentPath);
};

test("the snapshot after any accepted commands can be read, replayed and opened", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(command, request), { minLength: 1, maxLength: 14 }), async (commands) => {
      const opened = await openSandbox({ rateLimit: 100 });
      const { sandbox } = opened;
      for (const act of commands) await act(opened).catch(() => {});
      const snapshot = await sandbox.snapshot();
      const { different, entries } = await sandbox.replay(snapshot);
      expect({ different, requests: entries.length }).toEqual({
        different: 0,
        requests: await sandbox.requests.count(),
      });
      await using copy = await sandbox.openEnvironment({ snapshot });
      expect(await copy.timeline()).toHaveLength((await sandbox.timeline()).length);
      await sandbox.restore(snapshot);
      // Limits continue in real time.
      const { traffic, checksum: _, ...before } = snapshot;
      const { limits: __, ...rest } = traffic as Readonly<Record<string, unknown>>;
      expect(await sandbox.snapshot()).toMatchObject({ ...before, traffic: rest });
      await sandbox.close();
    }),
    { numRuns: caseCount(25), examples: [[[far]]] },
  );
});
