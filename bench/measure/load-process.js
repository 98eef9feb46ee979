// Sends load as its parent requests over the channel: node load-process.js <folder of autocannon>
import { createRequire } from "node:module";
import { openLoop } from "./open-loop.js";

const [packageFolder] = process.argv.slice(2);
const autocannon = createRequire(`${packageFolder}/`)("autocannon");
const kinds = { atMost, atRate: openLoop };

process.on("disconnect", () => process.exit());
process.on("message", async ({ kind, ...order }) => {
  try {
    process.send(await kinds[kind](order));
  } catch (error) {
    process.send({ failure: error.message });
  }
});

async function atMost({ url, requests, seconds, once, connections }) {
  // With `once`, each connection has its share of the requests.
  let client = 0;
  const setupClient = (connection) => {
    const share = client++;
    connection.setRequests(requests.filter((_, index) => index % connections === share));
  };
  const end = once ? { amount: requests.length, setupClient } : { duration: seconds, requests };
  const result = await autocannon({ url, connections, timeout: 10, ...end });
  const responses = Object.entries(result.statusCodeStats).map(([status, { count }]) => [status, count]);
  return {
    responses: Object.fromEntries(responses),
    unansweredCount: result.errors + result.timeouts,
    seconds: result.duration,
  };
}
