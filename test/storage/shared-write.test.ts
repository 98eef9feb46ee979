import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SharedWrite } from "../../src/storage/storage.ts";

test("requests during a write share the next one", async () => {
  let writes = 0;
  let finish = (): void => {};
  const shared = new SharedWrite(() => {
    writes += 1;
    return new Promise((resolve) => (finish = resolve));
  });
  const first = [shared.request(), shared.request()];
  await turn();
  expect(writes).toBe(1);
  const second = Array.from({ length: 100 }, () => shared.request());
  await turn();
  expect(writes).toBe(1);
  finish();
  await Promise.all(first);
  await turn();
  expect(writes).toBe(2);
  finish();
  await Promise.all(second);
  expect(writes).toBe(2);
});

test("a failed write rejects exactly the requests that shared it", async () => {
  const outcomes = [new Error("disk full"), undefined];
  const shared = new SharedWrite(async () => {
    await turn();
    const error = outcomes.shift();
    if (error) throw error;
  });
  const first = [shared.request(), shared.request()];
  const failed = Promise.all(first.map((request) => expect(request).rejects.toThrow("disk full")));
  await turn();
  const second = [shared.request(), shared.request()];
  await failed;
  expect(await Promise.all(second)).toEqual([undefined, undefined]);
});

test("a request resolves only after a write that began later", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 20 }), async (scheduler, requestCount) => {
      let current = 0;
      let storedValue = 0;
      let writing = false;
      const shared = new SharedWrite(async () => {
        expect(writing).toBe(false);
        writing = true;
        const value = current;
        await scheduler.schedule(Promise.resolve());
        storedValue = value;
        writing = false;
      });
      const all = Array.from({ length: requestCount }, async () => {
        await scheduler.schedule(Promise.resolve());
        const requestedValue = ++current;
        await shared.request();
        expect(storedValue).toBeGreaterThanOrEqual(requestedValue);
      });
      await scheduler.waitFor(Promise.all(all));
    }),
  );
});
