// Takes the pictures of the README and docs/portal.md: npm run screenshots. They are equal on each machine, except for
// its fonts, its version of Chromium and occasionally a few pixels at an edge.
import { mkdir, writeFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { startSandbox } from "../dist/index.js";
import { launchChromium } from "./chromium.js";

const folder = new URL("../docs/images/", import.meta.url);
await mkdir(folder, { recursive: true });

/** The usual address, which the pictures show in place of this sandbox's. */
const shownAddress = "http://localhost:4120";

const sandbox = await startSandbox({ scenarios: ["payment-fails-then-succeeds"] });
const browser = await launchChromium();
try {
  const { investmentId, refusedId } = await prepare();
  const investment = `investments/${investmentId}?only=differences`;
  await takePicture("investment-light", investment, "Payment approved");
  await takePicture("investment-dark", investment, "Payment approved", { colorScheme: "dark" });
  await takePicture("journal", `journal/${refusedId}`, "Its keys");
  await takePicture("scenario", "scenarios/joint-investors-with-countersigner", "Runs");
} finally {
  await browser.close();
  await sandbox.close();
}

/** Some days of scenarios and calls, some of which fail. */
async function prepare() {
  const { clock, faults, keys, offerings, requests } = sandbox;
  const [aurora, harbor] = offerings;
  await clock.advance("2d");
  await sandbox.play("joint-investors-with-countersigner");
  await clock.advance("1d");
  const { investment_ids } = await sandbox.play("closing");
  const [id] = investment_ids;
  await clock.advance("20m");
  await call(`/offerings/${aurora.id}/investments?size=5`);
  await call(`/investments/${id}`, keys.marketing);
  await clock.advance("1h");
  await faults.add({ respond: { status: 503, headers: { "Retry-After": 5 } }, times: 1 });
  await call(`/investments/${id}/status`);
  await clock.advance("5s");
  await call(`/investments/${id}/status`);
  await call(`/offerings/${aurora.id}/investments?size=500`);
  await clock.advance("1m");
  await call(`/investments/${id}/events?create_date[gt]=2026-01-15`);
  await call(`/offerings/${harbor.id}`);
  const { data } = await requests.list();
  return { investmentId: id, refusedId: data.at(-1).id };
}

async function call(path, key = sandbox.keys.partner) {
  const response = await fetch(sandbox.baseUrl + path, { headers: { authorization: `Bearer ${key}` } });
  await response.text();
}

/** Takes a picture of a view once its text is there and does not change. */
async function takePicture(name, view, text, { colorScheme = "light", height = 900 } = {}) {
  const page = await browser.newPage({ colorScheme, reducedMotion: "reduce", viewport: { width: 1440, height } });
  await page.route(`${shownAddress}/**`, forward);
  await page.goto(`${shownAddress}/#/default/${view}`);
  await page.getByText(text).first().waitFor();
  let [before, picture] = [Buffer.alloc(0), await page.screenshot()];
  while (!picture.equals(before)) {
    await wait(500);
    [before, picture] = [picture, await page.screenshot()];
  }
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.close();
  await writeFile(new URL(`${name}.webp`, folder), await webp(picture));
}

/** Turns a PNG into a WebP of less than half its size. */
async function webp(png) {
  const page = await browser.newPage();
  const base64 = await page.evaluate(async (source) => {
    const response = await fetch(`data:image/png;base64,${source}`);
    const bitmap = await createImageBitmap(await response.blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.9 });
    return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCodePoint(byte)).join(""));
  }, png.toString("base64"));
  await page.close();
  return Buffer.from(base64, "base64");
}

/** Responds like a sandbox at the usual address, with the same durations each time. */
async function forward(route) {
  const request = route.request();
  const url = request.url().replace(shownAddress, sandbox.url);
  const headers = { ...(await request.allHeaders()), host: new URL(shownAddress).host };
  const response = await route.fetch({ url, headers });
  const body = (await response.text())
    .replaceAll(sandbox.url, shownAddress)
    .replaceAll(/"duration_ms":[\d.]+/g, '"duration_ms":0.4');
  await route.fulfill({ response, body });
}
