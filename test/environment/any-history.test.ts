import fc from "fast-check";
import { expect, test } from "vitest";
import { draws } from "../support/draws.ts";
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

const list = `/offerings/${known.aurora}/investments`;

/** A request of the service. */
const request = fc
  .constantFrom(`/investments/${known.whole}`, `/investments/${known.whole}/events`, list, `${list}?size=3`, "/nowhere")
  .map(
    (path): Command =>
      ({ raw }) =>
        raw(`/api/v1${path}`),
  );

/** Any command, which the sandbox may refuse. */
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.constantFrom("closing", "partial-payments", "live-demo").map(
    (scenario): Command =>
      ({ sandbox }) =>
        sandbox.play(scenario),
  ),
  fc.constantFrom("1m", "3h", "2d").map(
    (by): Command =>
      ({ sandbox }) =>
        sandbox.clock.advance(by),
  ),
  fc
    .tuple(retryAfter, fc.constantFrom(200, 429, 503), fc.constantFrom("GET", "POST"))
    .map(([value, status, method]): Command => async ({ sandbox, raw }) => {
      await sandbox.faults.add({ respond: { status, headers: { "Retry-After": value }, body: { x: null } }, times: 1 });
      await raw(`/api/v1/investments/${known.whole}`, { method });
    }),
  fc.array(instant, { minLength: 1, maxLength: 8 }).map((instants): Command => async ({ sandbox, api }) => {
    for (const to of instants) {
      await sandbox.clock.set("0001-01-01T00:00:00Z");
      await sandbox.clock.advanceTo(to);
      await sandbox.clock.advanceTo("9999-12-31T23:59:59.999Z");
    }
    await api(`/investments/${known.whole}`);
  }),
  instant.map(
    (now): Command =>
      ({ sandbox }) =>
        sandbox.clock.set({ now, speed: 0 }),
  ),
  fc.tuple(amount, text, instant).map(
    ([value, word, create_date]): Command =>
      ({ sandbox }) =>
        sandbox.investments.create({ amount: value, price: 1, create_date, investors: [{ first_name: word }] }),
  ),
  fc.tuple(amount, text).map(
    ([value, step]): Command =>
      ({ sandbox }) =>
        sandbox.investments.change(known.whole, { amount: value, price: 1, step }),
  ),
  fc.tuple(text, text).map(
    ([event, action]): Command =>
      ({ sandbox }) =>
        sandbox.investments.recordEvent(known.whole, { event, action }),
  ),
  text.map(
    (label): Command =>
      async ({ sandbox }) =>
        sandbox.keys.revoke((await sandbox.keys.issue({ type: "partner", label })).id),
  ),
  fc.nat(1_000_000).map(
    (used): Command =>
      async ({ sandbox }) =>
        sandbox.limits.set((await sandbox.keys.list())[0]?.id ?? "", used),
  ),
  fc
    .constantFrom<[string, unknown]>(
      ["limit.window", "sliding"],
      ["list.first_page", "0"],
      ["errors.body", "empty"],
      ["errors.body", "message"],
    )
    .map(
      ([id, value]): Command =>
        ({ sandbox }) =>
          sandbox.assumptions.set({ [id]: value }),
    ),
  fc.tuple(amount, fc.constantFrom("1h", "9000d"), fc.integer({ min: 1, max: 3 })).map(
    ([value, every, count]): Command =>
      ({ sandbox }) =>
        sandbox.play(
          {
            repeat: { count, every, jitter: "1h" },
            steps: [
              { event: "PAYMENT SUBMITTED", payment: { alias: "wire", amount: value, status: "pending" } },
              { after: "1d", payment: { alias: "wire", status: "failed" }, key: { issue: { type: "marketing" } } },
              { next: true, fault: { drip: { bytes: 1, every: 1 }, for: "1s" }, offering: { name: "X" } },
            ],
          },
          { investment_id: known.whole },
        ),
  ),
  fc.webPath().map(
    (path): Command =>
      ({ raw }) =>
        raw(`/api/v1/investments/${known.whole}${path}?a%5B%5D=${encodeURIComponent(path)}&b`, { method: "HEAD" }),
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
  for (let leap = 0; leap < 40; leap++) {
    await sandbox.clock.set("0001-01-01T00:00:00Z");
    await sandbox.clock.advanceTo("9999-12-31T23:59:59.999Z");
  }
  await api(`/investments/${known.whole}`);
};

test("whatever commands are accepted, their snapshot is read again, replayed and opened", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(command, request), { minLength: 1, maxLength: 14 }), async (commands) => {
      const opened = await openSandbox({ rateLimit: 100 });
      const { sandbox } = opened;
      for (const act of commands) await act(opened).catch(() => {});
      const snapshot = await sandbox.snapshot();
      const { other, entries } = await sandbox.replay(snapshot);
      expect({ other, requests: entries.length }).toEqual({ other: 0, requests: await sandbox.requests.count() });
      await using copy = await sandbox.openEnvironment({ snapshot });
      expect(await copy.timeline()).toHaveLength((await sandbox.timeline()).length);
      await sandbox.restore(snapshot);
      // Limits go on in real time.
      const { limits: _, checksum: __, ...before } = snapshot;
      expect(await sandbox.snapshot()).toMatchObject(before);
      await sandbox.close();
    }),
    { numRuns: draws(25), examples: [[[far]]] },
  );
});
