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

test("--environment sends a command to another environment", async () => {
  const { ready, ask } = await openToAsk();
  const response = await fetch(`${ready.admin_url}/environments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: "mine", clock: "2026-03-01T00:00:00.000Z" }),
  });
  expect(response.status).toBe(201);
  expect((await ask("clock show --environment mine")).stdout).toBe("2026-03-01T00:00:00.000Z, frozen\n");
  expect((await ask("reset --environment mine")).stdout).toContain("mine");
  expect((await ask("clock show --environment mine")).code).toBe(0);
  const { code, stderr } = await ask("clock show --environment nobody");
  expect(stderr).toBe("There is no environment of this id.\n");
  expect(code).toBe(1);
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

test("reset puts everything back, says whose it was, and prints null with --json", async () => {
  const { ready, ask, json } = await openToAsk();
  await ask("clock advance 1d");
  const { code, stdout, stderr } = await ask("reset");
  expect([code, stderr]).toEqual([0, ""]);
  const place = String.raw`\(in .+, since \d{4}-\d\d-\d\d \d\d:\d\d UTC\)`;
  expect(stdout).toMatch(new RegExp(String.raw`^Environment "default" was reset at ${ready.url} ${place}\.\n$`));
  expect((await ask("clock show")).stdout).toBe("2026-01-15T12:00:00.000Z, frozen\n");
  expect(await json("reset")).toBeNull();
});
