// Mixed load for some minutes over a busy scenario at speed 3600, with environments opened and dropped and the journal
// full: prints memory as it goes. `node --expose-gc bench/soak.js 300`
import { startSandbox } from "../dist/index.js";

const seconds = Number(process.argv[2] ?? 300);
const sandbox = await startSandbox({ clock: "fixture", speed: 3600, rateLimit: 0, scenarios: ["live-demo"] });
await sandbox.play("busy-day");
const { baseUrl, offerings, keys } = sandbox;
const end = Date.now() + seconds * 1000;
let requests = 0;
let opened = 0;
let failures = 0;

async function ask(path, key) {
  const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}` } });
  const body = await response.text();
  requests += 1;
  if (response.status >= 500) failures += 1;
  return response.ok ? JSON.parse(body) : undefined;
}

async function reader() {
  while (Date.now() < end) {
    const page = 1 + (requests % 12);
    const list = await ask(`/offerings/${offerings[0].id}/investments?page=${page}`, keys.partner);
    for (const { id } of list?.data.slice(0, 3) ?? []) {
      await ask(`/investments/${id}`, keys.marketing);
      await ask(`/investments/${id}/events`, keys.partner);
    }
    await ask("/nowhere", keys.partner);
  }
}

async function opener() {
  while (Date.now() < end) {
    const environment = await sandbox.openEnvironment();
    opened += 1;
    const run = await environment.play("closing");
    await environment.clock.advance("2d");
    const read = await ask(`/investments/${run.investment_ids[0]}/status`, environment.keys.partner);
    if (read?.data.attributes.status !== "CLOSED") failures += 1;
    await environment.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function rewinder() {
  while (Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    await sandbox.reset();
  }
}

function report() {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const [at, megabytes] = [Math.round(seconds - (end - Date.now()) / 1000), (bytes) => Math.round(bytes / 1e6)];
  console.log(
    `${at} s: heap ${megabytes(heapUsed)} MB, rss ${megabytes(rss)} MB, ${requests} requests, ${opened} environments, ${failures} failures`,
  );
}

report();
const timer = setInterval(report, 30_000);
await Promise.all([reader(), reader(), opener(), rewinder()]);
clearInterval(timer);
report();
await sandbox.close();
