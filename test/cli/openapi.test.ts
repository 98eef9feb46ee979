import { expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { run, start } from "./cli.ts";

test("openapi prints the document under the assumptions in force", async () => {
  const { code, stdout } = await run(["openapi", "--profile", "minimal", "--assume", "list.order=modify_date"]);
  const document = JSON.parse(stdout) as {
    openapi: string;
    servers: object[];
    paths: object;
    "x-assumptions": Record<string, unknown>;
  };
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(Object.keys(document.paths)).toHaveLength(5);
  expect(document.servers).toMatchObject([{ url: "http://localhost:4120/api/v1" }]);
  expect(document["x-assumptions"]).toMatchObject({ "errors.body": "empty", "list.order": "modify_date" });
  expect(code).toBe(0);
});

test("openapi --url prints the sandbox's document, without the fixture's private data", async () => {
  const investors = [{ first_name: "Zoltan", last_name: "Private", tax_id: "123-45-6789" }];
  const fixture = { offerings: [{ name: "Mine Alone", investments: [{ investors }] }] };
  const options = { profile: "minimal", rateLimit: 7 } as const;
  await using sandbox = await startSandbox({ fixture, ...options, adminToken: "a-token-of-mine" });
  const served = await (await fetch(`${sandbox.url}/openapi.json`)).text();
  const { stdout } = await run(["openapi", "--profile", "minimal", "--rate-limit", "7", "--url", sandbox.url]);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(served));
  expect(served).toContain("Aurora Robotics");
  for (const privateText of [sandbox.offering.id, "Mine Alone", "Zoltan", "123-45-6789"])
    expect(served).not.toContain(privateText);
});

test("openapi --admin prints the admin document of a running sandbox", async () => {
  const { ready } = await start();
  const { code, stdout } = await run(["openapi", "--admin"], { env: { OFFERING_SANDBOX_URL: ready.url } });
  expect(JSON.parse(stdout)).toEqual(await (await fetch(`${ready.admin_url}/openapi.json`)).json());
  expect(code).toBe(0);
});
