import { expect, test } from "vitest";
import { run, start, openToAsk } from "./cli.ts";

test("an unreachable sandbox is one line with the address and how to start one", async () => {
  const { code, stdout, stderr } = await run(["keys", "list", "--url", "http://localhost:1"]);
  expect(stderr).toMatch(/^No sandbox answers at http:\/\/localhost:1: .* npx offering-sandbox\n$/);
  expect([code, stdout]).toEqual([1, ""]);
});

test("the flag --url wins over the variable", async () => {
  const { ready, ask } = await openToAsk();
  const { stdout } = await ask(`clock show --url ${ready.url}/`, {
    env: { OFFERING_SANDBOX_URL: "http://localhost:1" },
  });
  expect(stdout).toContain("frozen");
});

test("the admin token is read from a flag or a variable", async () => {
  const { ready } = await start([
    "--admin-token",
    "open-sesame-please",
    "--host",
    "0.0.0.0",
    "--allowed-hosts",
    "localhost",
  ]);
  const url = `http://localhost:${new URL(ready.url).port}`;
  const at = ["clock", "show", "--url", url];
  expect(await run(at)).toMatchObject({ code: 1, stderr: expect.stringContaining("--token") as string });
  expect((await run([...at, "--token", "open-sesame-please"])).code).toBe(0);
  expect((await run(at, { env: { OFFERING_SANDBOX_ADMIN_TOKEN: "open-sesame-please" } })).code).toBe(0);
});
