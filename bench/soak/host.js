// The sandbox that is soaked, in a process of its own, which tells what it uses when it is asked.
import { startSandbox } from "../../dist/index.js";

const sandbox = await startSandbox({
  clock: "fixture",
  speed: 3600,
  rateLimit: 1_000_000,
  scenarios: ["live-demo", "busy-day"],
});

process.on("disconnect", () => process.exit());
process.on("message", () => {
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  process.send({ heap: heapUsed / 1e6, rss: rss / 1e6 });
});
process.send({ url: sandbox.url });
