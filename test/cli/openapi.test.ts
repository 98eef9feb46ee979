import { expect, test } from "vitest";
import { run } from "./cli.ts";

test("openapi prints the document under the assumptions in force", async () => {
  const { code, stdout } = await run(["openapi", "--profile", "minimal", "--assume", "list.order=modify_date"]);
  const document = JSON.parse(stdout) as { openapi: string; paths: object; "x-assumptions": Record<string, unknown> };
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(Object.keys(document.paths)).toHaveLength(5);
  expect(document["x-assumptions"]).toMatchObject({ "errors.body": "empty", "list.order": "modify_date" });
  expect(code).toBe(0);
});
