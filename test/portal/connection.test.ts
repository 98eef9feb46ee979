import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { openPortal, startReplaceable } from "./portal.ts";

test("the page keeps its address and continues after the server was gone", async () => {
  const first = await startReplaceable({ rateLimit: 0 });
  onTestFinished(() => first.close());
  const { page } = await openPortal({
    sandbox: first,
    at: "#/default/investments?status=PENDING",
    expected: [/net::ERR_/],
  });
  await page.getByText("2026-01-15").first().waitFor();
  const address = page.url();
  await first.close();
  const notice = page.getByText(/nobody answers|does not answer|no sandbox answers/i).first();
  await notice.waitFor();
  const second = await startSandbox({ rateLimit: 0, port: Number(new URL(first.url).port) });
  onTestFinished(() => second.close());
  await notice.waitFor({ state: "hidden" });
  expect(page.url()).toBe(address);
  await second.clock.set("2030-01-01");
  await page.getByText("2030").first().waitFor();
});

test("with eight tabs open, the application under test is still served", async () => {
  const page = "<!doctype html><title>app</title>";
  const app = createServer((_request, response) => void response.setHeader("Content-Type", "text/html").end(page));
  app.listen(0, "127.0.0.1").unref();
  await once(app, "listening");
  onTestFinished(() => app.closeAllConnections());
  const { port } = app.address() as AddressInfo;
  const { sandbox, context, tab } = await openPortal({ expected: [new RegExp(`^request: http://127.0.0.1:${port}/`)] });
  const tabs = await Promise.all(Array.from({ length: 8 }, () => tab()));
  await Promise.all(tabs.map((each) => each.getByText("2026-01-15").first().waitFor()));

  const under = await context.newPage();
  await under.route("**/favicon.ico", (route) => route.fulfill({ body: "" }));
  await under.goto(`http://127.0.0.1:${port}/`);
  const statuses = await under.evaluate(
    async ([url, key]) => {
      const headers = { authorization: `Bearer ${key}` };
      const answers = Array.from({ length: 20 }, () => fetch(String(url), { headers }));
      return (await Promise.all(answers)).map(({ status }) => status);
    },
    [`${sandbox.baseUrl}/offerings/${sandbox.offering.id}`, sandbox.keys.partner],
  );
  expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
  await sandbox.clock.set("2030-01-01");
  await Promise.all(tabs.map((each) => each.getByText("2030").first().waitFor()));
});
