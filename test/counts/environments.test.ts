import { afterEach, expect, test } from "vitest";
import { known, openSandbox } from "../support/sandbox.ts";

const undo: (() => void)[] = [];
afterEach(stopCounting);

function stopCounting(): void {
  for (let restore = undo.pop(); restore; restore = undo.pop()) restore();
}

/** Counts steps of loops, searched strings and visited items, outside of Node's own modules. */
function counting(): () => number {
  let steps = 0;
  // Spies would not do: they store their arguments, and use the functions that are counted.
  const count = (prototype: object, names: readonly string[], isByLength: boolean): void => {
    for (const name of names) {
      const original: (...values: unknown[]) => unknown = Reflect.get(prototype, name);
      const counted = function (this: { readonly length: number }, ...values: unknown[]): unknown {
        steps += isByLength ? this.length : 1;
        return Reflect.apply(original, this, values);
      };
      undo.push(() => void Reflect.set(prototype, name, original));
      Reflect.set(prototype, name, counted);
    }
  };
  const iterators = [[].values(), new Map().values(), new Set().values()];
  for (const iterator of iterators) count(Object.getPrototypeOf(iterator) as object, ["next"], false);
  count(String.prototype, ["includes", "indexOf", "search", "replace", "replaceAll"], false);
  const visiting = ["map", "filter", "some", "every", "find", "findIndex", "forEach", "flatMap", "reduce"];
  count(Array.prototype, [...visiting, "slice", "concat", "toSorted"], true);
  return () => {
    stopCounting();
    return steps;
  };
}

test("a request, an opening and a close cost the same next to 10 environments as next to 400", async () => {
  const { sandbox, raw } = await openSandbox({ maxEnvironments: 410 });
  const costs = async (): Promise<number[]> => {
    const environment = await sandbox.openEnvironment({ label: "first" });
    const path = `/api/v1/offerings/${known.aurora}`;
    const acts = [
      () => raw(path, { key: environment.keys.partner }),
      () => raw(path),
      () => sandbox.openEnvironment({ id: "counted", label: "a test > with a label" }),
      async () => (await sandbox.environment("counted")).close(),
    ];
    const counts: number[] = [];
    for (const act of acts) {
      const counted = counting();
      await act();
      counts.push(counted());
    }
    await environment.close();
    return counts;
  };
  const fill = async (from: number, to: number): Promise<void> => {
    for (let nth = from; nth < to; nth++) await sandbox.openEnvironment({ id: `filler-${nth}` });
  };
  await fill(0, 10);
  await costs();
  const few = await costs();
  await fill(10, 400);
  await costs();
  const many = await costs();
  const opening = 2;
  for (const [at, count] of few.entries()) {
    expect(count).toBeGreaterThan(10);
    // Opening an environment checks once how long each other one was idle.
    expect((many[at] ?? 0) - count).toBeLessThan(at === opening ? 500 : 20);
  }
});
