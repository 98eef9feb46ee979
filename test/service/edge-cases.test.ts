import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { known, openSandbox } from "../support/sandbox.ts";
import { until } from "../support/until.ts";

const path = `/api/v1/investments/${known.whole}`;

test("the journal records a Retry-After of 0 as 0 seconds, and a missing or invalid Retry-After as null", async () => {
  const { sandbox } = await openSandbox();
  const authorization = `Bearer ${sandbox.keys.partner}`;
  const recordedWait = async (headers: Record<string, string | number>): Promise<number | null | undefined> => {
    const { id } = await sandbox.faults.add({ respond: { status: 503, headers } });
    await (await fetch(`${sandbox.url}${path}`, { headers: { authorization } })).arrayBuffer();
    await sandbox.faults.remove(id);
    return (await sandbox.requests.list({ limit: 1 })).data[0]?.retry_after_seconds;
  };
  expect(await recordedWait({ "Retry-After": 0 })).toBe(0);
  expect(await recordedWait({ "Retry-After": "7" })).toBe(7);
  expect(await recordedWait({ "Retry-After": "-1" })).toBeNull();
  expect(await recordedWait({})).toBeNull();
});

test("a request that waits while its environment is closed loses its connection", async () => {
  const { sandbox } = await openSandbox();
  const environment = await sandbox.openEnvironment({ id: "own" });
  await environment.faults.add({ delay: "10m" });
  const headers = { authorization: `Bearer ${environment.keys.partner}` };
  const outcome = fetch(`${sandbox.url}${path}`, { headers }).then(
    () => "response",
    () => "disconnected",
  );
  await until(async () => (await environment.requests.list({})).waiting.length === 1);
  await environment.close();
  expect(await outcome).toBe("disconnected");
});

test("a request that could not be read is not repeated by a replay", async () => {
  const { sandbox } = await openSandbox();
  const socket = connect(Number(new URL(sandbox.url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.write(`GET ${path}/with a space HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await once(socket, "data");
  const { entries } = await sandbox.replay(await sandbox.snapshot());
  expect(entries).toMatchObject([{ result: "skipped", reason: "it could not be read" }]);
});

test("an unknown key is concealed in the path and query of its own request", async () => {
  const { sandbox } = await openSandbox();
  for (const key of ["ab12cd34ef56", "dalmore_live_key", "P@ssw0rd!2024Long", known.whole]) {
    const headers = { authorization: `Bearer ${key}` };
    for (const target of [`/offerings/${key}`, `/offerings/x?foo=${key}`])
      await fetch(sandbox.baseUrl + target, { headers });
    expect(JSON.stringify(await sandbox.requests.list())).not.toContain(key);
  }
});
