import { Agent, get } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { copied, expectFits, lastMessage, openPortal } from "./portal.ts";

test("the coverage shows how to reach each behavior, and each risk links to its request", async () => {
  const { page, sandbox, context, go } = await openPortal({
    hash: "#/default/coverage",
    sandbox: { rateLimit: 120 },
  });
  // Ignoring a refusal is a risk only on one connection, so all requests use the same.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ask = (path: string): Promise<void> =>
    new Promise((done, fail) => {
      const headers = { authorization: `Bearer ${sandbox.keys.partner}` };
      get(sandbox.baseUrl + path, { agent, headers }, (response) => response.resume().once("end", done)).once(
        "error",
        fail,
      );
    });
  const panel = (title: string) => page.locator(".panel", { has: page.getByRole("heading", { name: title }) });
  const row = (id: string) => page.locator(".rows li", { hasText: `${id}, section` });
  const fold = page.getByText(/^\d+ not covered$/);
  await page.getByText("no risk").waitFor();
  await page.getByText("Requests from this page do not count.").waitFor();
  for (let times = 0; times < 6; times++) {
    await ask(`/offerings/${sandbox.offerings[1]?.id}/investments`);
  }
  await panel("Risks: 1").getByText("5 ×").waitFor();
  const risk = panel("Risks: 1").getByRole("link");
  expect(await risk.innerText()).toMatch(/^GET \/offerings\/[\da-f]{8}…\/investments$/);
  const { covered, total, behaviors } = await sandbox.coverage();
  await page.getByText(`${covered} of ${total} covered`).waitFor();

  await fold.click();
  await page.getByRole("button", { name: "Copy snippet for failures.truncated" }).click();
  await expect.poll(() => copied(page)).toBe(behaviors.find(({ id }) => id === "failures.truncated")?.snippet);
  await row("refusals.429").getByRole("button", { name: "429 now" }).click();
  await expect.poll(() => lastMessage(page)).toMatch(/^Limit of .* partner filled\.$/);
  await ask(`/offerings/${sandbox.offering.id}`);
  await row("refusals.429").getByRole("link").waitFor();
  await row("reactions.retried").getByRole("button", { name: "503, 1 ×" }).click();
  await expect.poll(() => lastMessage(page)).toBe("Active: every request: status 503, once.");

  await risk.click();
  await page.locator(".detail", { hasText: "The key is for another offering." }).waitFor();
  expect(page.url()).toMatch(/journal\/6$/);
  await go("#/default/coverage");
  await panel("Risks: 1").waitFor();

  const { risks, ...report } = await sandbox.coverage();
  const paths = ["/offerings/1234", "/offerings/1234/investments", "/investments/1234/events"];
  const examples = paths.map((path, index) => ({ ...risks[0]?.examples[0], id: index, request: `GET ${path}` }));
  await context.route(/\/coverage$/, (route) =>
    route.fulfill({ json: { ...report, risks: [{ ...risks[0], examples }] } }),
  );
  await ask(`/offerings/${sandbox.offering.id}`);
  await expect.poll(() => risk.count()).toBe(examples.length);
  await expectFits(page);
});
