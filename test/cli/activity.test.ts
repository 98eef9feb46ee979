import { Writable } from "node:stream";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openLog } from "../../src/cli/output/log.ts";
import { showActivity } from "../../src/cli/serve/activity.ts";
import type { SandboxOptions } from "../../src/public/control.ts";
import { startRunning } from "../../src/sandbox/start-running.ts";
import { known, knownFixture } from "../support/sandbox.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));

async function openWatched(options: SandboxOptions = {}) {
  const { sandbox, environments } = await startRunning({ fixture: knownFixture, rateLimit: 0, ...options });
  onTestFinished(() => sandbox.close());
  const printedLines: string[] = [];
  const end = showActivity(environments.default, (lines) => printedLines.push(...lines));
  onTestFinished(end);
  const printedBy = async (command: () => unknown = () => {}, milliseconds = 1000): Promise<string[]> => {
    printedLines.length = 0;
    await command();
    await vi.advanceTimersByTimeAsync(milliseconds);
    return [...printedLines];
  };
  return { sandbox, end, printedBy };
}

test("each command prints a line with the instant of a paused clock", async () => {
  const { sandbox, end, printedBy } = await openWatched();
  const { investments, keys, faults } = sandbox;
  const time = (await sandbox.clock.get()).now.slice(11, 19);
  expect(await printedBy(() => investments.change(known.whole, { status: "PENDING", step: "SIGNERS" }))).toEqual([
    expect.stringMatching(new RegExp(`^${time}  .+ #\\d+  Status PENDING, step SIGNERS$`)),
  ]);
  expect(await printedBy(() => investments.recordEvent(known.whole, { event: "PAYMENT", action: "APPROVED" }))).toEqual(
    [expect.stringMatching(/#\d+ {2}Payment approved$/)],
  );
  expect(await printedBy(() => investments.create({ offering_id: known.aurora, amount: 12_500 }))).toEqual([
    expect.stringMatching(/#\d+ {2}New investment of 12,500$/),
  ]);
  const { id } = await keys.issue({ type: "partner", offering_id: known.aurora, label: "mine" });
  expect(await printedBy(() => keys.revoke(id))).toEqual([
    expect.stringMatching(/ {2}key mine {2}Partner key issued · Key revoked$/),
  ]);
  const rule = { match: { path: "/investments/**" }, respond: { status: 503 } };
  const fault = await faults.add(rule);
  expect(await printedBy()).toEqual([`${time}  ${fault.id}  Fault begins for /investments/**: status 503`]);
  expect(await printedBy(() => faults.remove(fault.id))).toEqual([`${time}  ${fault.id}  ends`]);
  expect([await printedBy(() => sandbox.reset()), vi.getTimerCount()]).toEqual([[], 0]);
  end();
  expect(await printedBy(() => investments.change(known.whole, { step: null }))).toEqual([]);
});

const scenario = {
  steps: [
    { after: "20s", event: "REGISTRATION COMPLETED" },
    { after: "1m", sign: "all", event: "SUBSCRIPTION SUBMITTED", investment: { step: "SIGNERS" } },
    { after: "1d", fault: { respond: { status: 503 }, for: "30s" } },
  ],
};

test("a change prints a line when its time comes, again after the clock was set back, and once in an advance past it", async () => {
  const { sandbox, printedBy } = await openWatched({ speed: 1, clock: "2026-01-15T12:00:00Z" });
  await sandbox.play(scenario);
  expect(await printedBy(undefined, 19_000)).toEqual([]);
  const registered = [
    expect.stringMatching(/^12:00:20 {2}.+ #\d+ {2}New investment of [\d,.]+ · Registration completed$/),
  ];
  expect(await printedBy(undefined, 2000)).toEqual(registered);
  expect([await printedBy(undefined, 50_000), vi.getTimerCount()]).toEqual([[], 1]);
  expect(await printedBy(undefined, 10_000)).toEqual([
    expect.stringMatching(/^12:01:20 {2}.+ #\d+ {2}\S.* signed · Subscription submitted · SIGNERS$/),
  ]);
  expect(await printedBy(() => sandbox.clock.set({ now: "2026-01-15T12:00:19Z" }), 500)).toEqual([]);
  expect(await printedBy()).toEqual(registered);
  expect(await printedBy(() => sandbox.clock.set({ now: "2026-01-16T12:01:30Z" }))).toEqual([
    expect.stringMatching(/^2026-01-15 12:01:20 .+ SIGNERS$/),
    expect.stringMatching(/^12:01:20 +fault [\da-f]{8} +Fault begins: status 503$/),
  ]);
  expect(await printedBy(undefined, 30_000)).toEqual([expect.stringMatching(/^12:01:50 {2}fault [\da-f]{8} {2}ends$/)]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a long advance over thousands of changes prints ten, and the number of the others", async () => {
  const { sandbox, printedBy } = await openWatched();
  await sandbox.play("busy-day");
  await printedBy();
  const lines = await printedBy(async () => {
    await sandbox.clock.advance("2d");
  });
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toMatch(/^… and \d{2,} more$/);
  await sandbox.clock.set({ speed: 0 });
  expect(await printedBy()).toEqual([]);
});

test.each([
  [true, "a terminal", {}, true],
  [true, "a terminal with --quiet", { quiet: true }, false],
  [true, "a terminal with --log-level warn", { logLevel: "warn" }, false],
  [true, "a terminal with --log-format json", { logFormat: "json" }, false],
  [false, "a pipe", {}, false],
] as const)("changes are printed only on a terminal that is not quiet: isTTY %s, %s", (isTTY, _, settings, isShown) => {
  const stream = Object.assign(new Writable(), { isTTY });
  const log = openLog({ logFormat: "pretty", logLevel: undefined, quiet: false, ...settings }, stream);
  expect(log.activity !== undefined).toBe(isShown);
});
