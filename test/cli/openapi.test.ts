import { expect, test } from "vitest";
import { openCommandLine, run } from "./cli.ts";

test("openapi prints the document of a sandbox under the current assumptions, without private data", async () => {
  const investors = [{ first_name: "Zoltan", last_name: "Private", tax_id: "123-45-6789" }];
  const fixture = { offerings: [{ name: "Mine Alone", investments: [{ investors }] }] };
  const assumptions = { "list.order": "modify_date" } as const;
  const { ready } = await openCommandLine({ fixture, profile: "minimal", assumptions, rateLimit: 7 });
  const servedDocument = await (await fetch(`${ready.url}/openapi.json`)).text();
  const flags = ["--profile", "minimal", "--assume", "list.order=modify_date", "--rate-limit", "7"];
  const { code, stdout } = await run(["openapi", ...flags, "--url", ready.url]);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(servedDocument));
  expect(JSON.parse(stdout)).toMatchObject({
    servers: [{ url: `${ready.url}/api/v1` }],
    "x-assumptions": { "errors.body": "empty", "list.order": "modify_date" },
  });
  expect(servedDocument).toContain("Aurora Robotics");
  for (const text of [ready.environment.offerings[0]?.id ?? "", "Mine Alone", "Zoltan", "123-45-6789"])
    expect(servedDocument).not.toContain(text);
  expect(code).toBe(0);
});

test("openapi --admin prints the admin document of a running sandbox", async () => {
  const { ready, runLine } = await openCommandLine();
  const { code, stdout } = await runLine("openapi --admin");
  expect(JSON.parse(stdout)).toEqual(await (await fetch(`${ready.admin_url}/openapi.json`)).json());
  expect(code).toBe(0);
});
