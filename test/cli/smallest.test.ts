import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Flaky, Search } from "../../src/cli/exec/smallest.ts";

type Items = readonly number[];
type Oracle = (items: Items, asked: number) => boolean;

interface Outcome {
  readonly sets: Items[];
  /** Each set in the order in which it was asked. */
  readonly asked: { readonly items: Items; readonly fails: boolean }[];
  readonly isFlaky: boolean;
}

const keyOf = (items: Items): string => items.toSorted((one, other) => one - other).join();

/** Searches among `size` items that fail all together, as `bisect` does. */
async function searched(size: number, fails: Oracle): Promise<Outcome> {
  const asked: Outcome["asked"] = [];
  const sets: Items[] = [];
  const all = Array.from({ length: size }, (_, at) => at);
  const trial = async (items: Items): Promise<boolean> => {
    asked.push({ items, fails: fails(items, asked.length) });
    return asked.at(-1)?.fails ?? false;
  };
  try {
    for await (const set of new Search<number>().within(all, trial)) sets.push(set);
    return { sets, asked, isFlaky: false };
  } catch (error) {
    if (!(error instanceof Flaky)) throw error;
    return { sets, asked, isFlaky: true };
  }
}

/** Fails with each of these sets, whatever else is there. */
const withAny =
  (culprits: readonly Items[]): Oracle =>
  (items) =>
    culprits.some((set) => set.every((item) => items.includes(item)));

const size = fc.integer({ min: 6, max: 40 });
const itemsOf = (of: number, most: number): fc.Arbitrary<Items> =>
  fc.uniqueArray(fc.nat(of - 1), { minLength: 1, maxLength: most });
const someSets = size.chain((of) =>
  fc.record({ of: fc.constant(of), culprits: fc.array(itemsOf(of, 4), { minLength: 1, maxLength: 4 }) }),
);
/** Any oracle of which the empty set passes: a row may hide what another does. */
const anyOracle = fc.record({
  of: fc.integer({ min: 1, max: 12 }),
  seed: fc.integer(),
  share: fc.integer({ min: 1, max: 9 }),
});

function chance(seed: number, text: string): number {
  let hash = seed;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x5bd1e995) ^ (hash >>> 13);
  return Math.abs(hash) % 10;
}

describe("a search for the smallest failing sets", () => {
  test("finds sets that do not overlap, each minimal, and leaves nothing that fails", async () => {
    await fc.assert(
      fc.asyncProperty(someSets, async ({ of, culprits }) => {
        const fails = withAny(culprits);
        const { sets, isFlaky } = await searched(of, fails);
        const rest = Array.from({ length: of }, (_, at) => at).filter((item) => !sets.flat().includes(item));
        expect([isFlaky, fails(rest, 0)]).toEqual([false, false]);
        for (const set of sets) {
          expect(culprits.map(keyOf)).toContain(keyOf(set));
          for (const item of set)
            expect(
              fails(
                set.filter((other) => other !== item),
                0,
              ),
            ).toBe(false);
        }
      }),
    );
  });

  test("asks no set twice, but those once more on which it rests", async () => {
    await fc.assert(
      fc.asyncProperty(someSets, async ({ of, culprits }) => {
        const { asked, sets } = await searched(of, withAny(culprits));
        const times = new Map<string, number>();
        for (const { items } of asked) times.set(keyOf(items), (times.get(keyOf(items)) ?? 0) + 1);
        const parts = sets.flatMap((set) => set.map((item) => keyOf(set.filter((other) => other !== item))));
        for (const { items, fails } of asked) {
          const isOnceMore = fails || parts.includes(keyOf(items));
          expect(times.get(keyOf(items))).toBeLessThanOrEqual(isOnceMore ? 2 : 1);
        }
      }),
    );
  });

  test.each([
    [1, 20, 9],
    [1, 40, 10],
    [2, 20, 19],
    [2, 40, 21],
    [3, 40, 33],
  ])("finds %i of 20 to 40 items together in few runs (%i: %i)", async (together, of, most) => {
    await fc.assert(
      fc.asyncProperty(itemsOf(of, together), async (culprits) => {
        expect((await searched(of, withAny([culprits]))).asked.length).toBeLessThanOrEqual(most);
      }),
    );
  });

  test("names a set only if it failed twice, and passed without any one of its items, whatever the oracle", async () => {
    await fc.assert(
      fc.asyncProperty(anyOracle, fc.boolean(), async ({ of, seed, share }, isFlaky) => {
        const { sets, asked } = await searched(
          of,
          (items, at) => items.length > 0 && chance(seed, keyOf(items) + (isFlaky ? ` ${at}` : "")) < share,
        );
        const answers = (items: Items): boolean[] =>
          asked.filter((one) => keyOf(one.items) === keyOf(items)).map(({ fails }) => fails);
        for (const set of sets) {
          expect(answers(set).filter(Boolean).length).toBeGreaterThanOrEqual(2);
          if (set.length < 2) continue;
          for (const item of set) expect(answers(set.filter((other) => other !== item))).toContain(false);
        }
      }),
    );
  });

  test("names no innocent item where one run fails, or passes, by chance", async () => {
    await fc.assert(
      fc.asyncProperty(size, fc.nat(39), fc.nat(19), async (of, culprit, chanceAt) => {
        const { sets } = await searched(of, (items, at) => items.includes(culprit % of) !== (at === chanceAt));
        expect(sets.flat().filter((item) => item !== culprit % of)).toEqual([]);
      }),
    );
  });
});
