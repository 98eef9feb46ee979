import type { Browser, Page } from "@playwright/test";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { chromiumFile, launchChromium, missingChromium } from "../../scripts/chromium.js";
import { projectWith, servePage } from "./vite.ts";

const files = {
  "index.html": `<ul></ul> <output></output> <button>Again</button> <script type="module" src="/main.js"></script>`,
  "main.js": `
    const [list, output, button] = ["ul", "output", "button"].map((name) => document.querySelector(name));
    const ask = async (path) => {
      const response = await fetch("/api/v1" + path, { headers: { "x-key": location.hash.slice(1) } });
      if (!response.ok) throw new Error("It answered " + response.status + ".");
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

test("a page shows a list with either key and an injected failure, also after a restart of Vite", async () => {
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
  await expect.poll(() => output.innerText()).toBe("It answered 503.");

  // The page reloads itself when its connection to Vite is back.
  await output.evaluate((element) => element.replaceChildren());
  await vite.restart();
  await expect.poll(() => output.innerText()).toBe("It answered 503.");
  await sandbox.faults.remove();
  await page.getByRole("button").click();
  await expect.poll(() => output.innerText()).toBe("readable");
  expect(await items.count()).toBe(5);
});
