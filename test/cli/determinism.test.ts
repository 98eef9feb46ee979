import { expect, test } from "vitest";
import { start } from "./cli.ts";

test("two processes with the same fixture and a paused clock return the same bytes on every path", async () => {
  const args = ["--clock", "fixture", "--speed", "0", "--rate-limit", "0", "--log-level", "error"];
  const running = await Promise.all([start(args), start([...args, "--delay", "0-3"])]);
  const { environment } = running[0].ready;
  const calls: [path: string, key: string][] = [["/nowhere", ""]];
  for (const { key, offering_id: id } of environment.keys.filter(({ status }) => status === "active")) {
    calls.push([`/offerings/${id}`, key], [`/offerings/${id}/investments?page=2`, key]);
    const list = await sendRequest(running[0].ready.base_url, [`/offerings/${id}/investments?size=50`, key]);
    const { data } = JSON.parse(list.text) as { readonly data?: readonly { readonly id: string }[] };
    for (const { id: investment } of data ?? [])
      for (const tail of ["", "/status", "/events"]) calls.push([`/investments/${investment}${tail}`, key]);
  }
  expect(calls.length).toBeGreaterThan(200);
  const [firstResponses, secondResponses] = await Promise.all(
    running.map(({ ready }) => Promise.all(calls.map((call) => sendRequest(ready.base_url, call)))),
  );
  expect(secondResponses).toEqual(firstResponses);
});

async function sendRequest(
  base: string,
  [path, key]: [path: string, key: string],
): Promise<{ status: number; text: string }> {
  const response = await fetch(base + path, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, text: await response.text() };
}
