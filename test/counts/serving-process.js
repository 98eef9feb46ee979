// Serves a sandbox, and reports the process's memory and handles on request: node --expose-gc serving-process.js
import { getHeapSpaceStatistics } from "node:v8";
import { startSandbox } from "../../dist/index.js";

const sandbox = await startSandbox({ rateLimit: 1_000_000, scenarios: [] });
const [{ id: investment } = {}] = await firstInvestments();

process.on("message", async (command) => {
  if (command === "close") {
    await sandbox.close();
    process.disconnect?.();
    return;
  }
  if (command === "collect") globalThis.gc?.();
  const oldHeap = getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space")?.space_used_size;
  process.send?.({ heap: process.memoryUsage().heapUsed, oldHeap, handles: process.getActiveResourcesInfo() });
});
const { baseUrl, offering, keys } = sandbox;
process.send?.({ url: baseUrl, offering: offering.id, investment, key: keys.partner });

async function firstInvestments() {
  const url = `${sandbox.baseUrl}/offerings/${sandbox.offering.id}/investments`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${sandbox.keys.partner}` } });
  const { data } = await response.json();
  return data;
}
