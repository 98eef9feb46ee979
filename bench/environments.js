// What an environment costs to open and to keep, and what resetting one costs, over small and large fixtures.
import { startSandbox } from "../dist/index.js";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = await mkdtemp(join(tmpdir(), "offering-sandbox-bench-"));
const median = (figures) => figures.toSorted((one, other) => one - other)[figures.length >> 1];
const memory = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

async function measure(name, fixture, count) {
  const sandbox = await startSandbox({ fixture, scenarios: [] });
  await (await sandbox.openEnvironment()).play("closing");
  const before = memory();
  const opened = [];
  const times = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    opened.push(await sandbox.openEnvironment());
    times.push(performance.now() - start);
  }
  const kilobytes = (memory() - before) / count / 1024;
  const resets = [];
  for (const environment of opened) {
    const start = performance.now();
    await environment.reset();
    resets.push(performance.now() - start);
  }
  console.log(
    `${name}: ${count} environments, ${median(times).toFixed(3)} ms each to open, ${kilobytes.toFixed(1)} KB each, ${median(resets).toFixed(3)} ms to reset`,
  );
  await sandbox.close();
}

await measure("demo (283 investments)", "demo", 200);
for (const investments of [100, 10_000]) {
  const file = join(folder, `${investments}.json`);
  await writeFile(file, JSON.stringify({ offerings: [{ generate: { investments } }] }));
  await measure(`${investments} investments`, file, 200);
}
await rm(folder, { recursive: true });
