import { expect, test } from "vitest";
import { send } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { start } from "./cli.ts";

const flags = ["--drain", "10m", "--rate-limit", "0", "--no-scenario"];

test("while a sandbox drains, ?ready gets 503 and every other request gets its response", async () => {
  const running = await start(flags);
  const { url, environment } = running.ready;
  const key = environment.keys.find(({ type }) => type === "partner")?.key ?? "";
  const offering = `/api/v1/offerings/${environment.offerings[0]?.id}`;
  const health = (query: string) => send(url, `/__admin/health${query}`, { key: null });
  expect(await health("?ready")).toMatchObject({ status: 200, json: { status: "ok" } });
  const endOfRequests = new AbortController();
  const statuses = new Set<number>();
  const client = async (): Promise<void> => {
    while (!endOfRequests.signal.aborted) statuses.add((await send(url, offering, { key })).status);
  };
  const clients = Array.from({ length: 20 }, client);
  running.child.kill("SIGTERM");
  await until(async () => expect((await health("?ready")).status).toBe(503));
  for (let round = 0; round < 20; round++) {
    expect(await health("?ready")).toMatchObject({ status: 503, json: { status: "stopping" } });
    expect(await health("")).toMatchObject({ status: 200, json: { status: "stopping" } });
    expect(await send(url, offering, { key })).toMatchObject({ status: 200, headers: { connection: "close" } });
    expect((await send(url, "/__admin/environments", { key: null })).status).toBe(200);
  }
  endOfRequests.abort();
  await Promise.all(clients);
  expect(statuses).toEqual(new Set([200]));
  expect(await running.stop("SIGTERM")).toBe(0);
});

test("Ctrl-C stops a sandbox with --drain at once", async () => {
  const running = await start(flags);
  expect(await running.stop("SIGINT")).toBe(0);
});

test("a sandbox closes when its drain is over", async () => {
  const running = await start(["--drain", "1ms"]);
  expect(await running.stop("SIGTERM")).toBe(0);
});
