import { describe, expect, test } from "vitest";
import type { CoverageReport, Environment, Sandbox, SandboxOptions } from "../../src/control.ts";
import { type Answer, known } from "../support/sandbox.ts";
import { ways } from "../support/sandboxes.ts";
import { ask, askAll, countOf, list, offering, open, risksIn } from "./client.ts";

const { borealis, unknown } = known;
const { partner, revoked } = known.keys;

function metIn({ behaviours }: CoverageReport, group: string): string[] {
  return behaviours.flatMap((one) => (one.group === group && one.count > 0 ? [one.id.slice(group.length + 1)] : []));
}

async function walk(sandbox: Environment): Promise<void> {
  for (let page = 1, total = 1; page <= total; page++) {
    ({ total } = (await ask(sandbox, `${list}?size=1&page=${page}`)).json.meta);
  }
}

/** Asks until there is an answer, and waits as told on the sandbox's clock, or far longer each time: real time passes too. */
async function askPatiently(sandbox: Environment, path: string): Promise<Answer> {
  for (let wait = 60; ; wait *= 60) {
    const answer = await ask(sandbox, path);
    if (answer.status !== 429 && answer.status < 500) return answer;
    await sandbox.clock.advance(`${Number(answer.headers["retry-after"] ?? wait)}s`);
  }
}

async function reactWell(sandbox: Environment): Promise<void> {
  await walk(sandbox);
  await ask(sandbox, `/investments/${unknown}`);
  await walk(sandbox);
  await sandbox.limits.set(partner, 120);
  await askPatiently(sandbox, offering);
  await sandbox.faults.add({ respond: { status: 503 }, times: 2 });
  await askPatiently(sandbox, offering);
  await sandbox.keys.revoke(partner);
  await ask(sandbox, offering);
}

const careless: readonly (readonly [risk: string, title: string, client: (sandbox: Sandbox) => Promise<unknown>])[] = [
  [
    "too-early",
    "asks on after a 429",
    async (sandbox) => {
      await sandbox.limits.set(partner, 120);
      await askAll(sandbox, list, list);
    },
  ],
  [
    "too-early",
    "asks for something else after a 429",
    async (sandbox) => {
      await sandbox.limits.set(partner, 120);
      await askAll(sandbox, list, offering);
    },
  ],
  [
    "refused-again",
    "repeats a 401",
    async (sandbox) => {
      await ask(sandbox, list, { key: revoked });
      await ask(sandbox, offering, { key: revoked });
    },
  ],
  ["refused-again", "repeats a 403", (sandbox) => askAll(sandbox, `/offerings/${borealis}`, `/offerings/${borealis}`)],
  [
    "not-found-again",
    "asks on for nothing",
    (sandbox) => askAll(sandbox, ...Array.from({ length: 3 }, () => `/investments/${unknown}`)),
  ],
  ["first-page-only", "stops at the first page", (sandbox) => ask(sandbox, `${list}?size=1`)],
  [
    "first-page-only",
    "reads the first page again and again",
    (sandbox) => askAll(sandbox, `${list}?size=1`, `${list}?size=1&page=1`),
  ],
  ["page-lost", "leaves out a page", (sandbox) => askAll(sandbox, `${list}?size=1`, `${list}?size=1&page=3`)],
  [
    "page-lost",
    "repeats a page",
    (sandbox) => askAll(sandbox, ...[1, 2, 2, 3].map((page) => `${list}?size=1&page=${page}`)),
  ],
  ["unknown-request", "misspells a parameter", (sandbox) => ask(sandbox, `${offering}?pgae=1`)],
  ["unknown-request", "misspells a path", (sandbox) => ask(sandbox, `/offering/1`)],
  ["unknown-request", "posts", (sandbox) => ask(sandbox, list, { method: "POST", body: "{}" })],
];

describe.each(ways)("%s", (way) => {
  test("a right client has all reactions, and no risk", async () => {
    const sandbox = await open(way);
    await reactWell(sandbox);
    const report = await sandbox.coverage();
    expect(metIn(report, "reactions")).toHaveLength(7);
    expect(risksIn(report)).toEqual([]);
  });

  test.each(careless)("%s: a client that %s has this risk and no other", async (risk, _title, client) => {
    const sandbox = await open(way);
    await client(sandbox);
    expect(risksIn(await sandbox.coverage())).toEqual([risk]);
  });
});

const parallel: readonly (readonly [title: string, status: number, path: (nth: number) => string, key: string])[] = [
  ["with a revoked key", 401, () => list, revoked],
  ["for another offering", 403, () => `/offerings/${borealis}`, partner],
  ["for nothing", 404, () => `/investments/${unknown}`, partner],
  ["over the limit", 429, () => list, partner],
  ["for the pages of a list", 200, (nth) => `${list}?size=1&page=${(nth % 3) + 1}`, partner],
];

test.each(parallel)("thirty parallel requests %s are no risk", async (_title, status, path, key) => {
  const sandbox = await open("in process");
  if (status === 429) await sandbox.limits.set(partner, 120);
  const answers = await Promise.all(Array.from({ length: 30 }, (_, nth) => ask(sandbox, path(nth), { key }, true)));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status]));
  expect(risksIn(await sandbox.coverage())).toEqual([]);
});

describe("a wait", () => {
  const running = { clock: "fixture", speed: 3600 } as const;
  const setBack = async (sandbox: Sandbox): Promise<void> =>
    void (await sandbox.clock.set({ now: "2020-01-01T00:00:00Z" }));
  const clocks: readonly (readonly [
    title: string,
    options: SandboxOptions,
    then: (sandbox: Sandbox) => Promise<void>,
  ])[] = [
    ["frozen", {}, async () => {}],
    ["fast", running, async () => {}],
    ["set back", {}, setBack],
    ["set forward", {}, async (sandbox) => void (await sandbox.clock.set({ now: "2030-01-01T00:00:00Z" }))],
  ];

  test.each(clocks)(
    "of half the time is too short, of the whole is right: the clock is %s",
    async (_title, options, then) => {
      const sandbox = await open("in process", options);
      await sandbox.limits.set(partner, 120);
      await ask(sandbox, offering);
      await then(sandbox);
      await sandbox.clock.advance("61s");
      await ask(sandbox, offering);
      const patient = await sandbox.coverage();
      expect([countOf(patient, "reactions.waited"), risksIn(patient)]).toEqual([1, []]);
      await sandbox.limits.set(partner, 120);
      await ask(sandbox, offering);
      await sandbox.clock.advance("20s");
      await then(sandbox);
      await ask(sandbox, offering);
      const hasty = await sandbox.coverage();
      expect([countOf(hasty, "reactions.waited"), risksIn(hasty)]).toEqual([1, ["too-early"]]);
    },
  );

  test("is over when the limit is lifted", async () => {
    const sandbox = await open("in process");
    await sandbox.limits.set(partner, 120);
    await ask(sandbox, offering);
    await sandbox.limits.clear();
    await askAll(sandbox, offering, offering);
    const report = await sandbox.coverage();
    expect([countOf(report, "reactions.waited"), risksIn(report)]).toEqual([0, []]);
  });
});
