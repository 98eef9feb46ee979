// What an environment costs to open, to keep and to reset, in the process of a sandbox: prints it as JSON.
import { startSandbox } from "../../dist/index.js";

const [fixture, howMany] = process.argv.slice(2);
const sandbox = await startSandbox({ fixture, scenarios: [] });
// What is loaded and compiled for the first one is not counted.
for (let warm = 0; warm < 10; warm++) await (await sandbox.openEnvironment()).close();

const before = heap();
const opened = [];
const opening = [];
for (let index = 0; index < Number(howMany); index++) {
  opening.push(await milliseconds(async () => opened.push(await sandbox.openEnvironment())));
}
const kilobytes = (heap() - before) / opened.length / 1024;
const resetting = [];
for (const environment of opened) resetting.push(await milliseconds(() => environment.reset()));
console.log(JSON.stringify({ opening, kilobytes, resetting }));
await sandbox.close();

function heap() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

async function milliseconds(act) {
  const since = performance.now();
  await act();
  return performance.now() - since;
}
