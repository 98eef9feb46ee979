import fc from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";
import type { Environment } from "../../src/control.ts";
import { draws } from "../support/draws.ts";
import { known, openSandbox } from "../support/sandbox.ts";

/** Real time, in milliseconds. */
let time = 0;

beforeEach(() => void vi.spyOn(performance, "now").mockImplementation(() => time));

type Command = (environment: Environment, pick: number) => Promise<unknown>;

/** Commands for creating something; they return its ids and secrets. */
const creations: readonly Command[] = [
  async ({ keys }) => {
    const { id, key } = await keys.issue({ type: "partner", offering_id: "aurora" });
    return [id, key];
  },
  async ({ investments }) => (await investments.create({ amount: 100 })).id,
  async ({ investments }) => (await investments.recordEvent(known.whole, { event: "A", action: "B" })).id,
  async ({ faults }) => (await faults.add({ match: { path: "/nowhere" }, respond: { status: 500 } })).id,
];

/** Commands without creations; an impossible one changes nothing. */
const others: readonly Command[] = [
  ({ clock }, pick) => clock.advance(pick * 10_000),
  async (environment) => environment.restore(await environment.snapshot()),
  ({ clock }, pick) => clock.set({ speed: [0, 1, 60, 300][pick % 4] }),
  async ({ keys }, pick) => keys.revoke((await keys.list()).at(pick % 9)?.id ?? ""),
  async ({ faults }, pick) => faults.remove((await faults.list()).at(pick % 3)?.id),
  async ({ runs }, pick) => runs.stop((await runs.list()).at(pick % 3)?.id ?? ""),
];

/** Investments that arrive while the clock runs, each with a key. */
const arrivals = {
  repeat: { count: 30, every: "10m", jitter: "4m" },
  investment: { amount: 100 },
  steps: [{ event: "REGISTRATION COMPLETED" }, { after: "3m", key: { issue: { type: "partner" } } }],
};

interface Step {
  readonly command: number;
  readonly pick: number;
  /** Milliseconds of real time before the command. */
  readonly pause: number;
  /** Whether the environment is read halfway through the pause. */
  readonly read: boolean;
}

const pause = fc.nat(20_000);
const stories = fc.array(fc.record({ command: fc.nat(99), pick: fc.nat(200), pause, read: fc.boolean() }), {
  minLength: 3,
  maxLength: 15,
});

test("the same commands give the same answers, with or without reads in between; ids and secrets at any pace", async () => {
  const tell = await teller();
  await fc.assert(
    fc.asyncProperty(stories, fc.infiniteStream(pause), async (story, pauses) => {
      const told = await tell(story);
      expect(await tell(story.map((step) => ({ ...step, read: false })))).toEqual(told);
      const slower = story.map((step) => ({ ...step, pause: pauses.next().value ?? 0 }));
      expect((await tell(slower)).created).toEqual(told.created);
    }),
    { numRuns: draws(5) },
  );
});

/** An answer without the uid, by which each opening is told from the others. */
function withoutUid(answer: unknown): unknown {
  return typeof answer === "object" && answer !== null && "uid" in answer ? { ...answer, uid: null } : answer;
}

/** Returns a function that performs a story in a new environment, and returns its answers and final state. */
async function teller() {
  const commands = [...creations, ...others];
  const { sandbox } = await openSandbox();
  return async (story: readonly Step[]) => {
    time = 0;
    await using environment = await sandbox.openEnvironment({ id: "story", speed: 60 });
    await environment.play(arrivals);
    const answers: unknown[] = [];
    const created: unknown[] = [];
    for (const { command, pick, pause: length, read: readsHalfway } of story) {
      time += length / 2;
      if (readsHalfway) await environment.describe();
      time += length / 2;
      const act = commands[command % commands.length];
      const answer = withoutUid(await act?.(environment, pick).catch(String));
      answers.push(answer);
      if (act && creations.includes(act)) created.push(answer);
    }
    const end = [
      withoutUid(await environment.describe()),
      await environment.timeline(),
      await environment.faults.list(),
    ];
    return { answers, created, end };
  };
}
