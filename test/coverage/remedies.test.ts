import { expect, test } from "vitest";
import { behaviours } from "../../src/coverage/catalogue.ts";
import { startSandbox } from "../../src/index.ts";

const AsyncFunction = (async () => {}).constructor as new (
  name: string,
  text: string,
) => (sandbox: unknown) => Promise<void>;

test.each(behaviours)("the line for $id meets it", async ({ id, remedy }) => {
  await using sandbox = await startSandbox({});
  await new AsyncFunction("sandbox", remedy)(sandbox);
  const { behaviours: all, risks } = await sandbox.coverage();
  expect(all.flatMap((one) => (one.count > 0 ? [one.id] : []))).toContain(id);
  expect(all.find((one) => one.id === id)?.meet).toBe(remedy);
  expect(risks).toEqual([]);
});
