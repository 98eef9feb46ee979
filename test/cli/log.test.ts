import { expect, test } from "vitest";
import { launch, type LogLine, start } from "./cli.ts";

test("each line of a JSON log is one object with its time, level and process, from ready to stopping", async () => {
  const running = await start(["--drain", "10ms", "--log-level", "debug"]);
  const { ready, child } = running;
  const { url, environment } = ready;
  const [key] = environment.keys;
  const headers = { authorization: `Bearer ${key?.key}` };
  const opening = await fetch(`${url}/__admin/environments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: "mine" }),
  });
  expect(opening.status).toBe(201);
  for (const path of ["/api/v1/offerings", "/api/v2/offerings/%0A%1B[2J", "/x?%22%7D%0A{%22event%22:%22ready%22}=1"])
    await fetch(url + path, { headers });
  for (const path of ["clock", "environments/mine/clock", "environments/none/clock", "server", "environments?summary"])
    await fetch(`${url}/__admin/${path}`);
  const linesBeforeStop = await running.linesTo((line) => line.includes("/__admin/environments?summary"));
  expect(await running.stop()).toBe(0);
  const lines = [...linesBeforeStop, ...running.lines].map((line) => JSON.parse(line) as LogLine);
  for (const { time, level, pid } of lines) {
    expect([time, level, pid]).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expect.stringMatching(/^(?:error|warn|info|debug)$/),
      child.pid,
    ]);
  }
  expect(lines.map(({ event }) => event)).not.toContain("ready");
  expect(lines.slice(-2)).toMatchObject([{ event: "draining" }, { event: "stopping", message: "SIGTERM" }]);
});

test("the log names the environment of each admin API call that has one", async () => {
  const running = await start(["--log-level", "debug"]);
  const { url } = running.ready;
  for (const [path, environment] of [
    ["/__admin/clock", "default"],
    ["/__admin/environments/default/clock", "default"],
    ["/__admin/environments/none/clock", null],
    ["/__admin/server", null],
  ]) {
    await fetch(url + path);
    expect(await running.event("request")).toMatchObject({ path, environment });
  }
});

test("the log in text says that the process drains and stops, a quiet log says nothing", async () => {
  for (const [flags, expectedLines] of [
    [[], [/^draining  not ready, but serving for 10ms$/, /^stopping  SIGTERM$/]],
    [["--quiet"], []],
  ] as const) {
    const running = launch(["--port", "0", "--drain", "10ms", ...flags]);
    await running.line((line) => line.startsWith("offering-sandbox ready on "));
    expect(await running.stop()).toBe(0);
    expect(running.lines).toEqual(expectedLines.map((line) => expect.stringMatching(line) as string));
  }
});
