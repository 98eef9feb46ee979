import { afterEach, expect, test } from "vitest";
import { known, openSandbox } from "../support/sandbox.ts";

const restoreFunctions: (() => void)[] = [];
afterEach(stopCounting);

function stopCounting(): void {
  for (let restore = restoreFunctions.pop(); restore; restore = restoreFunctions.pop()) restore();
}

/**
 * Counts steps of loops, searched strings and visited items, outside of Node's own modules, until the returned function
 * is called.
 */
function startCounting(): () => number {
  let steps = 0;
  // No spies: they store their arguments, and use the functions that are counted.
  const count = (prototype: object, names: readonly string[], isByLength: boolean): void => {
    for (const name of names) {
      const original: (...values: unknown[]) => unknown = Reflect.get(prototype, name);
      const countingFunction = function (this: { readonly length: number }, ...values: unknown[]): unknown {
        steps += isByLength ? this.length : 1;
        return Reflect.apply(original, this, values);
      };
      restoreFunctions.push(() => void Reflect.set(prototype, name, original));
      Reflect.set(prototype, name, countingFunction);
    }
  };
  const iterators = [[].values(), new Map().values(), new Set().values()];
  for (const iterator of iterators) count(Object.getPrototypeOf(iterator) as object, ["next"], false);
  count(String.prototype, ["includes", "indexOf", "search", "replace", "replaceAll"], false);
  const visitingMethods = ["map", "filter", "some", "every", "find", "findIndex", "forEach", "flatMap", "reduce"];
  count(Array.prototype, [...visitingMethods, "slice", "concat", "toSorted"], true);
  return () => {
    stopCounting();
    return steps;
  };
}

test("a request, an opening and a close cost the same with 10 environments as with 400", async () => {
  const { sandbox, raw } = await openSandbox({ maxEnvironments: 410 });
  const measureCosts = async (): Promise<number[]> => {
    const environment = await sandbox.openEnvironment({ label: "first" });
    const path = `/api/v1/offerings/${known.aurora}`;
    const actions = [
      () => raw(path, { key: environment.keys.partner }),
      () => raw(path),
      () => sandbox.openEnvironment({ id: "counted", label: "a test > with a label" }),
      async () => (await sandbox.environment("counted")).close(),
    ];
    const counts: number[] = [];
    for (const action of actions) {
      const stopAndCount = startCounting();
      await action();
      counts.push(stopAndCount());
    }
    await environment.close();
    return counts;
  };
  const openFillers = async (from: number, to: number): Promise<void> => {
    for (let index = from; index < to; index++) await sandbox.openEnvironment({ id: `filler-${index}` });
  };
  await openFillers(0, 10);
  await measureCosts();
  const costsWithFew = await measureCosts();
  await openFillers(10, 400);
  await measureCosts();
  const costsWithMany = await measureCosts();
  const opening = 2;
  for (const [index, count] of costsWithFew.entries()) {
    expect(count).toBeGreaterThan(10);
    // Opening an environment checks once how long each other one was idle.
    expect((costsWithMany[index] ?? 0) - count).toBeLessThan(index === opening ? 500 : 20);
  }
});
