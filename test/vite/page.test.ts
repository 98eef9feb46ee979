import type { Browser, Page } from "@playwright/test";
import { once } from "node:events";
import { createServer } from "node:http";
import { build, preview } from "vite";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { connectSandbox } from "../../src/index.ts";
import { chromiumFile, launchChromium, missingChromium } from "../../scripts/chromium.js";
import { addressIn, configWith, projectWith, serve, servePage } from "./vite.ts";

const files = {
  "index.html": `<ul></ul> <output></output> <button>Again</button> <script type="module" src="/main.js"></script>`,
  "main.js": `
    const [list, output, button] = ["ul", "output", "button"].map((name) => document.querySelector(name));
    const ask = async (path) => {
      const response = await fetch("/api/v1" + path, { headers: { "x-key": location.hash.slice(1) } });
      if (!response.ok) throw new Error("It returned " + response.status + ".");
      return response.json();
    };
    const show = async () => {
      const offering = import.meta.env.OFFERING_SANDBOX_OFFERING_ID;
      const { data } = await ask("/offerings/" + offering + "/investments?size=5");
      const { included } = await ask("/investments/" + data[0].id);
      list.innerHTML = data.map(({ attributes }) => "<li>" + attributes.investment_number).join("");
      output.textContent = JSON.stringify(included).includes("[[redacted]]") ? "redacted" : "readable";
    };
    const showAgain = () => show().catch(({ message }) => (output.textContent = message));
    button.onclick = onhashchange = showAgain;
    showAgain();
  `,
};

vi.setConfig({ expect: { poll: { timeout: 120_000 } } });

let browser: Promise<Browser> | undefined;
beforeEach(({ skip }) => skip(chromiumFile === undefined, missingChromium));
afterAll(async () => (await browser)?.close());

async function openPage(address: string): Promise<Page> {
  browser ??= launchChromium();
  const context = await (await browser).newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

test("a page shows a list with either key and an injected failure, even after a restart of Vite", async () => {
  const root = await projectWith(files);
  const { vite, url, sandbox } = await servePage({ key: ({ headers }) => headers["x-key"]?.toString() }, { root });
  const page = await openPage(`${url}#marketing`);
  const items = page.getByRole("listitem");
  const output = page.getByRole("status");
  await expect.poll(() => output.innerText()).toBe("redacted");
  expect(await items.count()).toBe(5);
  await page.goto(`${url}#partner`);
  await expect.poll(() => output.innerText()).toBe("readable");

  await sandbox.faults.add({ respond: { status: 503 } });
  await page.getByRole("button").click();
  await expect.poll(() => output.innerText()).toBe("It returned 503.");

  // The page reloads itself when its connection to Vite is back.
  await output.evaluate((element) => element.replaceChildren());
  await vite.restart();
  await expect.poll(() => output.innerText()).toBe("It returned 503.");
  await sandbox.faults.remove();
  await page.getByRole("button").click();
  await expect.poll(() => output.innerText()).toBe("readable");
  expect(await items.count()).toBe(5);
});

test("a page of another origin reads nothing through the dev server or the preview, and uses up nothing", async () => {
  const root = await projectWith({ ...files, "index.html": "<output></output>" });
  const lines: string[] = [];
  const config = { ...(await configWith({}, lines)), root };
  const { vite, url } = await serve(config);
  vite.printUrls();
  await build({ ...config, logLevel: "silent" });
  const previewServer = await preview(config);
  onTestFinished(() => previewServer.close());
  const sandbox = await connectSandbox(addressIn(lines));
  await sandbox.faults.add({ respond: { status: 418 }, times: 1 });
  const foreign = createServer((_request, response) =>
    response.setHeader("content-type", "text/html").end("<p>"),
  ).listen(0);
  await once(foreign, "listening");
  onTestFinished(() => void foreign.close());
  const { port } = foreign.address() as { port: number };
  // Chromium gives the same site to every port of localhost, and another one to this address.
  for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`]) {
    const page = await openPage(origin);
    for (const base of [url, previewServer.resolvedUrls?.local[0] ?? ""]) {
      const outcomes = await page.evaluate(async (address) => {
        const read = (options: RequestInit) =>
          fetch(address, options).then(async (response) => `${response.type} ${await response.text()}`, String);
        const image = new Image();
        const loaded = new Promise((resolve) => {
          for (const event of ["load", "error"]) image.addEventListener(event, resolve);
        });
        image.src = address;
        await loaded;
        return Promise.all([read({}), read({ mode: "no-cors" }), read({ credentials: "include" })]);
      }, `${base}api/v1/offerings/${sandbox.offering.id}`);
      for (const outcome of outcomes) expect(outcome).not.toContain("data");
    }
  }
  expect(await sandbox.requests.count()).toBe(0);
  expect((await fetch(`${url}api/v1/offerings/${sandbox.offering.id}`)).status).toBe(418);
});
