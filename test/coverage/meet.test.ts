import { expect, test } from "vitest";
import { behaviours } from "../../src/coverage/catalogue.ts";
import { startSandbox } from "../../src/index.ts";

const AsyncFunction = (async () => {}).constructor as new (
  name: string,
  text: string,
) => (sandbox: unknown) => Promise<void>;

test.each(behaviours)("the line for $id meets it", async ({ id, meet }) => {
  await using sandbox = await startSandbox({});
  await new AsyncFunction("sandbox", meet)(sandbox);
  const { behaviours: all, risks } = await sandbox.coverage();
  expect(all.find((one) => one.id === id)?.count, all.flatMap((b) => (b.count ? b.id : [])).join(" ")).toBeGreaterThan(
    0,
  );
  expect(risks.map((one) => one.id)).toEqual([]);
});
