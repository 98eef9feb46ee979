import { expect, test } from "vitest";
import { run, start } from "./cli.ts";

test("openapi prints the document under the assumptions in force", async () => {
  const { code, stdout } = await run(["openapi", "--profile", "minimal", "--assume", "list.order=modify_date"]);
  const document = JSON.parse(stdout) as { openapi: string; paths: object; "x-assumptions": Record<string, unknown> };
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(Object.keys(document.paths)).toHaveLength(5);
  expect(document["x-assumptions"]).toMatchObject({ "errors.body": "empty", "list.order": "modify_date" });
  expect(code).toBe(0);
});

test("openapi --admin prints what a running sandbox answers", async () => {
  const { ready } = await start();
  const { code, stdout } = await run(["openapi", "--admin"]);
  expect(JSON.parse(stdout)).toEqual(await (await fetch(`${ready.admin_url}/openapi.json`)).json());
  expect(code).toBe(0);
});
