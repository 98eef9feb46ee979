// Sends load as it is told over the channel to its parent: node load-process.js <folder of autocannon>
import { createRequire } from "node:module";
import { eachOnce } from "./each-once.js";
import { openLoop } from "./open-loop.js";

const [installed] = process.argv.slice(2);
const autocannon = createRequire(`${installed}/`)("autocannon");
const kinds = { "at-most": atMost, "at-rate": openLoop, "each-once": eachOnce };

process.on("disconnect", () => process.exit());
process.on("message", async ({ kind, ...order }) => {
  try {
    process.send(await kinds[kind](order));
  } catch (error) {
    process.send({ failure: error.message });
  }
});

async function atMost({ url, requests, seconds, connections }) {
  const result = await autocannon({ url, requests, connections, duration: seconds, timeout: 10 });
  const answers = Object.entries(result.statusCodeStats).map(([status, { count }]) => [status, count]);
  return {
    answers: Object.fromEntries(answers),
    unanswered: result.errors + result.timeouts,
    seconds: result.duration,
  };
}
