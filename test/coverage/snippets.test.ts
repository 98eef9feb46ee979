import { afterAll, expect, test } from "vitest";
import { behaviors } from "../../src/coverage/catalog.ts";
import { startSandbox } from "../../src/index.ts";

const AsyncFunction = (async () => {}).constructor as new (
  ...parametersAndText: readonly string[]
) => (sandbox: unknown) => Promise<void>;

const sandbox = await startSandbox({});
afterAll(() => sandbox.close());

test.each(behaviors)("the line for $id covers it", async ({ id, snippet }) => {
  // A request without a key is one to the default environment.
  const isKeyless = /missing|malformed/.test(id);
  await using environment = await (isKeyless ? startSandbox({}) : sandbox.openEnvironment());
  await new AsyncFunction("sandbox", snippet)(environment);
  const { behaviors: all, risks } = await environment.coverage();
  expect(all.flatMap((behavior) => (behavior.count > 0 ? [behavior.id] : []))).toContain(id);
  expect(all.find((behavior) => behavior.id === id)?.snippet).toBe(snippet);
  expect(risks).toEqual([]);
});
