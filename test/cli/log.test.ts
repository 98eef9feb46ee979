import { expect, test } from "vitest";
import { connectSandbox } from "../../src/client/connect.ts";
import { launch, start } from "./cli.ts";

test("a request's line has method, path, status, key label and hints", async () => {
  const running = await start(["--clock", "fixture"]);
  const { base_url: base, environment } = running.ready;
  const key = environment.keys.find(({ status, label }) => status === "active" && !label?.includes("limit"));
  const path = `/offerings/${key?.offering_id}/investments?create_date[gt]=2026-01-01`;
  await fetch(base + path, { headers: { authorization: `Bearer ${key?.key}` } });
  const line = await running.event("request");
  expect(line).toMatchObject({ method: "GET", key_id: key?.id, environment: "default" });
  expect(line["milliseconds"]).toBeTypeOf("number");
  expect(line["hints"]).toEqual([expect.stringContaining("create_date[gte]")]);
});

test("pretty lines align, with hints below", async () => {
  const running = launch(["--port", "0"]);
  const [, , , url = ""] = (await running.line((line) => line.startsWith("offering-sandbox ready on "))).split(" ");
  const { baseUrl, offering, keys } = await connectSandbox(url);
  const path = `${baseUrl}/offerings/${offering.id}/investments?create_date[gt]=2026-01-01`;
  await fetch(path, { headers: { authorization: `Bearer ${keys.partner}` } });
  const line = await running.line((text) => text.startsWith("GET"));
  expect(line).toMatch(/^GET {3}200 +\d+\.\d ms {2}\/api\/v1\/offerings\/\S+ {2}key Aurora Robotics \w+$/);
  expect(await running.line(() => true)).toMatch(/^ {8}\S.*create_date\[gte\]/);
});

test("log level warn leaves requests out", async () => {
  const running = await start(["--log-level", "warn"]);
  await fetch(`${running.ready.base_url}/investments/1`);
  await running.stop();
  expect(running.lines).toEqual([]);
});
