// Measures how much processor time an open portal costs the sandbox, on Linux: node bench/portal.js --seconds 60
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { launchChromium } from "../scripts/chromium.js";
import { processorTime } from "./measure/usage.js";
import { bin } from "./servers/product.js";

/** The greatest allowed share of a core. */
const maxShare = 0.01;

/** Milliseconds for server and page to settle after their start. */
const settling = 5000;

const { values } = parseArgs({ options: { seconds: { type: "string", default: "60" } } });
const seconds = Number(values.seconds);
if (!(seconds >= 1)) {
  console.error("node bench/portal.js [--seconds <number, 1 or more>]");
  process.exit(2);
}

const server = spawn(process.execPath, [bin, "--port", "0", "--log-format", "json", "--log-level", "warn"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [line] = await once(createInterface(server.stdout), "line");
const { url } = JSON.parse(line);
const browser = await launchChromium();
try {
  const [, alone] = [await wait(settling), await share()];
  const page = await browser.newPage();
  let requests = 0;
  page.on("request", () => requests++);
  await page.goto(url);
  await wait(settling);
  requests = 0;
  const open = await share();
  console.log(`alone ${percent(alone)}, with a portal open ${percent(open)}: ${requests} requests in ${seconds} s`);
  process.exitCode = open - alone < maxShare ? 0 : 1;
} finally {
  await browser.close();
  server.kill();
}

/** The server's share of a core over some seconds. */
async function share() {
  const [since, before] = [performance.now(), processorTime(server.pid)];
  await wait(seconds * 1000);
  return (processorTime(server.pid) - before) / 1000 / (performance.now() - since);
}

function percent(part) {
  return `${(part * 100).toFixed(2)} % of a core`;
}
